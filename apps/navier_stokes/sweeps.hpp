#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "modes.hpp"

#if defined(__HIPCC__)
#include <hip/hip_runtime.h>
#elif defined(__CUDACC__)
#include <cuda_runtime.h>
#endif

namespace weft::navier_stokes {

/// Loops over modes or points where a plan works: by threads of the host, or by those of a GPU.
/// They must be in files that are compiled for it. Work on a GPU is put into the default stream, as
/// that of the plan is.
class Sweeps {
 public:
  explicit Sweeps(const Plan& plan)
      : plan_(plan),
        threads_(plan.info().threads),
        on_gpu_(plan.info().device != "host" && plan.info().device != "emulated") {}

  /// Calls work(i) for i = 0 ... count - 1 in any order.
  template <class Work>
  void for_each(Index count, const Work& work) const;

  /// Calls work(mode) for every mode.
  template <class Work>
  void for_each_mode(const ModeGrid& grid, const Work& work) const;

  /// Sums the N numbers term(mode) over the modes of this rank, in an order that does not depend on
  /// threads: continued runs are to repeat every bit.
  template <std::size_t N, class Term>
  std::array<double, N> sum_over_modes(const ModeGrid& grid, const Term& term);

  /// Adds term(mode) to the sum of each mode's shell, of the first shells; likewise.
  template <class Term>
  std::vector<double> sum_over_shells(const ModeGrid& grid, std::size_t shells, const Term& term);

  /// The largest of value(i), i = 0 ... count - 1, and 0; not a number where any is none.
  template <class Value>
  double largest(Index count, const Value& value);

  /// Waits for the end of all loops.
  void wait() { numbers_of_host(1); }

 private:
  /// Loops that make one number of many are cut into so many parts, for the threads of a GPU.
  static constexpr Index most_parts = 65536;
  /// Numbers that may be brought to the host at a time.
  static constexpr Index most_numbers = Index{1} << 22;

  /// Memory for so many numbers where the plan works.
  double* numbers(Index count) {
    if (numbers_.size() < static_cast<std::size_t>(count)) {
      numbers_ = PlanArray<double>();
      numbers_ = PlanArray<double>(plan_, count);
    }
    return numbers_.data();
  }
  /// The first of them.
  std::vector<double> numbers_of_host(Index count) {
    numbers(count);
    std::vector<double> result(static_cast<std::size_t>(count));
    numbers_.copy_to(result);
    return result;
  }

