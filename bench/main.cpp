// SPDX-License-Identifier: MIT
#include <cstdio>
#include <exception>
#include <fstream>
#include <string_view>
#include <thread>

#include "bench.hpp"
#include "ground/file.hpp"
#include "shapeboost/version.hpp"

namespace {

using namespace shapeboost;

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

void write_results(const std::string& path, const nlohmann::json& results) {
  const nlohmann::json context{{"processor", processor()},
                               {"hardware_threads", std::thread::hardware_concurrency()},
                               {"compiler", __VERSION__},
                               {"version", kVersion},
                               {"threads_used", 1}};
  const nlohmann::json file{{"context", context}, {"results", results}};
  write_file(path, file.dump(2) + "\n");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const bench::Findings findings = bench::run(arguments);
    constexpr std::string_view kOut = "--benchmark_out=";
    for (const std::string& argument : arguments) {
      if (argument.starts_with(kOut)) write_results(argument.substr(kOut.size()), findings.results);
    }
    return findings.faults == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
