#include "local/line_plan.hpp"

#include "kind/root_of_unity.hpp"

namespace weft {

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

void LinePlan::take(const stockham::LineRadices& radices, int lanes, int threads, bool is_wide,
                    Index block_lines) {
  stockham::PlannedLines lines = planned_;
  lines.radices = radices;
  if ((is_wide && 2 * lanes > block_lines) || !lines.fit(lanes, threads, is_wide)) return;
  planned_ = lines;
  lanes_ = lanes;
  threads_ = threads;
  is_wide_ = is_wide;
}

template <class Real>
void LinePlan::take_known(LineForm form, Index block_lines) {
  stockham::each_known_shape<Real>(form, [&](auto shape) {
    using Shape = decltype(shape);
    if (Shape::line_points != planned_.points) return;
    stockham::LineRadices radices;
    for (int i = 0; i < Shape::stages; ++i) radices = radices.and_then(Shape::radix(i));
    take(radices, Shape::block_lanes, Shape::line_threads, Shape::is_wide, block_lines);
  });
}

LinePlan::LinePlan(Index points, Precision precision, LineForm form,
                   const stockham::BlockMemory& memory, Index block_lines)
    : planned_{points, precision == Precision::f64, memory} {
  const bool is_double = planned_.is_double;
  if (is_double) {
    take_known<double>(form, block_lines);
  } else {
    take_known<float>(form, block_lines);
  }
  const stockham::LineRadices wide = stockham::wide_radices(points);
  if (form == LineForm::whole && wide.exist()) {
    take(wide, stockham::wide_lanes(is_double), stockham::wide_threads(is_double, wide), true,
         block_lines);
  }
}

bool LinePlan::exists(Index points, Precision precision, const stockham::BlockMemory& memory) {
  return stockham::PlannedLines{points, precision == Precision::f64, memory}.exist();
}

/// Blocks of a stage, each of which has its coefficients in common, begin where the digits of their
/// numbers lead to. In the last stage butterflies come in the order of their first results.
std::vector<std::int32_t> LinePlan::first_rows(int stage) const {
  const stockham::LineRadices& radices = planned_.radices;
  const bool last = stage + 1 == radices.count;
  std::vector<std::int32_t> rows{0}, origins{0};
  auto length = static_cast<std::int32_t>(planned_.points);
  std::int32_t weight = 1;
  for (int i = 0; i < stage; ++i) {
    length /= radices[i];
    std::vector<std::int32_t> more_rows, more_origins;
    for (std::size_t block = 0; block < rows.size(); ++block) {
      for (int q = 0; q < radices[i]; ++q) {
        more_rows.push_back(rows[block] + q * (i == 0 ? planned_.first_leg() : length));
        more_origins.push_back(origins[block] + q * weight);
      }
    }
    weight *= radices[i];
    rows = std::move(more_rows);
    origins = std::move(more_origins);
  }
  const std::int32_t inner = length / radices[stage];
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
std::size_t LinePlan::add_twiddles(LineTables& tables, int stage) const {
  const stockham::LineRadices& radices = planned_.radices;
  Index length = planned_.points;
  for (int i = 0; i < stage; ++i) length /= radices[i];
  const Index radix = radices[stage], inner = length / radix;
  const Index butterflies = planned_.points / radix;
  std::vector<Real> table;
  for (Index q = 1; q < radix && stage + 1 < radices.count; ++q) {
    for (Index b = 0; b < butterflies; ++b) {
      const auto root = root_of_unity(b % inner * q % length, length);
      table.push_back(static_cast<Real>(root.real()));
      table.push_back(static_cast<Real>(-root.imag()));
    }
  }
  return tables.add(table);
}

void LinePlan::add_to(LineTables& tables) {
  for (int stage = 0; stage < planned_.radices.count; ++stage) {
    const std::size_t rows = tables.add(first_rows(stage));
    places_.push_back({rows, planned_.is_double ? add_twiddles<double>(tables, stage)
                                                : add_twiddles<float>(tables, stage)});
  }
}

void LinePlan::enter(const LineTables& tables, Index lines, LinePass& pass) const {
  const stockham::LineRadices& radices = planned_.radices;
  pass.points = static_cast<std::uint32_t>(planned_.points);
  pass.stages = static_cast<std::uint32_t>(radices.count);
  std::int32_t length = static_cast<std::int32_t>(planned_.points);
  for (int i = 0; i < radices.count; ++i) {
    length /= radices[i];
    LineStage& stage = pass.stage[i];
    const Places& places = places_[static_cast<std::size_t>(i)];
    stage.radix = static_cast<std::uint32_t>(radices[i]);
    stage.butterflies = make_divisor(static_cast<std::uint32_t>(planned_.points / radices[i]));
    stage.leg = static_cast<std::uint32_t>(i == 0 ? planned_.first_leg() : length);
    stage.first_row = tables.at<std::int32_t>(places.rows);
    stage.twiddles = tables.at(places.twiddles);
  }
  const bool is_known = threads_ > 0;
  const int lanes = is_known ? lanes_ : planned_.lanes(lines, pass.in.across || pass.out.across);
  pass.lanes = make_divisor(static_cast<std::uint32_t>(lanes));
  pass.threads =
      make_divisor(static_cast<std::uint32_t>(is_known ? threads_ : planned_.threads_of_line()));
  pass.pitch = static_cast<std::uint32_t>(planned_.pitch(lanes));
}

}  // namespace weft
