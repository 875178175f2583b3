// SPDX-License-Identifier: MIT
// Similarities that the caller brings: a Gram matrix, or a function.
#include "data/gram.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "shapeboost/model.hpp"
#include "shapeboost/predictor.hpp"
#include "shapeboost/synthetic.hpp"
#include "shapeboost/trainer.hpp"
#include "support/examples.hpp"
#include "support/matrices.hpp"
#include "support/tolerances.hpp"
#include "view/instances.hpp"

namespace shapeboost {
namespace {

using examples::sentence;

constexpr double kSigma = 0.2;

double gaussian(std::span<const double> x, std::span<const double> z) {
  double distance = 0.0;
  for (std::size_t f = 0; f < x.size(); ++f) distance += (x[f] - z[f]) * (x[f] - z[f]);
  return std::exp(-kSigma * distance);
}

/// Bags, the same as rows of a matrix, and that matrix.
struct Twin {
  Dataset bags{DataKind::bags};
  Dataset rows{DataKind::bags};
  GramMatrix gram;
};

GramMatrix shared(const Matrix& gram) { return std::make_shared<const SymmetricMatrix>(array_of(gram)); }

Twin twin() {
  Twin result;
  result.bags = planted_bags({.examples = 24, .length = 6, .features = 3, .noise = 0.4}).data;
  std::vector<std::vector<double>> vectors;
  for (std::int64_t i = 0; i < result.bags.size(); ++i) {
    const MatrixView bag = mapped(result.bags.values(i));
    Matrix numbers(bag.rows(), 1);
    for (Eigen::Index j = 0; j < bag.rows(); ++j) {
      numbers(j, 0) = static_cast<double>(vectors.size());
      vectors.emplace_back(bag.row(j).begin(), bag.row(j).end());
    }
    add(result.rows, numbers, result.bags.classes()[static_cast<std::size_t>(result.bags.label(i))],
        result.bags.name(i));
  }
  const auto n = static_cast<Eigen::Index>(vectors.size());
  Matrix gram(n, n);
  for (Eigen::Index x = 0; x < n; ++x) {
    for (Eigen::Index z = 0; z < n; ++z) {
      gram(x, z) = gaussian(vectors[static_cast<std::size_t>(x)], vectors[static_cast<std::size_t>(z)]);
    }
  }
  result.gram = shared(gram);
  return result;
}

TrainSettings settings_for(KernelKind kind, Weak weak = Weak::sparse) {
  TrainSettings settings;
  settings.members = 1;
  settings.standardise = false;
  settings.boosting.weak = weak;
  settings.kernel = {kind, kSigma};
  return settings;
}

/// Few rounds give the same scores. In many, rounding decides between hypotheses of the same edge, and the
/// two part; but single instances have one optimum, and both end within a gap of 1% of it.
void expect_same_training(const Dataset& data, TrainSettings settings, const Dataset& other,
                          TrainSettings other_settings) {
  settings.boosting.refine = other_settings.boosting.refine = Refine::no;
  const Model full = train(data, settings).model;
  const Model other_full = train(other, other_settings).model;
  settings.boosting.refine = other_settings.boosting.refine = Refine::yes;
  EXPECT_GT(full.parts[0].gamma, 0.01);
  EXPECT_NEAR(other_full.parts[0].gamma, full.parts[0].gamma, 0.03 * full.parts[0].gamma);
  settings.boosting.max_rounds = other_settings.boosting.max_rounds = 3;
  const Scores expected = scores(train(data, settings).model, data, 1);
  const Scores found = scores(train(other, other_settings).model, other, 1);
  EXPECT_GT(mapped(expected.parts).cwiseAbs().maxCoeff(), 0.01);
  EXPECT_LT((mapped(expected.parts) - mapped(found.parts)).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Gram, Training_GivesTheScoresOfItsKernel) {
  const Twin t = twin();
  for (const Weak weak : {Weak::sparse, Weak::ball}) {
    TrainSettings settings = settings_for(KernelKind::gram, weak);
    settings.standardise = true;  // rows have no mean
    settings.kernel.gram = t.gram;
    expect_same_training(t.bags, settings_for(KernelKind::gaussian, weak), t.rows, settings);
  }
}

TEST(Gram, ModelFile_NamesTheMatrix_AndWantsIt) {
  const Twin t = twin();
  TrainSettings settings = settings_for(KernelKind::gram);
  settings.kernel.gram = t.gram;
  settings.kernel.gram_file = "G.csv";
  const Model model = train(t.rows, settings).model;
  Model loaded = model_from_json(to_json(model), "m");
  EXPECT_EQ(sentence([&] { (void)scores(loaded, t.rows, 1); }),
            "kernel: the Gram matrix 'G.csv' is needed and not there");
  const auto small = shared(Matrix::Identity(1, 1));
  EXPECT_TRUE(sentence([&] { attach_gram(loaded, small); }).starts_with("Gram matrix: the model names row "));
  attach_gram(loaded, t.gram);
  EXPECT_EQ(scores(loaded, t.rows, 1).parts, scores(model, t.rows, 1).parts);

  Model other = train(t.bags, settings_for(KernelKind::linear)).model;
  EXPECT_EQ(sentence([&] { attach_gram(other, t.gram); }),
            "Gram matrix: the model was trained without one; leave it out");
  EXPECT_EQ(sentence([&] { attach_gram(loaded, shared(Matrix::Ones(2, 3))); }),
            "Gram matrix: expected a square matrix, found 2 rows and 3 columns");
}

TEST(Gram, MatricesInMemory_AreCheckedAsFilesAre) {
  Matrix good(2, 2);
  good << 1.0, 0.5, 0.5 + 1e-12, 1.0;
  const Array<double> symmetric = symmetric_gram(array_of(good), "gram");
  EXPECT_EQ(symmetric(0, 1), symmetric(1, 0));

  Matrix skew = good;
  skew(1, 0) = 0.6;
  Matrix gap = good;
  gap(0, 1) = NAN;
  Matrix endless = good;
  endless(1, 1) = INFINITY;
  const std::vector<std::pair<Matrix, std::string>> faults{
      {Matrix::Ones(2, 3), "expected a square matrix, found 2 rows and 3 columns"},
      {Matrix(0, 0), "expected a square matrix, found 0 rows and 0 columns"},
      {skew, "expected a symmetric matrix, found 0.5 in row 1, column 2 but 0.6 in row 2, column 1"},
      {gap, "expected finite numbers, found nan in row 1, column 2"},
      {endless, "expected finite numbers, found inf in row 2, column 2"}};
  TrainSettings settings = settings_for(KernelKind::gram, Weak::ball);
  for (const auto& [matrix, fault] : faults) {
    EXPECT_EQ(sentence([&] { (void)symmetric_gram(array_of(matrix), "gram"); }), "gram: " + fault);
    settings.kernel.gram = shared(matrix);
    EXPECT_EQ(validate(settings), "gram: " + fault);
  }
}

TEST(Gram, Rows_MustBeRowsOfTheMatrix) {
  Dataset data(DataKind::bags);
  add(data, Matrix::Constant(1, 1, 0.0), "a", "first");
  View view;
  view.kind = DataKind::bags;
  view.kernel = kernels::Gram{nullptr, "G.csv"};
  EXPECT_EQ(sentence([&] { (void)make_instances(data, view); }),
            "kernel: the Gram matrix 'G.csv' is needed and not there");
  view.kernel.as<kernels::Gram>()->matrix = shared(Matrix::Identity(3, 3));
  EXPECT_EQ(make_instances(data, view)->size(), 1);
  for (const double bad : {3.0, -1.0, 0.5}) {
    Dataset spoilt = data;
    add(spoilt, Matrix::Constant(1, 1, bad), "b", "second");
    const std::string complaint = sentence([&] { (void)make_instances(spoilt, view); });
    EXPECT_TRUE(
        complaint.starts_with("example second: expected the number of a row of the Gram matrix "
                              "'G.csv', a whole number 0 to 2, found "))
        << complaint;
  }
  Dataset wide(DataKind::bags);
  add(wide, Matrix::Constant(1, 2, 0.0), "a", "1");
  view.width = 2;
  EXPECT_EQ(sentence([&] { (void)make_instances(wide, view); }),
            "kernel: a Gram matrix needs bags with one feature, the number of a row, found bags of 2");
}

TEST(Gram, Ball_RefusesAnIndefiniteMatrix) {
  TrainSettings settings = settings_for(KernelKind::gram, Weak::ball);
  Matrix gram(2, 2);
  gram << 1.0, 2.0, 2.0, 1.0;  // eigenvalues 3 and -1
  settings.kernel.gram = shared(gram);
  settings.kernel.gram_file = "G.csv";
  EXPECT_EQ(validate(settings),
            "weak: the ball needs a positive semi-definite kernel, which the Gram matrix 'G.csv' is not; "
            "sparse takes any similarity");
  settings.boosting.weak = Weak::sparse;
  EXPECT_EQ(validate(settings), "");
  gram << 1.0, 1.0, 1.0, 1.0;  // eigenvalues 2 and 0
  settings.boosting.weak = Weak::ball;
  settings.kernel.gram = shared(gram);
  EXPECT_EQ(validate(settings), "");
}

TEST(Gram, LargeMatrices_AreJudgedByCholesky) {
  Matrix gram = Matrix::Ones(2001, 2001);  // of rank 1
  EXPECT_TRUE(is_positive_semidefinite(viewed(gram)));
  gram(7, 7) = 0.5;
  EXPECT_FALSE(is_positive_semidefinite(viewed(gram)));
  EXPECT_TRUE(is_positive_semidefinite(viewed(Matrix::Zero(3, 3))));
  EXPECT_FALSE(is_positive_semidefinite(viewed(-Matrix::Identity(3, 3))));
  SymmetricMatrix asked(array_of(Matrix::Identity(3, 3)));
  EXPECT_TRUE(asked.positive_semidefinite());
  asked(0, 0) = -1.0;  // which nobody may do to a matrix in use: the eigenvalues are computed once
  EXPECT_TRUE(asked.positive_semidefinite());
}

TEST(Gram, Reader_TakesAnySeparator) {
  Matrix expected(2, 2);
  expected << 1.0, 0.25, 0.25, 2.0;
  for (const char* text :
       {"1,0.25\n0.25,2\n", "1\t0.25\r\n0.25\t2", "\n1  0.25\n\n0.25 2\n", "1;0.25\n0.25;2"}) {
    EXPECT_EQ(mapped(parse_gram(text, "G")), expected);
  }
  const Array<double> rounded = parse_gram("1,0.3\n0.3000000000001,1", "G");
  EXPECT_EQ(rounded(0, 1), rounded(1, 0));
}

TEST(Gram, Reader_SaysWhatIsWrong) {
  const auto complaint = [](const char* text) { return sentence([&] { (void)parse_gram(text, "G.csv"); }); };
  EXPECT_EQ(complaint(" \n"), "G.csv: the file is empty; expected a square matrix");
  EXPECT_EQ(complaint("1,2\n2\n"),
            "G.csv, line 2: expected a square matrix of 2 rows and columns as in the first line, found 1 "
            "numbers");
  EXPECT_EQ(
      complaint("1,2\n2,1\n0,0\n"),
      "G.csv, line 3: expected a square matrix of 2 rows and columns as in the first line, found row 3");
  EXPECT_EQ(complaint("1,2\n"), "G.csv: expected a square matrix of 2 rows, found only 1");
  EXPECT_EQ(complaint("1,2\n2,x\n"), "G.csv, line 2, column 2: expected a finite number, found 'x'");
  EXPECT_EQ(complaint("1,nan\n2,1\n"), "G.csv, line 1, column 2: expected a finite number, found 'nan'");
  EXPECT_EQ(complaint("1,2,3\n2,1,5\n3,4,1\n"),
            "G.csv: expected a symmetric matrix, found 5 in row 2, column 3 but 4 in row 3, column 2");
  EXPECT_NE(sentence([] { (void)read_gram("no/such/file.csv"); }).find("no/such/file.csv"),
            std::string::npos);
}

TEST(Similarity, Gaussian_GivesTheScoresOfTheKernel) {
  const Twin t = twin();
  const SyntheticData series = planted_series({.examples = 16, .length = 40});
  for (const Dataset* data : {&t.bags, &series.data}) {
    TrainSettings plain = settings_for(KernelKind::gaussian);
    plain.lengths = {8};
    plain.normalisations = {Normalisation::z};
    plain.standardise = true;
    TrainSettings custom = plain;
    custom.kernel = {KernelKind::custom};
    custom.kernel.similarity = gaussian;
    custom.kernel.name = "mine";
    expect_same_training(*data, plain, *data, custom);
  }
}

TEST(Similarity, MayBeIndefinite_ButNotForTheBall) {
  const SyntheticData set = planted_sequences({.examples = 30, .length = 40});
  TrainSettings settings;
  settings.members = 1;
  settings.lengths = {10};
  settings.kernel = {KernelKind::custom};
  settings.kernel.name = "agreement";
  // The places where two windows agree beyond six, or fall short of it: -0.5 where nothing agrees.
  settings.kernel.similarity = [](std::span<const double> x, std::span<const double> z) {
    double sum = -0.6;
    for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] == z[k] ? 0.1 : 0.0;
    return sum;
  };
  const Model model = train(set.data, settings).model;
  const std::vector<int> found = predictions(model, scores(model, set.data, 1));
  EXPECT_EQ(found, labels_for(model, set.data));
  settings.boosting.weak = Weak::ball;
  EXPECT_EQ(validate(settings),
            "weak: the ball needs a positive semi-definite kernel, which custom is not; sparse takes any "
            "similarity");
  settings.kernel.claims_psd = true;
  EXPECT_EQ(validate(settings), "");
}

TEST(Similarity, ModelFile_NamesTheFunction_AndWantsIt) {
  const Twin t = twin();
  TrainSettings settings = settings_for(KernelKind::custom);
  settings.kernel.similarity = gaussian;
  settings.kernel.name = "mine";
  settings.kernel.claims_psd = true;
  const Model model = train(t.rows, settings).model;
  Model loaded = model_from_json(to_json(model), "m");
  EXPECT_EQ(to_json(loaded), to_json(model));
  EXPECT_EQ(sentence([&] { (void)scores(loaded, t.rows, 1); }),
            "kernel: the similarity 'mine' is needed and not there");
  EXPECT_EQ(sentence([&] { attach_similarity(loaded, "yours", gaussian); }),
            "similarity 'yours': the model wants 'mine'");
  EXPECT_EQ(sentence([&] { attach_similarity(loaded, "mine", {}); }),
            "similarity 'mine': expected a function");
  attach_similarity(loaded, "mine", gaussian);
  EXPECT_EQ(scores(loaded, t.rows, 1).parts, scores(model, t.rows, 1).parts);
}

TEST(Similarity, MustBeFinite) {
  const Twin t = twin();
  TrainSettings settings = settings_for(KernelKind::custom);
  settings.kernel.name = "mine";
  settings.kernel.similarity = [](std::span<const double>, std::span<const double>) { return std::nan(""); };
  EXPECT_EQ(sentence([&] { (void)train(t.bags, settings); }),
            "similarity 'mine': expected a finite number, found nan");
  settings.kernel.similarity = {};
  EXPECT_EQ(sentence([&] { (void)train(t.bags, settings); }),
            "kernel: the similarity 'mine' is needed and not there");
}

}  // namespace
}  // namespace shapeboost
