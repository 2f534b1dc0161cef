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
StageTables<Real>::StageTables(const std::vector<int>& radices, int points)
    : radices_(radices), points_(points) {
  add_stages();
  add_order();
}

template <class Real>
void StageTables<Real>::add_stages() {
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
      rows_ = radix * first_leg_;
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
void StageTables<Real>::add_order() {
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
    int rest = number, origin = 0;
    for (std::size_t i = earlier; i-- > 0;) {
      origin = origin * radices_[i] + rest % radices_[i];
      rest /= radices_[i];
    }
    origin_.push_back(origin);
    const int base =
        number / last.blocks * last.outer_distance + number % last.blocks * last.block_distance;
    for (int q = 0; q < last.radix; ++q) {
      const int k = origin + q * (points_ / last.radix);
      store_position_[static_cast<std::size_t>(k)] = base + q * last.leg;
    }
  }
}

template <class Real>
void StageTables<Real>::add_row() {
  load_position_.push_back(rows_);
  store_position_.push_back(rows_);
  ++rows_;
}

template <class Real>
Stages<Real> StageTables<Real>::stages() const {
  return {points_,
          static_cast<int>(stages_.size()),
          stages_.data(),
          origin_.data(),
          points_ / stages_.back().radix,
          load_position_.data(),
          store_position_.data()};
}

template <class Real>
LinePlan<Real>::LinePlan(const LocalAxis& axis, Kind kind, Direction direction,
                         const Kernels<Real>& kernels)
    : form_(form_of(axis.length, kind, direction == Direction::forward)),
      backward_(direction == Direction::backward),
      points_(static_cast<int>(complex_points(axis.length, kind))) {
  std::vector<int> radices = best_radices(points_);
  if (form_ != Form::real_odd_forward && form_ != Form::real_odd_backward) {
    choose_inside(radices, kernels);
  }
  whole_ = StageTables<Real>(radices, points_);
  if (inside_lanes_ > 0) add_inside(radices);
  if (form_ == Form::real_even_forward || form_ == Form::real_even_backward) add_fold(axis.length);
  add_pruning(axis, kind);
}

/// Puts a radix first that makes whole vectors and leaves whole vectors. Groups of lines then begin
/// with the same one, so that results are the same.
template <class Real>
void LinePlan<Real>::choose_inside(std::vector<int>& radices, const Kernels<Real>& kernels) {
  for (const Kernel<Real>& kernel : {kernels.wide, kernels.half}) {
    const int lanes = kernel.lanes;
    const auto first = std::find_if(radices.begin(), radices.end(), [&](int radix) {
      const int rest = points_ / radix;
      // Mirrored halves of a spectrum consist of vectors too.
      const bool halves = form_ == Form::complex || points_ / 2 % lanes == 0;
      return radix % lanes == 0 && rest % lanes == 0 && halves;
    });
    if (first == radices.end()) continue;
    std::rotate(radices.begin(), first, first + 1);
    inside_radix_ = radices[0];
    inside_lanes_ = lanes;
    inside_kernel_ = kernel;
    return;
  }
}

template <class Real>
void LinePlan<Real>::add_inside(const std::vector<int>& radices) {
  const int rest = points_ / inside_radix_;
  inside_ = StageTables<Real>(std::vector<int>(radices.begin() + 1, radices.end()), rest);
  for (int j = 0; j < rest; j += inside_lanes_) {
    for (int q = 1; q < inside_radix_; ++q) {
      for (const bool imaginary : {false, true}) {
        for (int lane = 0; lane < inside_lanes_; ++lane) {
          const Index at = j + line_of_lane(lane, inside_lanes_);
          const auto root = root_of_unity(at * q % points_, points_);
          inside_twiddles_.push_back(static_cast<Real>(imaginary ? -root.imag() : root.real()));
        }
      }
    }
  }
}

template <class Real>
void LinePlan<Real>::add_fold(Index length) {
  whole_.add_row();
  for (Index k = 0; 2 * k <= points_; ++k) {
    const auto root = root_of_unity(k, length);
    fold_.push_back(static_cast<Real>(backward_ ? -root.imag() : -root.imag() / 2));
    fold_.push_back(static_cast<Real>(backward_ ? root.real() : -root.real() / 2));
  }
}

template <class Real>
void LinePlan<Real>::add_pruning(const LocalAxis& axis, Kind kind) {
  LocalProblem problem;
  problem.transform = {axis};
  problem.kinds = {kind};
  problem.direction = backward_ ? Direction::backward : Direction::forward;
  in_elements_ = static_cast<int>(stored_points(problem, 0, true));
  out_elements_ = static_cast<int>(stored_points(problem, 0, false));
  const Index in_whole = whole_points(problem, 0, true);
  in_pruned_ = in_elements_ < in_whole;
  out_pruned_ = out_elements_ < whole_points(problem, 0, false);
  const Stages<Real> stages = whole_.stages();
  const auto add_rows = [&](std::vector<std::int32_t>& rows, const std::int32_t* all, bool input) {
    const ModeSplit stored = stored_split(problem, 0, input);
    const Index whole = whole_points(problem, 0, input);
    rows.assign(all, all + stored.begin);
    rows.insert(rows.end(), all + whole - stored.end, all + whole);
  };
  const ModeSplit in = stored_split(problem, 0, true);
  for (Index i = in.begin; i < in_whole - in.end; ++i) {
    const auto* const row = stages.load_position;
    if (form_ == Form::real_even_forward) {
      missing_.push_back(2 * row[i / 2] + static_cast<std::int32_t>(i % 2));
    } else {
      missing_.push_back(2 * row[i]);
      missing_.push_back(2 * row[i] + 1);
    }
  }
  // Other forms store elements from the first one on.
  if (form_ != Form::complex) return;
  if (in_pruned_) add_rows(load_position_, stages.load_position, true);
  if (out_pruned_) add_rows(store_position_, stages.store_position, false);
}

template <class Real>
Line<Real> LinePlan<Real>::line() const {
  Line<Real> line{};
  line.form = form_;
  line.backward = backward_;
  line.stages = whole_.stages();
  if (inside_lanes_ > 0) {
    line.inside = {inside_radix_, inside_lanes_, inside_twiddles_.data(), inside_.rows(),
                   inside_.stages()};
  }
  line.fold = fold_.data();
  line.in_elements = in_elements_;
  line.out_elements = out_elements_;
  line.in_real = form_ == Form::real_even_forward || form_ == Form::real_odd_forward;
  line.out_real = form_ == Form::real_even_backward || form_ == Form::real_odd_backward;
  line.in_pruned = in_pruned_;
  line.out_pruned = out_pruned_;
  const auto rows = [](const std::vector<std::int32_t>& own, const std::int32_t* all) {
    return own.empty() ? all : own.data();
  };
  line.load_position = rows(load_position_, line.stages.load_position);
  line.store_position = rows(store_position_, line.stages.store_position);
  line.missing = missing_.data();
  line.missing_count = static_cast<int>(missing_.size());
  return line;
}

template class StageTables<float>;
template class StageTables<double>;
template class LinePlan<float>;
template class LinePlan<double>;

}  // namespace weft::stockham
