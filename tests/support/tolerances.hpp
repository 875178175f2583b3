// SPDX-License-Identifier: MIT
// How near is near: one table for the tests of the core, each with its reason.
#pragma once

namespace shapeboost::tolerance {

/// The same sum in another order, numbers of about 1.
inline constexpr double kRounding = 1e-10;
/// Inner products by recurrence along a diagonal, or |x - z|^2 as |x|^2 + |z|^2 - 2 x.z: digits cancel.
inline constexpr double kCancellation = 1e-8;
/// The table of single instances is in single precision.
inline constexpr double kSinglePrecision = 2e-6;
/// A linear program's answer, certified to 1e-8 by the solver.
inline constexpr double kLinearProgram = 1e-7;
/// OP 2's convex problems agree with the program that has every row (the promise of the project).
inline constexpr double kSparse = 1e-6;
/// OP 1's convex problems agree with the interior point method (the promise of the project).
inline constexpr double kBall = 1e-5;
/// Our margin may lie this share below the twin's: we stop at a gap of 1%.
inline constexpr double kMarginShare = 0.01;
/// On the same few candidates both may end in another local optimum of the DC algorithm: neither is better by
/// right, but neither may be left far behind.
inline constexpr double kLocalOptimum = 0.05;

}  // namespace shapeboost::tolerance
