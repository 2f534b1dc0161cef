#pragma once

#include <vector>

#include "device/line_step.hpp"
#include "local/real_kind.hpp"

namespace weft {

/// The tables of a cosine or sine transform as devices take them, for pairs of lines: those of
/// `prepare` and `finish` that its steps need, the others are empty.
template <class Real>
struct LineEntries {
  std::vector<PlainEntry<Real>> prepare_plain;
  std::vector<PairEntry<Real>> prepare_pairs;
  std::vector<PlainEntry<Real>> finish_plain;
  std::vector<PartsEntry<Real>> finish_parts;
};

/// Lines hold their first `in_points` numbers before and `out_points` afterwards; the others are
/// zero, and dropped. Results are multiplied by `scale`.
template <class Real>
LineEntries<Real> line_entries(const RealKindTables<Real>& tables, Index in_points,
                               Index out_points, double scale);

}  // namespace weft
