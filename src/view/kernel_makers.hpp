// SPDX-License-Identifier: MIT
// One maker for each way of comparing instances; make_instances() chooses among them.
#pragma once

#include <memory>

#include "view/instances.hpp"

namespace shapeboost::detail {

/// Windows under kernels of inner products (kernel_product.cpp).
[[nodiscard]] std::unique_ptr<Instances> product_windows(const Dataset& data, const View& view);
/// The given instances of bags under kernels of inner products (vectors.cpp).
[[nodiscard]] std::unique_ptr<Instances> product_vectors(const Dataset& data, const View& view);
/// The same of sparse bags that are not centred, without their zeros (sparse_vectors.cpp).
[[nodiscard]] std::unique_ptr<Instances> sparse_vectors(const Dataset& data, const View& view);
/// Both under the Laplacian kernel (kernel_laplacian.cpp, vectors.cpp).
[[nodiscard]] std::unique_ptr<Instances> laplacian_windows(const Dataset& data, const View& view);
[[nodiscard]] std::unique_ptr<Instances> laplacian_vectors(const Dataset& data, const View& view);
/// Windows under dynamic time warping (kernel_dtw.cpp) and the global alignment kernel (kernel_gak.cpp).
[[nodiscard]] std::unique_ptr<Instances> dtw_windows(const Dataset& data, const View& view);
[[nodiscard]] std::unique_ptr<Instances> gak_windows(const Dataset& data, const View& view);
/// Windows of symbols under the spectrum and the mismatch kernel (kernel_kmers.cpp).
[[nodiscard]] std::unique_ptr<Instances> kmer_windows(const Dataset& data, const View& view);
/// Windows of symbols under the subsequence kernel (kernel_subsequence.cpp).
[[nodiscard]] std::unique_ptr<Instances> subsequence_windows(const Dataset& data, const View& view);
/// Instances that are rows of a given matrix (kernel_gram.cpp).
[[nodiscard]] std::unique_ptr<Instances> gram_bags(const Dataset& data, const View& view);
/// Any instances under a caller's own similarity (kernel_custom.cpp).
[[nodiscard]] std::unique_ptr<Instances> custom_instances(const Dataset& data, const View& view);

}  // namespace shapeboost::detail
