#include "local/stockham_plan.hpp"

#include <algorithm>

#include "kind/root_of_unity.hpp"

namespace weft::stockham {

namespace {

/// Points of the longest complex transform: its buffer has to fit on a stack.
constexpr Index most_points = 8192;

/// Time of a stage per point, measured with double precision on an AMD EPYC (Zen 4).
struct Radix {
  int radix;
  double time;
};
constexpr Radix known_radices[] = {{2, 5},   {3, 6},   {4, 6},    {5, 8},   {6, 8},
                                   {7, 11},  {8, 8},   {9, 11},   {10, 11}, {11, 19},
                                   {12, 12}, {13, 23}, {16, 12.5}};

/// Radices whose product is n with the least total time; nothing when n has other factors.
std::vector<int> best_radices(Index n) {
  struct Best {
    double time = -1;
    int radix = 1;
  };
  std::vector<Best> best(static_cast<std::size_t>(n) + 1);
  best[1].time = 0;
  for (Index m = 2; m <= n; ++m) {
    if (n % m != 0) continue;
    Best& here = best[static_cast<std::size_t>(m)];
    for (const Radix& last : known_radices) {
      if (m % last.radix != 0) continue;
      const Best& rest = best[static_cast<std::size_t>(m / last.radix)];
      if (rest.time < 0) continue;
      if (here.time < 0 || rest.time + last.time < here.time) {
        here = {rest.time + last.time, last.radix};
      }
    }
  }
  if (best[static_cast<std::size_t>(n)].time < 0) return {};
  std::vector<int> radices;
  for (Index m = n; m > 1; m /= radices.back()) {
    radices.push_back(best[static_cast<std::size_t>(m)].radix);
  }
  if (radices.empty()) radices.push_back(1);
  // The last stage has no twiddle factors, of which the largest radix would have most.
  std::sort(radices.begin(), radices.end());
  return radices;
}

Index complex_points(Index length, Kind kind) {
  return kind == Kind::r2c && length % 2 == 0 ? length / 2 : length;
}

Form form_of(Index length, Kind kind, bool forward) {
  if (kind == Kind::c2c) return Form::complex;
  if (length % 2 == 0) return forward ? Form::real_even_forward : Form::real_even_backward;
  return forward ? Form::real_odd_forward : Form::real_odd_backward;
}

}  // namespace

bool has_plan(Index length, Kind kind) {
  const Index points = complex_points(length, kind);
  return points <= most_points && !best_radices(points).empty();
}

template <class Real>
LinePlan<Real>::LinePlan(Index length, Kind kind, Direction direction)
    : form_(form_of(length, kind, direction == Direction::forward)),
      forward_(direction == Direction::forward),
      points_(static_cast<int>(complex_points(length, kind))),
      in_elements_(static_cast<int>(kind == Kind::r2c && !forward_ ? length / 2 + 1 : length)),
      out_elements_(static_cast<int>(kind == Kind::r2c && forward_ ? length / 2 + 1 : length)) {
  radices_ = best_radices(points_);
  add_stages();
  add_order();
  if (form_ == Form::real_even_forward || form_ == Form::real_even_backward) add_fold(length);
}

template <class Real>
void LinePlan<Real>::add_stages() {
  const int count = static_cast<int>(radices_.size());
  int length = points_, blocks = 1;
  for (int i = 0; i < count; ++i) {
    const int radix = radices_[static_cast<std::size_t>(i)];
    const int inner = length / radix;
    Stage<Real> stage{radix, 1, 0, blocks, length, inner, inner, nullptr};
    if (i == 0) {
      // Distances of powers of two fall into few sets of the cache.
      if (count > 1) stage.leg = inner + (inner % 2 == 0 ? 1 : 0);
      first_leg_ = stage.leg;
      rows_ = Index{radix} * first_leg_;
    } else {
      stage.outer = radices_[0];
      stage.outer_distance = first_leg_;
      blocks *= i == 1 ? 1 : radices_[static_cast<std::size_t>(i - 1)];
      stage.blocks = blocks;
    }
    std::vector<Real> table;
    for (Index j = 0; i + 1 < count && j < inner; ++j) {
      for (Index q = 1; q < radix; ++q) {
        const auto root = root_of_unity(j * q % length, length);
        table.push_back(static_cast<Real>(root.real()));
        table.push_back(static_cast<Real>(-root.imag()));
      }
    }
    twiddles_.push_back(std::move(table));
    stages_.push_back(stage);
    length = inner;
  }
  for (std::size_t i = 0; i < stages_.size(); ++i) stages_[i].twiddles = twiddles_[i].data();
}

template <class Real>
void LinePlan<Real>::add_order() {
  const int inner = stages_[0].inner;
  for (int j = 0; j < points_; ++j) {
    load_position_.push_back(j / inner * first_leg_ + j % inner);
  }
  store_position_.resize(static_cast<std::size_t>(points_));
  const Stage<Real>& last = stages_.back();
  const std::size_t earlier = radices_.size() - 1;
  for (int number = 0; number < last.outer * last.blocks; ++number) {
    // The digits of a block's number, the last one fastest, are those of its coefficients, the
    // first one fastest.
    int rest = number, reversed = 0;
    for (std::size_t i = earlier; i-- > 0;) {
      reversed = reversed * radices_[i] + rest % radices_[i];
      rest /= radices_[i];
    }
    // Backward is forward with the coefficients in reverse.
    origin_.push_back(forward_ ? reversed : points_ - reversed);
    const int base =
        number / last.blocks * last.outer_distance + number % last.blocks * last.block_distance;
    for (int q = 0; q < last.radix; ++q) {
      const int k = reversed + q * (points_ / last.radix);
      const int at = forward_ ? k : (points_ - k) % points_;
      store_position_[static_cast<std::size_t>(at)] = base + q * last.leg;
    }
  }
}

template <class Real>
void LinePlan<Real>::add_fold(Index length) {
  // The spectrum of a real line has one coefficient more than there are points.
  load_position_.push_back(static_cast<std::int32_t>(rows_));
  store_position_.push_back(static_cast<std::int32_t>(rows_));
  ++rows_;
  for (Index k = 0; 2 * k <= points_; ++k) {
    const auto root = root_of_unity(k, length);
    const long double scale = forward_ ? -0.5L : 1.0L;
    fold_.push_back(static_cast<Real>(forward_ ? root.imag() * scale : -root.imag()));
    fold_.push_back(static_cast<Real>(root.real() * scale));
  }
}

template <class Real>
Line<Real> LinePlan<Real>::line() const {
  Line<Real> line;
  line.form = form_;
  line.points = points_;
  line.stages = static_cast<int>(stages_.size());
  line.stage = stages_.data();
  line.origin = origin_.data();
  line.step = (forward_ ? 1 : -1) * (points_ / stages_.back().radix);
  line.load_position = load_position_.data();
  line.store_position = store_position_.data();
  line.fold = fold_.data();
  line.in_elements = in_elements_;
  line.out_elements = out_elements_;
  line.in_real = form_ == Form::real_even_forward || form_ == Form::real_odd_forward;
  line.out_real = form_ == Form::real_even_backward || form_ == Form::real_odd_backward;
  return line;
}

template class LinePlan<float>;
template class LinePlan<double>;

}  // namespace weft::stockham
