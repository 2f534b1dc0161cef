#pragma once

#include <algorithm>
#include <vector>

#include "device/alignment.hpp"
#include "pass/pass.hpp"
#include "pass/piece_views.hpp"
#include "schedule/tiling.hpp"

namespace weft {

/// What tiles on the host and on devices have in common: how they lie in the array before a pass
/// and after it, and what the transform of one is.
class TileGeometry {
 public:
  /// How a tile lies in scratch memory.
  struct TileMemory {
    Strides stride;
    Index elements = 0;

    Index bytes(CopyElement element) const { return aligned_up(elements * bytes_of(element)); }
  };
  /// Of what was planned for each shape of tiles, that for this one.
  template <class Planned>
  static const Planned& planned_for(const Box& tile, const std::vector<Planned>& all) {
    return *std::find_if(all.begin(), all.end(), [shape = tile.extents()](const Planned& planned) {
      return planned.shape == shape;
    });
  }

  /// Both outlive it.
  TileGeometry(const Context& context, const PassSpec& spec) : context_(context), spec_(spec) {}

  /// All but the budget: the region is the box before.
  TilingRequest tiling_request() const;
  /// Whether the transform leaves some axis with fewer or more elements than it had, apart from the
  /// halving of real lines.
  bool changes_lengths() const;
  /// The elements of a tile on either side: transformed axes are whole.
  Box before(const Box& tile) const { return with_axes_of(spec_.before, tile); }
  Box after(const Box& tile) const { return with_axes_of(spec_.after, tile); }
  /// Whether both sides are arrays in which elements before and after a transform lie at the same
  /// places.
  bool has_same_positions() const;
  /// What all transforms of this pass have in common, for tiles that lie so in memory; `loops` are
  /// extents, of which those of axes that are not transformed count.
  LocalProblem local_problem(const Extents& loops, const Strides& in, const Strides& out,
                             Stream& stream) const;
  /// Enters that one side of such a problem, with these loops, is in pieces.
  void enter_pieces(const PieceViews& pieces, bool input, const Extents& loops,
                    LocalProblem& problem) const;

 private:
  Box with_axes_of(const Box& whole, const Box& tile) const;
  /// The axes of such problems: transformed ones, and loops.
  AxisList transformed_axes() const;
  AxisList looped_axes(const Extents& loops) const;

  const Context& context_;
  const PassSpec& spec_;
};

}  // namespace weft
