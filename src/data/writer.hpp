// SPDX-License-Identifier: MIT
// Data as text, one function a format. Each makes the whole text before anything is written; `path` is what
// refusals name.
#pragma once

#include <string>

#include "ground/text.hpp"
#include "shapeboost/base.hpp"
#include "shapeboost/dataset.hpp"

namespace shapeboost::detail {

/// Throws InvalidInput: "cannot write out.tsv: <reason>".
template <typename... Parts>
[[noreturn]] void refuse(const std::string& path, const Parts&... reason) {
  throw InvalidInput(concat("cannot write ", path, ": ", reason...));
}

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
