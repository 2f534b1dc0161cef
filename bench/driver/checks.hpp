#pragma once

#include <optional>
#include <string>
#include <vector>

#include "adapter.hpp"

namespace weft::bench {

/// Errors of one forward and backward transform, the same on all ranks.
struct Checks {
  Index unwritten = 0;  ///< elements of the output that still hold the poison
  /// Of the sum of squares, relative; not for cosine and sine transforms, whose coefficients have
  /// weights.
  std::optional<double> parseval_error;
  double forward_error = 0;  ///< relative L2 over sampled points, against direct sums
  double forward_error_max = 0;
  std::optional<double> whole_error;  ///< relative L2 over all points
  double roundtrip_error = 0;         ///< relative L2
  double roundtrip_error_max = 0;     ///< largest difference
  double error_bound = 0;             ///< of the forward error
  double promised_error = 0;          ///< the part of it that is not rounding

  /// What is wrong, in words.
  std::vector<std::string> failures() const;
};

/// How much of it is checked. The cheap one leaves out direct sums beyond a few points, and the
/// whole transform.
enum class Thoroughness { cheap, full };

inline constexpr std::uint64_t random_seed = 1;

/// Fills physical() with the random field and uploads it.
void fill(Transform& transform);

/// Fills, poisons, transforms forward and backward, and looks at everything. Collective.
Checks check_pair(Transform& transform, Thoroughness thoroughness);
/// Of the pair that was just made from fill(), with its input gone: the round trip alone.
Checks check_roundtrip(Transform& transform);

/// Throws Unsupported-like Error where the boxes that the library says it owns do not tile the
/// arrays. Collective.
struct LayoutFigures {
  std::optional<Extents> in_parts, out_parts;  ///< parts per axis; none where irregular
  AxisList in_order, out_order;                ///< slowest axis first, of rank 0
};
LayoutFigures check_layout(const Case& problem, const TransformDescription& transform);

}  // namespace weft::bench
