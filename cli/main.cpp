// SPDX-License-Identifier: MIT
#include "commands.hpp"

int main(int argc, char** argv) { return shapeboost::cli::run_program(argc, argv); }
