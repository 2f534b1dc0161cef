#pragma once

#include <memory>
#include <vector>

#include "device/host_copy.hpp"
#include "pass/tile_geometry.hpp"
#include "schedule/tiling.hpp"

namespace weft {

/// One pass over memory, tile by tile: gather a tile from the source's views into cache, transform
/// it there, and scatter it to the sink's views. Gather and scatter are left out where the
/// transform can read or write the array itself. Threads share the tiles.
class HostPass final : public Pass {
 public:
  HostPass(const Context& context, const PassSpec& spec);

  Index scratch_bytes() const override;
  void run(const PassRun& run) const override;
  /// No tile then writes what another one reads.
  bool works_in_place() const override;

 private:
  using TileMemory = TileGeometry::TileMemory;

  using Watch = PartTimes::Watch;

  void run_tile(Index number, const PassRun& run, Watch& watch) const;
  void copy_tile(const Box& tile, const PassRun& run, Watch& watch) const;
  void gather(const Box& box, const PassRun& run, std::byte* tile, Watch& watch) const;
  void scatter(const Box& box, const PassRun& run, std::byte* tile, Watch& watch) const;
  /// Moves a box between a block of numbers and a view.
  void read_view(const ArrayView& view, const Box& box, const PassRun& run,
                 const MutableBlock& to) const;
  void write_view(const ArrayView& view, const Box& box, const PassRun& run, const ConstBlock& from,
                  double scale, Load load) const;
  /// Of one thread.
  Index scratch_of_tiles() const;
  std::byte* transform_work(const PassRun& run) const { return run.scratch + scratch_of_tiles(); }
  std::byte* encoding_buffer(const PassRun& run) const { return transform_work(run) + work_bytes_; }
  /// Dense but for padding that keeps columns in different cache sets.
  TileMemory tile_memory(const Box& tile, CopyElement element) const;
  /// Contiguous real lines begin where their half spectra do, so that one tile can hold both.
  void align_tiles();
  void choose_access();
  void plan_transforms();
  LocalProblem tile_problem(const Extents& loops, bool direct_source, bool direct_sink) const;
  /// Whether the local library reads the source array from memory as fast as copies do.
  bool reads_ahead() const;
  /// Whether it writes lines of the sink array to memory as they are done.
  bool streams_lines() const;
  /// Whether neighbors along a transformed axis compete for the same places in cache.
  bool has_conflicts(const PassSide& array) const;
  /// Whether the local library can work on this array as it lies; otherwise copies between it and
  /// the tile touch whole cache lines.
  bool suits_transform(const PassSide& array) const;

  const Context& context_;
  TileGeometry tiles_;
  Tiling tiling_;               // of the box before, transformed axes whole
  bool direct_source_ = false;  // the transform reads the source array itself
  bool direct_sink_ = false;    // the transform writes the sink array itself
  Load load_ = Load::cached;    // of the source; its tiles are in cache
  Store store_ = Store::cached;
  bool in_place_ = false;  // tiles are transformed where they have been gathered
  TileMemory gathered_;    // for the largest tile
  TileMemory transformed_;
  struct Planned {
    Extents shape;                                // of the tile, transformed axes as 1
    std::unique_ptr<LocalTransform> from_source;  // null unless direct_source_
    std::unique_ptr<LocalTransform> from_gathered;
    std::unique_ptr<LocalTransform> between_tiles;  // for functions of results, if these stream
  };
  std::vector<Planned> transforms_;
  Index work_bytes_ = 0;  // of a transform
};

}  // namespace weft
