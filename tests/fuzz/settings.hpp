// SPDX-License-Identifier: MIT
// What users type, and the journals that a search leaves behind and finds again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ground/file.hpp"
#include "ground/text.hpp"
#include "select/journal.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/synthetic.hpp"
#include "train/settings.hpp"

namespace shapeboost::fuzz {

/// Lines "name=value", those of a name that there is not left out. Nothing but InvalidInput may come of a value.
inline void take_settings(const std::string& text) {
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

/// Opens a journal of our own run with such lines behind its head, at `path`.
inline std::vector<Cell> journal_cells(const std::string& path, std::string_view lines) {
  static const Dataset kData = planted_series({.examples = 6, .length = 20}).data;
  static const std::string kHead = journal_head(kData, {}, {});
  write_file(path, concat(kHead, '\n', lines));
  return Journal(path, kHead).cells();
}

}  // namespace shapeboost::fuzz
