#pragma once

#include <memory>
#include <vector>

#include "device/device.hpp"
#include "pass/copy_list.hpp"
#include "pass/piece_views.hpp"
#include "pass/tile_geometry.hpp"
#include "schedule/tiling.hpp"

namespace weft {

/// One pass over memory of a device, put into its stream: tiles are gathered into scratch memory by
/// one copy of many blocks, transformed by the vendor's library, and scattered by another copy.
/// Both copies are left out where the library can work on the arrays as they lie. The second one
/// scales the results, the library where it is left out. Encoded messages are decoded by the first
/// copy and encoded by the second one.
///
/// weft's own kernels also read and write messages as these lie, in codes of half the size too.
/// Where a run has others, it takes the copies.
///
/// Functions of the user take part in the copies of arrays. Where the library writes the output
/// itself, they are applied to that afterwards; where it reads the input itself, they cannot be.
///
/// Tiles bound the scratch memory.
class DevicePass final : public Pass {
 public:
  DevicePass(const Context& context, Stream& stream, const PassSpec& spec)
      : DevicePass(context, stream, spec, true) {}

  Index scratch_bytes() const override;
  void run(const PassRun& run) const override;
  bool works_in_place() const override;
  bool applies_to_input(const detail::PointFunction& function) const override;

 private:
  using TileMemory = TileGeometry::TileMemory;
  /// For tiles of one shape, of which transformed axes count as one.
  struct Planned {
    Extents shape;
    TileMemory gathered;
    TileMemory transformed;
    Index transformed_at;  ///< in scratch memory, where gathered tiles come first
    Index work_at;
    std::unique_ptr<LocalTransform> transform;
  };
  /// A part of a box, and where it lies in a tile whose transformed axes have all elements.
  struct Part {
    Box box;
    CopyList::GappedBlock block;
  };

  /// `by_pieces`: transforms may read and write messages themselves.
  DevicePass(const Context& context, Stream& stream, const PassSpec& spec, bool by_pieces);
  /// Whether transforms do so on both sides that are messages.
  bool try_pieces();
  bool takes(const PassRun& run) const;
  /// Whether transforms apply a function to the array that they read.
  bool transforms_apply(const detail::PointFunction& function, const Callbacks& callbacks) const;
  bool try_access(bool direct_source, bool direct_sink);
  /// Plans for all shapes of tiles, whose scratch memory has this order. False where the library
  /// cannot do that, or not well.
  bool plan_tiles(const AxisList& order);
  bool suits(const LocalProblem& problem) const;
  bool may_be_direct(bool input) const;
  void choose_tiles(bool one_tile);
  LocalProblem problem_of(const Planned& planned) const;
  TileMemory tile_memory(const Extents& tile, bool input, const AxisList& order) const;
  AxisList transformed_last(const AxisList& order) const;
  bool has_fourier_axes() const;
  /// Whether the transform needs nothing in the place of elements that are not stored.
  bool can_prune() const;
  /// Elements that tiles have along an axis on one side, whether the array has them or not.
  Index whole_length(int axis, bool input) const;
  /// Whether a side is in physical space.
  bool is_physical(bool input) const { return input == (spec_.direction == Direction::forward); }
  Index stored_length(int axis, bool input) const {
    return (input ? spec_.before : spec_.after).extent(axis);
  }
  /// How a transform applies a function to a side that it reads or writes itself.
  static FusedSides::Side fused_side(const Callbacks& callbacks,
                                     const detail::PointFunction& function, const Box& box,
                                     const PassSide& side) {
    const ArrayView& view = side.views[0];
    return {function,
            callbacks.block_of({box, nullptr, view.stride, bytes_of(side.element)}, view)};
  }
  template <class Work>
  void for_each_part(const Box& box, const Box& tile, bool input, const MutableBlock& lies,
                     Work&& work) const;
  void copy(const PassRun& run, PartTimes::Watch& watch) const;
  /// Gathers a tile into scratch memory, or scatters what lies there.
  void move(CopyList::Way way, const Box& tile, const Strides& stride, std::byte* memory,
            const PassRun& run) const;
  void clear_gaps(const TileMemory& lies, std::byte* memory) const;
  void run_tile(Index number, const PassRun& run, PartTimes::Watch& watch) const;

  const Context& context_;
  Stream& stream_;
  TileGeometry tiles_;
  Tiling tiling_;  // of the box before, transformed axes as one
  bool prunes_itself_ = false;
  bool direct_source_ = false;
  bool direct_sink_ = false;
  bool in_place_ = false;  // tiles are transformed where they have been gathered
  std::vector<Planned> planned_;
  Index work_bytes_ = 0;
  mutable CopyList moves_;  // of one copy, so that runs allocate nothing
  std::optional<PieceViews> source_pieces_, sink_pieces_;  // that transforms read and write
  mutable std::vector<FusedSides::Piece> source_addresses_, sink_addresses_;  // of one tile
  std::unique_ptr<DevicePass> with_copies_;  // for runs that a pass by pieces does not take
};

}  // namespace weft
