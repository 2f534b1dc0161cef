#include "weft/shell_spectrum.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <complex>
#include <cstdio>
#include <limits>
#include <numbers>
#include <optional>

#include "exchange/agreement.hpp"
#include "geometry/cursor.hpp"
#include "kind/kind.hpp"
#include "spectral/box_lengths.hpp"
#include "spectral/host_array.hpp"

namespace weft {

namespace {

std::string text_of(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", number);
  return text;
}

/// Modes exp(i k x) that a coefficient stands for; its own cosine or sine wave is two of them.
double modes_of(Kind kind, Index coefficient, Index n, bool orthogonal) {
  const KindTraits& of = traits(kind);
  if (!of.transforms || kind == Kind::c2c) return 1;
  const bool stands_alone = of.wavenumber(coefficient, n) == 0 || coefficient == of.nyquist(n);
  // With orthogonal matrices such coefficients are smaller by a factor sqrt(2).
  return stands_alone && !(orthogonal && of.keeps_real) ? 1 : 2;
}

/// That are made of axes with fewer modes.
constexpr Index most_shells = Index{1} << 22;

/// Which shell each coefficient belongs to, and what it counts there.
class Shells {
 public:
  Shells(const PlanInfo& info, std::span<const double> lengths, double width);

  double width() const { return width_; }
  std::size_t count() const { return count_; }
  /// Squares of the wavenumbers of all coefficients along an axis, in widths.
  const double* squares(int axis) const { return squares_[static_cast<std::size_t>(axis)].data(); }
  const double* modes(int axis) const { return modes_[static_cast<std::size_t>(axis)].data(); }
  std::size_t shell_of(double square) const {
    // Sums of squares are rounded in another order than those of the highest mode.
    return std::min(static_cast<std::size_t>(std::lround(std::sqrt(square))), count_ - 1);
  }

 private:
  double width_;
  std::size_t count_;
  std::vector<std::vector<double>> squares_, modes_;  // by axis and coefficient
};

Shells::Shells(const PlanInfo& info, std::span<const double> lengths, double width)
    : width_(width) {
  const int axes = info.kinds.size();
  check_box_lengths(lengths, axes);
  if (!(width >= 0) || !std::isfinite(width)) {
    throw Error("width " + text_of(width) + " of shells: must be positive and finite, or 0");
  }
  const Extents extents = spectral_shape(info.shape, info.kinds, info.modes);
  std::vector<double> steps;  // from one wavenumber to the next
  double smallest = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < axes; ++axis) {
    const Kind kind = info.kinds[axis];
    if (info.orthogonal && (kind == Kind::dct1 || kind == Kind::dct3 || kind == Kind::dst3)) {
      throw Error("shell spectrum of " + to_string(kind) +
                      " with orthogonal matrices: it transforms the field with other values at the "
                      "borders; plan with orthogonalize = false",
                  ErrorCode::unsupported);
    }
    const double turns = traits(kind).keeps_real ? 1 : 2;
    steps.push_back(turns * std::numbers::pi / lengths[static_cast<std::size_t>(axis)]);
    if (traits(kind).transforms && extents[axis] > 1) smallest = std::min(smallest, steps.back());
  }
  if (width_ == 0) width_ = std::isfinite(smallest) ? smallest : 1;
  double highest = 0;
  Index longest = 0;
  for (int axis = 0; axis < axes; ++axis) {
    const Kind kind = info.kinds[axis];
    const Index n = (kind == Kind::c2c ? info.modes : info.shape)[axis];
    const double step = steps[static_cast<std::size_t>(axis)] / width_;
    auto& squares = squares_.emplace_back();
    auto& modes = modes_.emplace_back();
    for (Index i = 0; i < extents[axis]; ++i) {
      const double k = step * wavenumber(kind, i, n);
      squares.push_back(k * k);
      modes.push_back(modes_of(kind, i, n, info.orthogonal));
    }
    highest += *std::max_element(squares.begin(), squares.end());
    longest = std::max(longest, extents[axis]);
  }
  const double count = std::round(std::sqrt(highest)) + 1;
  // MPI sums them in one call. Many more than modes along an axis, of a width that was mistaken,
  // would not fit in memory.
  const Index most = std::min<Index>(std::max(most_shells, 4 * longest), INT_MAX);
  if (!(count <= static_cast<double>(most))) {
    throw Error("width " + text_of(width_) + " of shells: makes " + text_of(count) +
                " shells, more than " + std::to_string(most));
  }
  count_ = static_cast<std::size_t>(count);
}

/// What sums of squares of coefficients have to be multiplied with.
double energy_factor(const PlanInfo& info) {
  const Index points = logical_points(info.shape, info.kinds);
  const double amplitude =
      1 / (static_cast<double>(points) * scale_factor(info.norm, Direction::forward, points));
  double factor = amplitude * amplitude / 2;
  for (int axis = 0; axis < info.kinds.size(); ++axis) {
    if (!traits(info.kinds[axis]).transforms) factor /= static_cast<double>(info.shape[axis]);
  }
  return factor;
}

double squared(double value) {
  return value * value;
}
template <class Real>
double squared(const std::complex<Real>& value) {
  return squared(value.real()) + squared(value.imag());
}

/// Rows of coefficients of this rank along the axis on which they lie closest, row by row.
class SpectralRows {
 public:
  SpectralRows(const LocalArray& array, Index batch) : array_(array), batch_(batch) {
    const Box& box = array.box;
    for (int axis = 0; axis < box.axes(); ++axis) {
      const bool closer = box.extent(axis) > 1 && array.strides[axis] < array.strides[along_];
      if (closer || box.extent(along_) == 1) along_ = axis;
    }
    for (int axis = 0; axis < box.axes(); ++axis) {
      if (axis == along_) continue;
      loops_.push_back({box.extent(axis), {array.strides[axis]}});
      others_.push_back(axis);
      count_ *= box.extent(axis);
    }
  }

