// SPDX-License-Identifier: MIT
// What the writers of all formats share. Each makes the whole text before anything is written; `path` is what
// their refusals name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "shapeboost/dataset.hpp"

namespace shapeboost::detail {

/// Throws InvalidInput: "cannot write out.tsv: <reason>".
[[noreturn]] void refuse(const std::string& path, const std::string& reason);

/// "bag 'b7'", "series '3'", "sequence '3'".
[[nodiscard]] std::string called(const Dataset& data, std::int64_t i);

/// Throws unless the data are of this kind.
void demand_kind(const Dataset& data, DataKind kind, std::string_view format, const std::string& path);

/// Whether a word comes back from a reader that splits at `signs`: everything the readers would trim,
/// unquote, skip or take for the first line of another format is out of the question too.
[[nodiscard]] bool reads_back(std::string_view word, std::string_view signs);

/// The label of example i, or `unknown`. Throws where it would not read back.
[[nodiscard]] std::string label_of(const Dataset& data, std::int64_t i, std::string_view signs,
                                   const std::string& unknown, const std::string& path);

/// The name of bag i. Throws where it would not read back.
[[nodiscard]] std::string bag_name(const Dataset& data, std::int64_t i, std::string_view signs,
                                   const std::string& path);

/// Throws where two bags share a name: their instances would become one bag.
void demand_distinct_names(const Dataset& data, const std::string& path);

/// Appends one value of example i, `missing` for NaN; throws where it is infinite, and for NaN where
/// `missing` is empty.
void append_value(std::string& out, const Dataset& data, std::int64_t i, std::int64_t row,
                  std::int64_t column, std::string_view missing, const std::string& path);

/// Throws where the last moment of a series is missing in every channel: the readers of formats that fill
/// short series up would drop it.
void demand_no_open_end(const Dataset& data, std::string_view format, const std::string& path);

[[nodiscard]] std::string ucr_text(const Dataset& data, const std::string& path);
[[nodiscard]] std::string ts_text(const Dataset& data, const std::string& path);
[[nodiscard]] std::string mil_text(const Dataset& data, const std::string& path);
[[nodiscard]] std::string arff_text(const Dataset& data, const std::string& path);
[[nodiscard]] std::string c45_data_text(const Dataset& data, const std::string& path);
[[nodiscard]] std::string c45_names_text(const Dataset& data, const std::string& path);
[[nodiscard]] std::string svmlight_text(const Dataset& data, const std::string& path);
[[nodiscard]] std::string tab_text(const Dataset& data, const std::string& path);
[[nodiscard]] std::string fasta_text(const Dataset& data, const std::string& path);

}  // namespace shapeboost::detail
