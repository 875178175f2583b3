// SPDX-License-Identifier: MIT
// What is done of a table of the paper: a line of JSON for each trial and each choice that took a search. A
// run that was cut off goes on from it, and later runs add sets, columns and runs to it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ground/file.hpp"
#include "select/experiment.hpp"

namespace shapeboost::cli {

struct PaperRecord {
  std::string set;
  std::string column;
  std::string of;          ///< digests of the data and the settings, and the protocol
  bool selection = false;  ///< a search for the best choice, of which `trial` holds choice and trainings
  Trial trial;
  std::string chosen;  ///< the choice's name
  double seconds = 0.0;
  std::string machine;
};

class PaperJournal {
 public:
  /// Opens or creates the file. Throws InvalidInput where it belongs to another table, version or seed, or
  /// has a line that is none.
  PaperJournal(const std::string& path, const std::string& table, std::uint64_t seed, bool quick);
  /// A journal without a record is removed.
  ~PaperJournal();
  PaperJournal(const PaperJournal&) = delete;
  PaperJournal& operator=(const PaperJournal&) = delete;

  [[nodiscard]] const std::vector<PaperRecord>& records() const { return records_; }
  void add(const PaperRecord& record);

 private:
  LineLog log_;
  std::vector<PaperRecord> records_;
};

}  // namespace shapeboost::cli
