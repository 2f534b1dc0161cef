#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "weft/plan.hpp"

namespace weft::navier_stokes {

/// One mode exp(i k x) of a real field in the box of lengths 2 pi.
struct Mode {
  Index offset;             ///< of its coefficient in this rank's arrays
  std::array<double, 3> k;  ///< wavenumbers
  double k2;                ///< k * k
  double weight;            ///< modes it stands for: 2 where that of -k is not stored

  /// Number of the shell that it belongs to, k - 1/2 <= |k| < k + 1/2.
  std::size_t shell() const { return static_cast<std::size_t>(std::lround(std::sqrt(k2))); }
};

/// The modes that this rank owns in the spectral space of a plan (r2c of the last axis).
class Modes {
 public:
  explicit Modes(const Plan& plan);

  /// Wavenumbers along an axis, by the index in the global array.
  const std::vector<double>& wavenumbers(int axis) const {
    return wavenumbers_[static_cast<std::size_t>(axis)];
  }
  /// Number of shells of the plan, on all ranks.
  std::size_t shells() const { return shells_; }

  /// Calls work(mode) for every mode, threads sharing the rows.
  template <class Work>
  void for_each(const Work& work) const {
#pragma omp parallel for collapse(2) num_threads(threads_)
    for (Index i = box_.lower[0]; i < box_.upper[0]; ++i) {
      for (Index j = box_.lower[1]; j < box_.upper[1]; ++j) in_row(i, j, work);
    }
  }

  /// The same in one thread.
  template <class Work>
  void in_order(const Work& work) const {
    for (Index i = box_.lower[0]; i < box_.upper[0]; ++i) {
      for (Index j = box_.lower[1]; j < box_.upper[1]; ++j) in_row(i, j, work);
    }
  }

  /// Sums the N numbers term(mode) over the modes of this rank, in an order that does not depend on
  /// threads: continued runs are to repeat every bit.
  template <std::size_t N, class Term>
  std::array<double, N> sum(const Term& term) const {
    std::vector<std::array<double, N>> rows(
        static_cast<std::size_t>(box_.extent(0) * box_.extent(1)));
#pragma omp parallel for collapse(2) num_threads(threads_)
    for (Index i = box_.lower[0]; i < box_.upper[0]; ++i) {
      for (Index j = box_.lower[1]; j < box_.upper[1]; ++j) {
        std::array<double, N> row{};
        in_row(i, j, [&](const Mode& mode) { add(row, term(mode)); });
        rows[static_cast<std::size_t>((i - box_.lower[0]) * box_.extent(1) + j - box_.lower[1])] =
            row;
      }
    }
    std::array<double, N> total{};
    for (const auto& row : rows) add(total, row);
    return total;
  }

 private:
  template <std::size_t N>
  static void add(std::array<double, N>& total, const std::array<double, N>& more) {
    for (std::size_t n = 0; n < N; ++n) total[n] += more[n];
  }

  template <class Work>
  void in_row(Index i, Index j, const Work& work) const {
    const double x = wavenumbers_[0][static_cast<std::size_t>(i)];
    const double y = wavenumbers_[1][static_cast<std::size_t>(j)];
    Index at = first_ + (i - box_.lower[0]) * strides_[0] + (j - box_.lower[1]) * strides_[1];
    for (Index k = box_.lower[2]; k < box_.upper[2]; ++k, at += strides_[2]) {
      const double z = wavenumbers_[2][static_cast<std::size_t>(k)];
      work(Mode{at, {x, y, z}, x * x + y * y + z * z, z > 0 ? 2.0 : 1.0});
    }
  }

  Box box_;
  Strides strides_;
  Index first_;
  int threads_;
  std::array<std::vector<double>, 3> wavenumbers_;
  std::size_t shells_;
};

}  // namespace weft::navier_stokes
