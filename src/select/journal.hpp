// SPDX-License-Identifier: MIT
// A run of selection on disk, from which one that was cut off goes on.
#pragma once

#include <string>
#include <vector>

#include "ground/file.hpp"
#include "shapeboost/selection.hpp"

namespace shapeboost {

/// Sixteen hexadecimal digits that tell data, or choices, from others: kind, values, labels and classes;
/// names and every setting that makes a model.
[[nodiscard]] std::string digest_of(const Dataset& data);
[[nodiscard]] std::string digest_of(const std::vector<Choice>& choices);

/// What a journal must have in common with a run to be its own, as one line of JSON: the version, digests of
/// the data and of the choices, folds, repeats and seed.
[[nodiscard]] std::string journal_head(const Dataset& data, const std::vector<Choice>& choices,
                                       const SelectionSettings& settings);

/// The head of a journal as a JSON object, and how messages speak of it.
struct JournalHead {
  std::string fields;   ///< one line of JSON
  std::string command;  ///< "tune"; the first field tells its journals from other files
  std::vector<std::pair<std::string, std::string>>
      words;           ///< of each field: what another value says is different
  std::string advice;  ///< "remove it or name another"
};

/// Makes the file this run's. Throws InvalidInput where it is no journal, or another run's, saying in what they
/// differ.
void claim(LineLog& log, const JournalHead& head);

/// Finished cells on disk, a line of JSON each below the head: see LineLog.
class Journal {
 public:
  /// Opens or creates the file. Throws InvalidInput where it cannot be written, belongs to another run
  /// (saying in what they differ), is in use, is no journal, or has a line that is none.
  Journal(std::string path, const std::string& head);
  /// A journal without a cell is removed.
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Those that it held when it was opened.
  [[nodiscard]] const std::vector<Cell>& cells() const { return cells_; }
  void add(const Cell& cell);
  /// Removes the file.
  void remove();

 private:
  LineLog log_;
  bool empty_ = true;
  bool removed_ = false;
  std::vector<Cell> cells_;
};

}  // namespace shapeboost
