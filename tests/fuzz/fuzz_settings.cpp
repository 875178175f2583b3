// SPDX-License-Identifier: MIT
// libFuzzer's way into what users type: lines "name=value" are settings; what follows an empty line is a search's journal.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "ground/file.hpp"
#include "select/journal.hpp"
#include "shapeboost/synthetic.hpp"
#include "train/settings.hpp"

namespace {

using namespace shapeboost;

void take_settings(const std::string& text) {
  TrainSettings settings;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t equals = std::min(line.find('='), line.size());
    const Setting* const setting = find_setting(line.substr(0, equals));
    if (setting == nullptr) continue;
    try {
      setting->set(settings, equals < line.size() ? line.substr(equals + 1) : "");
    } catch (const InvalidInput&) {
    }
  }
  (void)validate(settings);
  (void)settings_text(settings);
}

void read_journal(const std::string& text) {
  static const std::string kPath = "/tmp/shapeboost_journal_" + std::to_string(::getpid());
  static const Dataset kData = planted_series({.examples = 6, .length = 20}).data;
  static const std::string kHead = journal_head(kData, {}, {});
  write_file(kPath, kHead + '\n' + text);
  try {
    const Journal journal(kPath, kHead);
    (void)journal.cells();
  } catch (const InvalidInput&) {
  }
  ::unlink(kPath.c_str());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t gap = text.find("\n\n");
  take_settings(text.substr(0, gap));
  if (gap != std::string::npos) read_journal(text.substr(gap + 2));
  return 0;
}
