#include "weft/long_transform.hpp"

#include <cmath>
#include <vector>

#include "exchange/agreement.hpp"
#include "kind/root_of_unity.hpp"
#include "weft/plan_array.hpp"
#include "weft/spectral_functions.hpp"

namespace weft {

namespace {

/// The divisor next to the square root, not above it.
Index fewer_factor(Index length) {
  auto factor = static_cast<Index>(std::sqrt(static_cast<double>(length)));
  while (length % factor != 0) --factor;
  return factor;
}

Problem part_of(const LongProblem& problem, Index rows, bool columns) {
  Problem part;
  part.shape = {rows, problem.length / rows};
  part.precision = problem.precision;
  part.norm = problem.norm;
  part.kinds = columns ? Kinds{c2c, none} : Kinds{none, c2c};
  part.input = slab_split(columns ? 0 : 1);
  part.output = slab_split(columns || problem.order == LongOrder::natural ? 1 : 0);
  if (!columns && problem.order == LongOrder::natural) part.output = part.output.with_order({1, 0});
  return part;
}

void check(const Communicator& comm, const LongProblem& problem) {
  agree_same(comm, std::to_string(problem.length), "length");
  agree_same(comm, std::to_string(static_cast<int>(problem.order)), "order");
  collectively(comm, [&] {
    if (problem.length < 1) {
      throw Error("length " + std::to_string(problem.length) + ": must be positive");
    }
    if (problem.order != LongOrder::natural && problem.order != LongOrder::transposed) {
      throw Error("order " + std::to_string(static_cast<int>(problem.order)) + " is unknown");
    }
  });
}

}  // namespace

class LongTransform::Implementation {
 public:
  Implementation(const Communicator& comm, const LongProblem& problem, const Options& options,
                 Index row_count)
      : columns(comm.get(), part_of(problem, row_count, true), options),
        rows(comm.get(), part_of(problem, row_count, false), options),
        length(problem.length),
        order(problem.order) {
    collectively(comm, [&] {
      const Index bytes =
          columns.output().allocation_size * (problem.precision == Precision::f32 ? 8 : 16);
      between = PlanMemory(columns, static_cast<std::size_t>(bytes));
      while (Index{1} << 2 * fine_bits < length) ++fine_bits;
      fine = roots(1, Index{1} << fine_bits);
      coarse = roots(Index{1} << fine_bits, length);
    });
  }

  /// exp(2 pi i e / n) for every step-th e below `end`.
  PlanArray<Complex<double>> roots(Index step, Index end) const {
    std::vector<Complex<double>> all;
    for (Index e = 0; e < end; e += step) {
      const auto root = static_cast<std::complex<double>>(root_of_unity(e, length));
      all.push_back({root.real(), root.imag()});
    }
    PlanArray<Complex<double>> copy(columns, static_cast<Index>(all.size()));
    copy.copy_from(all);
    return copy;
  }

  /// For numbers of type T between columns and rows.
  template <class T>
  void run(Direction direction, const detail::AnyArray& in, const detail::AnyArray& out) {
    const bool forward = direction == Direction::forward;
    T* const numbers = reinterpret_cast<T*>(between.data());
    const LibraryFunction twiddle(
        detail::functions::Twiddle{coarse.data(), fine.data(), fine_bits, forward},
        columns.info().device != "host");
    if (forward) {
      columns.forward(in, numbers, on_output(twiddle));
      rows.forward(numbers, out);
    } else {
      rows.backward(in, numbers);
      columns.backward(numbers, out, on_input(twiddle));
    }
  }

  Plan columns;
  Plan rows;
  Index length;
  LongOrder order;
  PlanMemory between;
  PlanArray<Complex<double>> coarse, fine;
  int fine_bits = 0;
};

LongTransform::LongTransform(MPI_Comm comm, const LongProblem& problem, const Options& options) {
  const Communicator own = Communicator::duplicate(comm);
  check(own, problem);
  const Index rows = fewer_factor(problem.length);
  implementation_ = std::make_unique<Implementation>(own, problem, options, rows);
}

LongTransform::~LongTransform() = default;
LongTransform::LongTransform(LongTransform&&) noexcept = default;
LongTransform& LongTransform::operator=(LongTransform&&) noexcept = default;

void LongTransform::run(Direction direction, const detail::AnyArray& in,
                        const detail::AnyArray& out) {
  // What does not fit is refused by the plan that the array is given to.
  if (implementation_->columns.input().type.precision == Precision::f32) {
    implementation_->run<std::complex<float>>(direction, in, out);
  } else {
    implementation_->run<std::complex<double>>(direction, in, out);
  }
}

Index LongTransform::begin() const {
  const LocalArray& array = implementation_->columns.input();
  return array.allocation_size == 0 ? 0
                                    : array.box.lower[0] * implementation_->columns.info().shape[1];
}
Index LongTransform::size() const {
  return implementation_->columns.input().allocation_size;
}
Index LongTransform::spectrum_size() const {
  return implementation_->rows.output().allocation_size;
}

int LongTransform::device_number() const {
  return implementation_->columns.info().device_number;
}

Index LongTransform::frequency(Index position) const {
  const LocalArray& array = implementation_->rows.output();
  const Extents& shape = implementation_->rows.info().shape;
  if (implementation_->order == LongOrder::natural) return array.box.lower[1] * shape[0] + position;
  return array.box.lower[0] + position / shape[1] + shape[0] * (position % shape[1]);
}

}  // namespace weft
