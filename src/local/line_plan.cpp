#include "local/line_plan.hpp"

#include <algorithm>
#include <numeric>

#include "kind/root_of_unity.hpp"
#include "weft/kernels/line_shape.hpp"

namespace weft {

namespace {

constexpr int known_radices[] = {16, 13, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2};

/// Threads that registers of a processor are enough for, twice.
constexpr std::uint32_t threads_of_block(Precision precision) {
  return precision == Precision::f64 ? 256 : 512;
}

/// Several blocks of threads on a processor work while others wait for memory.
constexpr std::size_t blocks_at_once = 3;

bool is_better(const std::vector<int>& a, const std::vector<int>& b) {
  if (b.empty()) return true;
  if (a.size() != b.size()) return a.size() < b.size();
  const auto largest = [](const std::vector<int>& radices) {
    return *std::max_element(radices.begin(), radices.end());
  };
  if (largest(a) != largest(b)) return largest(a) < largest(b);
  return std::accumulate(a.begin(), a.end(), 0) < std::accumulate(b.begin(), b.end(), 0);
}

void find_radices(Index rest, std::size_t most, std::vector<int>& begun, std::vector<int>& best) {
  if (rest == 1) {
    if (is_better(begun, best)) best = begun;
    return;
  }
  if (begun.size() == most) return;
  for (const int radix : known_radices) {
    if (rest % radix != 0 || (!begun.empty() && radix < begun.back())) continue;
    begun.push_back(radix);
    find_radices(rest / radix, most, begun, best);
    begun.pop_back();
  }
}

}  // namespace

bool has_small_primes(Index n) {
  for (const int prime : {2, 3, 5, 7, 11, 13}) {
    while (n % prime == 0) n /= prime;
  }
  return n == 1;
}

std::vector<int> line_radices(Index n) {
  if (n == 1) return {1, 1};
  if (!has_small_primes(n)) return {};
  std::vector<int> best;
  for (std::size_t most = 1; best.empty() && most <= LinePass::max_stages; ++most) {
    std::vector<int> begun;
    find_radices(n, most, begun, best);
  }
  if (best.size() == 1) best.insert(best.begin(), 1);
  return best;
}

std::size_t LineTables::add_bytes(const std::byte* data, std::size_t bytes) {
  constexpr std::size_t alignment = 16;
  const std::size_t place = (collected_.size() + alignment - 1) / alignment * alignment;
  collected_.resize(place);
  collected_.insert(collected_.end(), data, data + bytes);
  return place;
}

void LineTables::load(Stream& stream) {
  if (collected_.empty()) return;
  memory_ = Buffer(stream.device(), collected_.size());
  stream.copy(memory_.data(), collected_.data(), collected_.size());
  stream.synchronize();
  collected_ = {};
}

void LinePlan::take_radices(std::vector<int> radices) {
  radices_ = std::move(radices);
  first_leg_ = static_cast<int>(points_ / radices_[0]) | 1;
}

template <class List>
void LinePlan::take_known(List known, Index block_lines) {
  stockham::each_shape(known, [&](auto shape) {
    using Shape = decltype(shape);
    if (Shape::line_points != points_) return;
    if (Shape::is_wide && 2 * Shape::block_lanes > block_lines) return;
    if (bytes_of_lines(Shape::block_lanes, Shape::line_pitch, Shape::line_threads) >
        memory_.bytes) {
      return;
    }
    std::vector<int> radices;
    for (int i = 0; i < Shape::stages; ++i) radices.push_back(Shape::radix(i));
    take_radices(std::move(radices));
    lanes_ = Shape::block_lanes;
    threads_ = Shape::line_threads;
    is_wide_ = Shape::is_wide;
  });
}

LinePlan::LinePlan(Index points, Precision precision, LineForm form, const BlockMemory& memory,
                   Index block_lines)
    : points_(points), precision_(precision), memory_(memory) {
  take_radices(line_radices(points));
  const auto take = [&](auto shapes) {
    using Known = decltype(shapes);
    if (stockham::is_of_whole_lines(form)) take_known(typename Known::List{}, 0);
    if (form == LineForm::whole) take_known(typename Known::AndWide{}, block_lines);
    if (stockham::is_of_pairs(form)) take_known(typename Known::OfPairs{}, 0);
  };
  if (precision == Precision::f32) {
    take(stockham::KnownShapes<float>{});
  } else {
    take(stockham::KnownShapes<double>{});
  }
}

std::uint32_t LinePlan::pitch(std::uint32_t lanes) const {
  return static_cast<std::uint32_t>(
      stockham::pitch_of(first_leg_ * radices_[0], static_cast<int>(lanes)));
}

std::size_t LinePlan::bytes_of_lines(std::uint32_t lines, std::uint32_t pitch,
                                     std::uint32_t line_threads) const {
  const auto number_bytes = static_cast<std::size_t>(bytes_of({precision_, true}));
  return lines * (pitch * number_bytes + memory_.beside_line + line_threads * memory_.of_thread);
}

bool LinePlan::exists(Index points, Precision precision, const BlockMemory& memory) {
  if (line_radices(points).empty()) return false;
  const LinePlan plan(points, precision, LineForm::complex, memory);
  return plan.bytes_of_lines(1, plan.pitch(1), plan.threads_of_line()) <= memory.bytes;
}

/// Blocks of a stage, each of which has its coefficients in common, begin where the digits of their
/// numbers lead to. In the last stage butterflies come in the order of their first results.
std::vector<std::int32_t> LinePlan::first_rows(std::size_t stage) const {
  const auto last = stage + 1 == radices_.size();
  std::vector<std::int32_t> rows{0}, origins{0};
  auto length = static_cast<std::int32_t>(points_);
  std::int32_t weight = 1;
  for (std::size_t i = 0; i < stage; ++i) {
    length /= radices_[i];
    std::vector<std::int32_t> more_rows, more_origins;
    for (std::size_t block = 0; block < rows.size(); ++block) {
      for (int q = 0; q < radices_[i]; ++q) {
        more_rows.push_back(rows[block] + q * (i == 0 ? first_leg_ : length));
        more_origins.push_back(origins[block] + q * weight);
      }
    }
    weight *= radices_[i];
    rows = std::move(more_rows);
    origins = std::move(more_origins);
  }
  const std::int32_t inner = length / radices_[stage];
  std::vector<std::int32_t> result(rows.size() * static_cast<std::size_t>(inner));
  for (std::size_t block = 0; block < rows.size(); ++block) {
    for (std::int32_t i = 0; i < inner; ++i) {
      const std::size_t number =
          last ? static_cast<std::size_t>(origins[block])
               : block * static_cast<std::size_t>(inner) + static_cast<std::size_t>(i);
      result[number] = rows[block] + i;
    }
  }
  return result;
}

template <class Real>
std::size_t LinePlan::add_twiddles(LineTables& tables, std::size_t stage) const {
  Index length = points_;
  for (std::size_t i = 0; i < stage; ++i) length /= radices_[i];
  const Index radix = radices_[stage], inner = length / radix, butterflies = points_ / radix;
  std::vector<Real> table;
  for (Index q = 1; q < radix && stage + 1 < radices_.size(); ++q) {
    for (Index b = 0; b < butterflies; ++b) {
      const auto root = root_of_unity(b % inner * q % length, length);
      table.push_back(static_cast<Real>(root.real()));
      table.push_back(static_cast<Real>(-root.imag()));
    }
  }
  return tables.add(table);
}

void LinePlan::add_to(LineTables& tables) {
  for (std::size_t stage = 0; stage < radices_.size(); ++stage) {
    const std::size_t rows = tables.add(first_rows(stage));
    const bool is_single = precision_ == Precision::f32;
    places_.push_back({rows, is_single ? add_twiddles<float>(tables, stage)
                                       : add_twiddles<double>(tables, stage)});
  }
}

/// About 16 numbers for a thread, with few idle turns. Starting a stage costs as much as some
/// numbers, and so does a butterfly.
std::uint32_t LinePlan::threads_of_line() const {
  constexpr Index per_stage = 8, per_butterfly = 4;
  const Index limit = most_line_threads(precision_ == Precision::f64);
  const Index fewest = std::min((points_ + 19) / 20, limit);
  const Index most = std::clamp(points_ / 8, fewest, limit);
  Index best = fewest, least = -1;
  for (Index threads = fewest; threads <= most; ++threads) {
    Index time = 0;
    for (const int radix : radices_) {
      const Index turns = (points_ / radix + threads - 1) / threads;
      time += per_stage + turns * (radix + per_butterfly);
    }
    if (least >= 0 && time * threads >= least) continue;
    least = time * threads;
    best = threads;
  }
  return static_cast<std::uint32_t>(best);
}

void LinePlan::enter(const LineTables& tables, Index lines, LinePass& pass) const {
  pass.points = static_cast<std::uint32_t>(points_);
  pass.stages = static_cast<std::uint32_t>(radices_.size());
  std::int32_t length = static_cast<std::int32_t>(points_);
  for (std::size_t i = 0; i < radices_.size(); ++i) {
    const int radix = radices_[i];
    length /= radix;
    LineStage& stage = pass.stage[i];
    stage.radix = static_cast<std::uint32_t>(radix);
    stage.butterflies = make_divisor(static_cast<std::uint32_t>(points_ / radix));
    stage.leg = static_cast<std::uint32_t>(i == 0 ? first_leg_ : length);
    stage.first_row = tables.at<std::int32_t>(places_[i].rows);
    stage.twiddles = tables.at(places_[i].twiddles);
  }
  const auto enter_block = [&](std::uint32_t lanes, std::uint32_t threads) {
    pass.lanes = make_divisor(lanes);
    pass.threads = make_divisor(threads);
    pass.pitch = pitch(lanes);
  };
  if (threads_ > 0) return enter_block(lanes_, threads_);
  const std::uint32_t threads = threads_of_line();
  std::uint32_t lanes = 1;
  const auto suits = [&](std::uint32_t more) {
    return more * threads <= threads_of_block(precision_) &&
           bytes_of_lines(more, pitch(more), threads) <= memory_.bytes / blocks_at_once &&
           static_cast<Index>(more) < 2 * lines;
  };
  while (suits(2 * lanes)) lanes *= 2;
  // Memory is read and written by sectors (H200, 10,000,000 points as 3125 x 3200: 0.54 of the time
  // with two lines of a block instead of one).
  constexpr std::size_t sector = 32;
  const auto number_bytes = static_cast<std::size_t>(bytes_of({precision_, true}));
  const auto has_room = [&](std::uint32_t more) {
    return more * threads <= most_line_threads(precision_ == Precision::f64) &&
           bytes_of_lines(more, pitch(more), threads) <= memory_.bytes;
  };
  while ((pass.in.across || pass.out.across) && lanes * number_bytes < sector &&
         has_room(2 * lanes)) {
    lanes *= 2;
  }
  enter_block(lanes, threads);
}

}  // namespace weft
