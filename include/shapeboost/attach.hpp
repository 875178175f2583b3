// SPDX-License-Identifier: MIT
// What a model file names but does not hold: matrices of similarities, and functions. Until they are
// attached, such a model scores nothing and says which one it wants.
#pragma once

#include <memory>
#include <string>

#include "shapeboost/model.hpp"

namespace shapeboost {

/// Gives every view that compares by a Gram matrix this one. Throws InvalidInput where no view does, where
/// the matrix is not square, or where it lacks a row that a shapelet names.
void attach_gram(Model& model, std::shared_ptr<const Matrix> gram);

/// Gives every view that compares by the similarity of this name this function. Throws InvalidInput where no
/// view does.
void attach_similarity(Model& model, const std::string& name, const Similarity& similarity);

}  // namespace shapeboost