  const Plan& plan_;
  int threads_;
  bool on_gpu_;
  PlanArray<double> numbers_;
};

/// @cond
/// Parts of loops, as objects that are copied to the device.
template <class Work>
struct OneMode {
  ModeGrid grid;
  Work work;
  WEFT_HOST_DEVICE void operator()(Index number) const { work(grid.at(number)); }
};
template <class Work>
struct OneRow {
  ModeGrid grid;
  Work work;
  WEFT_HOST_DEVICE void operator()(Index row) const {
    for (Index k = 0; k < grid.extent[2]; ++k) work(grid.at(row, k));
  }
};
/// Modes part, part + step, ...; on the host those of a row.
template <std::size_t N, class Term>
struct PartOfSum {
  ModeGrid grid;
  Term term;
  bool by_rows;
  Index step;
  double* sums;
  WEFT_HOST_DEVICE void operator()(Index part) const {
    double sum[N] = {};
    const Index begin = by_rows ? part * grid.extent[2] : part;
    const Index end = by_rows ? begin + grid.extent[2] : grid.count();
    for (Index number = begin; number < end; number += step) {
      const std::array<double, N> more = term(grid.at(number));
      for (std::size_t n = 0; n < N; ++n) sum[n] += more[n];
    }
    for (std::size_t n = 0; n < N; ++n)
      sums[part * static_cast<Index>(N) + static_cast<Index>(n)] = sum[n];
  }
};
template <class Term>
struct ShellsOfRow {
  ModeGrid grid;
  Term term;
  Index first_row;
  Index shells;
  double* sums;
  WEFT_HOST_DEVICE void operator()(Index row) const {
    double* const sum = sums + row * shells;
    for (Index shell = 0; shell < shells; ++shell) sum[shell] = 0;
    for (Index k = 0; k < grid.extent[2]; ++k) {
      const Mode mode = grid.at(first_row + row, k);
      const auto shell = static_cast<Index>(mode.shell());
      if (shell < shells) sum[shell] += term(mode);
    }
  }
};
/// The larger one; what is not a number is larger than all others.
WEFT_HOST_DEVICE inline double larger(double a, double b) {
  return a != a || b <= a ? a : b;
}
template <class Value>
struct PartOfLargest {
  Value value;
  Index count;
  Index parts;
  double* largest;
  WEFT_HOST_DEVICE void operator()(Index part) const {
    double most = 0;
    for (Index i = part; i < count; i += parts) most = larger(most, value(i));
    largest[part] = most;
  }
};

#if defined(__CUDACC__) || defined(__HIPCC__)
template <class Work>
__global__ void call_for_each(Index count, const Work work) {
  const Index step = Index{gridDim.x} * blockDim.x;
  for (Index i = Index{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) work(i);
}
#endif
/// @endcond

template <class Work>
void Sweeps::for_each(Index count, const Work& work) const {
  if (count == 0) return;
#if defined(__CUDACC__) || defined(__HIPCC__)
  if (on_gpu_) {
    constexpr Index threads = 256, most_ctas = Index{1} << 20;
    const Index ctas = std::min((count + threads - 1) / threads, most_ctas);
    call_for_each<<<static_cast<unsigned>(ctas), static_cast<unsigned>(threads)>>>(count, work);
#if defined(__HIPCC__)
    if (const auto code = hipGetLastError(); code != hipSuccess)
      throw Error(hipGetErrorString(code));
#else
    if (const auto code = cudaGetLastError(); code != cudaSuccess) {
      throw Error(cudaGetErrorString(code));
    }
#endif
    return;
  }
#endif
#pragma omp parallel for num_threads(threads_)
  for (Index i = 0; i < count; ++i) work(i);
}

template <class Work>
void Sweeps::for_each_mode(const ModeGrid& grid, const Work& work) const {
  if (on_gpu_) {
    for_each(grid.count(), OneMode<Work>{grid, work});
  } else {
    for_each(grid.rows(), OneRow<Work>{grid, work});
  }
}

template <std::size_t N, class Term>
std::array<double, N> Sweeps::sum_over_modes(const ModeGrid& grid, const Term& term) {
  const Index parts = on_gpu_ ? std::min(grid.count(), most_parts) : grid.rows();
  double* const sums = numbers(parts * static_cast<Index>(N));
  for_each(parts, PartOfSum<N, Term>{grid, term, !on_gpu_, on_gpu_ ? parts : 1, sums});
  const std::vector<double> all = numbers_of_host(parts * static_cast<Index>(N));
  std::array<double, N> total{};
  for (std::size_t i = 0; i < all.size(); ++i) total[i % N] += all[i];
  return total;
}

template <class Term>
std::vector<double> Sweeps::sum_over_shells(const ModeGrid& grid, std::size_t shells,
                                            const Term& term) {
  std::vector<double> total(shells, 0.0);
  if (grid.count() == 0) return total;
  const auto width = static_cast<Index>(shells);
  const Index rows_at_once = std::max<Index>(most_numbers / width, 1);
  for (Index first = 0; first < grid.rows(); first += rows_at_once) {
    const Index rows = std::min(rows_at_once, grid.rows() - first);
    for_each(rows, ShellsOfRow<Term>{grid, term, first, width, numbers(rows * width)});
    const std::vector<double> all = numbers_of_host(rows * width);
    for (std::size_t i = 0; i < all.size(); ++i) total[i % shells] += all[i];
  }
  return total;
}

template <class Value>
double Sweeps::largest(Index count, const Value& value) {
  const Index parts = std::min(count, most_parts);
  for_each(parts, PartOfLargest<Value>{value, count, parts, numbers(parts)});
  double most = 0;
  for (const double next : numbers_of_host(parts)) most = larger(most, next);
  return most;
}

}  // namespace weft::navier_stokes
