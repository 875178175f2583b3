// SPDX-License-Identifier: MIT
#include "learn/libsvm.hpp"

#include <atomic>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <new>
#include <string>
#include <string_view>

#include "ground/numbers.hpp"
#include "ground/stop.hpp"

namespace shapeboost {
namespace {

/// Largest violation of the optimality conditions; a tenth of libsvm's default, as labels depend on signs.
constexpr double kTolerance = 1e-4;

/// Most vectors whose kernel matrix is kept: 0.6 GB.
constexpr std::int64_t kFew = 6144;

/// Rows of a kernel matrix that are made at a time.
constexpr Eigen::Index kBlock = 64;

struct Destroy {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};

/// libsvm prints unless told otherwise, and can only be told for the whole process. It does so after every thousand steps on the
/// thread that trains, where it can be stopped: its caches are freed on the way, what it leaves behind is some hundred bytes a vector.
void be_quiet() {
  static const bool kQuiet = [] {
    svm_set_print_string_function([](const char*) { check_stop(); });
    return true;
  }();
  (void)kQuiet;
}

/// While one lives, what libsvm writes to stderr on this thread is heard here and does not come out: warnings go there
/// whatever libsvm was told. What other threads write meanwhile is passed on. Where stderr cannot be exchanged, nothing is heard.
class Overheard {
 public:
  Overheard() {
#ifdef __GLIBC__
    of_thread = &text_;
    const std::scoped_lock lock(mutex);
    if (inside == nullptr) {
      inside = fopencookie(nullptr, "w", {nullptr, &listen, nullptr, nullptr});
      if (inside != nullptr) std::setvbuf(inside, nullptr, _IONBF, 0);
    }
    if (inside != nullptr && listening++ == 0) {
      outside = stderr;
      stderr = inside;
    }
#endif
  }
  ~Overheard() {
#ifdef __GLIBC__
    of_thread = nullptr;
    const std::scoped_lock lock(mutex);
    if (inside != nullptr && --listening == 0) stderr = outside;
#endif
  }
  Overheard(const Overheard&) = delete;
  Overheard& operator=(const Overheard&) = delete;

  [[nodiscard]] bool has(std::string_view words) const { return text_.find(words) != std::string::npos; }