  Index count() const { return count_; }
  Index length() const { return array_.box.extent(along_); }

  /// Adds the squares of some rows of the fields to the sums of their shells.
  template <class T>
  void add(std::span<const HostArray> fields, const Shells& shells, Index begin, Index end,
           std::span<std::size_t> shell_of, double* sums) const {
    const Index stride = array_.strides[along_];
    const double* const squares_along = shells.squares(along_) + array_.box.lower[along_];
    const double* const modes_along = shells.modes(along_) + array_.box.lower[along_];
    Cursor<1> row(loops_, begin);
    for (Index number = begin; number < end; ++number, row.advance()) {
      double square = 0, modes = 1;
      for (int i = 0; i < others_.size(); ++i) {
        const Index coefficient = array_.box.lower[others_[i]] + row.at()[i];
        square += shells.squares(others_[i])[coefficient];
        modes *= shells.modes(others_[i])[coefficient];
      }
      for (std::size_t i = 0; i < shell_of.size(); ++i) {
        shell_of[i] = shells.shell_of(square + squares_along[i]);
      }
      for (const HostArray& field : fields) {
        for (Index member = 0; member < batch_; ++member) {
          const T* value = reinterpret_cast<const T*>(field.data()) + array_.offset + row[0];
          if (batch_ > 1) value += member * array_.strides[array_.box.axes()];
          for (std::size_t i = 0; i < shell_of.size(); ++i, value += stride) {
            sums[shell_of[i]] += modes * modes_along[i] * squared(*value);
          }
        }
      }
    }
  }

 private:
  const LocalArray& array_;
  Index batch_;
  int along_ = 0;
  Axes<Cursor<1>::Loop> loops_;
  Axes<int> others_;
  Index count_ = 1;
};

/// Calls work(T{}) for the type of the coefficients.
template <class Work>
void with_number(ElementType type, Work&& work) {
  if (type == element_type_of<float>()) return work(float{});
  if (type == element_type_of<double>()) return work(double{});
  if (type == element_type_of<std::complex<float>>()) return work(std::complex<float>{});
  work(std::complex<double>{});
}

/// What must be the same on all ranks.
std::string text_of(std::size_t fields, std::span<const double> lengths, double width) {
  std::string text = std::to_string(fields) + " fields, lengths";
  for (const double length : lengths) text += ' ' + text_of(length);
  return text + ", width " + text_of(width);
}

}  // namespace

ShellSpectrum shell_spectrum(const Plan& plan, std::span<const detail::AnyArray> fields,
                             std::span<const double> lengths, double width) {
  const Communicator comm = Communicator::duplicate(plan.communicator());
  const PlanInfo& info = plan.info();
  std::optional<Shells> shells;
  std::vector<HostArray> arrays;
  ShellSpectrum result;
  std::vector<double> sums;  // of each thread
  std::vector<std::size_t> shell_of;
  const LocalArray& planned = plan.output();
  const SpectralRows rows(planned, info.batch);
  const int threads = planned.box.empty() ? 0 : info.threads;
  const auto length = static_cast<std::size_t>(rows.length());
  collectively(comm, [&] {
    if (fields.empty()) throw Error("shell spectrum of no field: at least one is needed");
    for (const detail::AnyArray& field : fields)
      arrays.emplace_back(plan, planned, field, "spectral");
    shells.emplace(info, lengths, width);
    result = {shells->width(), std::vector<double>(shells->count())};
    sums.resize(shells->count() * static_cast<std::size_t>(threads));
    shell_of.resize(length * static_cast<std::size_t>(threads));
  });
  agree_same(comm, text_of(fields.size(), lengths, width), "shell spectrum");
  // Each thread has the same rows in every run, so that sums repeat every bit.
  with_number(planned.type, [&]<class T>(T) {
#pragma omp parallel for num_threads(std::max(threads, 1)) schedule(static, 1)
    for (int thread = 0; thread < threads; ++thread) {
      const auto number = static_cast<std::size_t>(thread);
      rows.add<T>(arrays, *shells, rows.count() * thread / threads,
                  rows.count() * (thread + 1) / threads,
                  std::span(shell_of).subspan(number * length, length),
                  sums.data() + number * shells->count());
    }
  });
  const double factor = energy_factor(info);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    result.energy[i % shells->count()] += factor * sums[i];
  }
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, result.energy.data(), static_cast<int>(shells->count()),
                          MPI_DOUBLE, MPI_SUM, comm.get()),
            "MPI_Allreduce");
  return result;
}

}  // namespace weft
