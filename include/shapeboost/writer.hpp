// SPDX-License-Identifier: MIT
// Data to files that read_dataset reads back the same: names, labels and every bit of every number.
#pragma once

#include <string>

#include "shapeboost/dataset.hpp"

namespace shapeboost {

/// One series a line: the label, then the values, tab separated. The format has no room for names, for
/// channels, for missing values or for series of different lengths; such data throws InvalidInput, as
/// does a label the reader would take for something else.
void write_ucr(const Dataset& data, const std::string& path);

/// `bag,label,f1,f2,...`, then one instance a line. Throws InvalidInput where two bags share a name.
void write_mil(const Dataset& data, const std::string& path);

}  // namespace shapeboost
