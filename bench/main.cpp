// SPDX-License-Identifier: MIT
#include <cstdio>
#include <exception>

#include "sets.hpp"

int main(int argc, char** argv) {
  try {
    return shapeboost::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
