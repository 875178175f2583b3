// SPDX-License-Identifier: MIT
// The paper's eleven data sets, and others of the archive.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shapeboost/dataset.hpp"

namespace shapeboost::bench {

struct PaperSet {
  std::string name;
  double paper_accuracy = 0.0;  ///< on the test set, as the paper reports it
  bool generated = false;       ///< a synthetic substitute of the same size, where the files are missing
  Dataset train{DataKind::series};
  Dataset test{DataKind::series};
};

/// Read from ucr/ in the folder named by SHAPEBOOST_DATA, else in ../shared/data beside the sources. A
/// missing set is generated: series with planted patterns, as many and as long.
[[nodiscard]] std::vector<PaperSet> paper_sets();

/// The training part of a set of the archive in the same folder; none where its file is missing.
[[nodiscard]] std::optional<Dataset> training_part(const std::string& name);

/// A set of bags of the folder mil/ beside ucr/; none where its file is missing.
[[nodiscard]] std::optional<Dataset> bags_of(const std::string& name);

}  // namespace shapeboost::bench