 private:
  std::string text_;
#ifdef __GLIBC__
  static ssize_t listen(void* /*cookie*/, const char* text, std::size_t size) {
    if (of_thread == nullptr) return static_cast<ssize_t>(std::fwrite(text, 1, size, outside));
    try {
      of_thread->append(text, size);
    } catch (const std::bad_alloc&) {  // a warning is lost
    }
    return static_cast<ssize_t>(size);
  }
  static inline std::mutex mutex;
  static inline int listening = 0;
  static inline FILE* inside = nullptr;
  static inline std::atomic<FILE*> outside = nullptr;
  static inline thread_local std::string* of_thread = nullptr;
#endif
};

}  // namespace

bool libsvm_knows(const Kernel& kernel) {
  const KernelKind kind = kernel.kind();
  return kind == KernelKind::gaussian || kind == KernelKind::linear || kind == KernelKind::polynomial;
}

std::int64_t libsvm_bytes(std::int64_t n, std::int64_t numbers, bool parts) {
  const std::int64_t few = n <= kFew || parts ? std::min(n, kFew) : 0;
  return (few * few + n * (numbers + 2)) * static_cast<std::int64_t>(sizeof(svm_node)) +
         n * (2 * numbers + kBlock) * static_cast<std::int64_t>(sizeof(double));
}

Libsvm::Libsvm(const Kernel& kernel, double positive_cost, double negative_cost, std::int64_t memory)
    : kernel_(kernel), affinity_(kernel), weights_{positive_cost, negative_cost} {
  constexpr double kMega = 1 << 20;
  parameter_.svm_type = C_SVC;
  parameter_.kernel_type = LINEAR;
  parameter_.gamma = 1.0;
  if (const auto* gaussian = kernel.as<kernels::Gaussian>()) {
    parameter_.kernel_type = RBF;
    parameter_.gamma = gaussian->sigma;
  }
  if (const auto* polynomial = kernel.as<kernels::Polynomial>()) {
    parameter_.kernel_type = POLY;
    parameter_.degree = polynomial->p;
    parameter_.coef0 = polynomial->c;
  }
  parameter_.cache_size = std::max(1.0, static_cast<double>(memory) / kMega);
  parameter_.eps = kTolerance;
  parameter_.C = 1.0;  // times the weights
  parameter_.nr_weight = 2;
  parameter_.shrinking = 1;
  be_quiet();
}

std::int64_t Libsvm::add(const Vector& x) {
  if (!nodes_.empty()) throw Error("libsvm: a vector was added after the first training");
  added_.push_back(x);
  return std::ssize(added_) - 1;
}

/// A vector's numbers, from 1 on, or its row of the kernel matrix behind its own number, which is libsvm's
/// form of a kernel that it need not compute.
void Libsvm::make_nodes() {
  const Eigen::Index n = std::ssize(added_);
  x_.resize(n, n == 0 ? 0 : added_.front().size());
  for (Eigen::Index i = 0; i < n; ++i) x_.row(i) = added_[at(i)].transpose();
  added_.clear();
  norm2_ = x_.rowwise().squaredNorm();
  if (n <= kFew) parameter_.kernel_type = PRECOMPUTED;
  for (Eigen::Index first = 0; first < n; first += kBlock) {
    const Eigen::Index rows = std::min(kBlock, n - first);
    const Matrix numbers =
        has_matrix() ? Matrix(x_.middleRows(first, rows) * x_.transpose()) : x_.middleRows(first, rows);
    for (Eigen::Index i = first; i < first + rows; ++i) {
      std::vector<svm_node>& nodes = nodes_.emplace_back();
      nodes.reserve(at(numbers.cols()) + 2);
      if (has_matrix()) nodes.push_back({0, static_cast<double>(i + 1)});
      for (Eigen::Index j = 0; j < numbers.cols(); ++j) {
        const double number = numbers(i - first, j);
        nodes.push_back(
            {static_cast<int>(j) + 1, has_matrix() ? similarity(norm2_[i], norm2_[j], number) : number});
      }
      nodes.push_back({-1, 0.0});
    }
  }
}

Vector Libsvm::scores(const Svm& svm, std::span<const std::int64_t> vectors, ThreadPool& threads) const {
  const Eigen::Index support = std::ssize(svm.support);
  Matrix z(has_matrix() ? 0 : support, x_.cols());
  for (Eigen::Index k = 0; k < z.rows(); ++k) z.row(k) = x_.row(svm.support[at(k)]);
  Vector f(std::ssize(vectors));
  threads.run((f.size() + kBlock - 1) / kBlock, [&](std::int64_t block) {
    const Eigen::Index first = block * kBlock;
    const Eigen::Index rows = std::min(kBlock, f.size() - first);
    Matrix dots;
    if (!has_matrix()) {
      Matrix x(rows, x_.cols());
      for (Eigen::Index i = 0; i < rows; ++i) x.row(i) = x_.row(vectors[at(first + i)]);
      dots = x * z.transpose();
    }
    for (Eigen::Index i = 0; i < rows; ++i) {
      const std::int64_t x = vectors[at(first + i)];
      double score = svm.b;
      for (Eigen::Index k = 0; k < support; ++k) {
        const std::int64_t number = svm.support[at(k)];
        const double value = has_matrix() ? nodes_[at(x)][at(number) + 1].value
                                          : similarity(norm2_[x], norm2_[number], dots(i, k));
        score += svm.alpha[at(k)] * value;
      }
      f[first + i] = score;
    }
  });
  return f;
}

Svm Libsvm::train(std::span<const std::int64_t> vectors, std::span<const int> y) {
  if (nodes_.empty()) make_nodes();
  std::vector<svm_node*> x;
  for (const std::int64_t k : vectors) x.push_back(nodes_[at(k)].data());
  std::vector<double> labels(y.begin(), y.end());
  const svm_problem problem{static_cast<int>(x.size()), labels.data(), x.data()};
  svm_parameter parameter = parameter_;
  parameter.weight_label = sides_;
  parameter.weight = weights_;
  if (const char* fault = svm_check_parameter(&problem, &parameter); fault != nullptr) {
    throw Error(std::string("libsvm: ") + fault);
  }
  const Overheard overheard;
  const std::unique_ptr<svm_model, Destroy> model(svm_train(&problem, &parameter));
  // Its score is for whichever label came first.
  const double sign = model->label[0] > 0 ? 1.0 : -1.0;
  Svm svm;
  svm.exact = !overheard.has("reaching max number of iterations");
  svm.b = -sign * model->rho[0];
  for (int k = 0; k < model->l; ++k) {
    svm.support.push_back(vectors[at(model->sv_indices[k]) - 1]);
    svm.alpha.push_back(sign * model->sv_coef[0][k]);
  }
  if (!std::isfinite(svm.b)) throw Error("libsvm: the offset is not finite");
  return svm;
}

}  // namespace shapeboost
