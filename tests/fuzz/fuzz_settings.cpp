// SPDX-License-Identifier: MIT
// libFuzzer's way into what users type: lines "name=value" are settings; what follows an empty line is a search's journal.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/settings.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shapeboost;
  static const std::string kPath = "/tmp/shapeboost_journal_" + std::to_string(::getpid());
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t gap = text.find("\n\n");
  fuzz::take_settings(text.substr(0, gap));
  if (gap == std::string::npos) return 0;
  try {
    (void)fuzz::journal_cells(kPath, text.substr(gap + 2));
  } catch (const InvalidInput&) {
  }
  ::unlink(kPath.c_str());
  return 0;
}
