#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/host_copy.hpp"
#include "local/local_transform.hpp"
#include "plan/encoding.hpp"
#include "plan/message_pump.hpp"
#include "plan/point_calls.hpp"
#include "plan/side.hpp"
#include "schedule/tiling.hpp"

namespace weft {

/// What a pass does. Boxes are those of this rank.
struct PassRequest {
  Side source;
  Side sink;
  Box before;
  Box after;
  AxisList axes;     ///< transformed, in order; none: the pass is a copy
  Axes<Kind> kinds;  ///< of all axes of the array
  Extents lengths;   ///< of the transforms, of all axes
  Direction direction = Direction::forward;
  Precision precision = Precision::f64;
  bool orthogonal = false;
  double scale = 1;
  bool source_may_be_destroyed = false;
  bool reads_input = false;    ///< of the user: functions may be applied to it
  bool writes_result = false;  ///< to the user's output: functions may be applied to it
  const LocalBackend* backend = nullptr;
  Rigor rigor = Rigor::estimate;
  bool reorder = true;
  int threads = 1;
  Index tile_bytes = 0;
  Index stream_bytes = 0;
  Index parts = 1;      ///< passes that write the array together, for the choice of stores
  Index alignment = 1;  ///< elements of a block of the codec
};

/// One pass over memory, tile by tile: gather a tile from the source's pieces into cache, transform
/// it there, and scatter it to the sink's pieces. Gather and scatter are left out where the
/// transform can read or write the array itself. Threads share the tiles.
class Pass {
 public:
  explicit Pass(const PassRequest& request);

  /// Bytes of scratch memory that run needs, aligned to buffer_alignment.
  Index scratch_bytes() const;
  /// Between tiles messages that are under way move on. With `only`, nothing is written but the
  /// messages of that encoding.
  void run(const SlotBases& bases, std::byte* scratch, const PointCalls& calls,
           MessagePump* pump = nullptr, const Encoding* only = nullptr) const;

  const Side& source() const { return request_.source; }
  const Side& sink() const { return request_.sink; }
  bool writes_result() const { return request_.writes_result; }

  /// Whether source and sink may start at the same address: no tile then writes what another one
  /// reads.
  bool works_in_place() const;
  /// Bytes read and written in one run.
  Index bytes() const;

 private:
  /// A tile in scratch memory: dense but for padding that keeps columns in different cache sets.
  struct TileMemory {
    Strides stride;
    Index elements = 0;
  };

  /// What the tiles of one thread share.
  struct Run {
    const SlotBases& bases;
    std::byte* scratch;
    const PointCalls& calls;
    const Encoding* only;

    const PointFunction& on_input() const { return calls.functions.input; }
    const PointFunction& on_output() const { return calls.functions.output; }
  };

  void run_tile(Index number, const Run& run) const;
  void copy_tile(const Box& tile, const Run& run) const;
  void gather(const Box& box, const Run& run, std::byte* tile) const;
  void scatter(const Box& box, const Run& run, std::byte* tile) const;
  /// Moves a box between a block of numbers and a piece.
  void read_piece(const Piece& piece, const Box& box, const Run& run, const MutableBlock& to) const;
  void write_piece(const Piece& piece, const Box& box, const Run& run, const ConstBlock& from,
                   double scale) const;
  std::byte* encoding_buffer(const Run& run) const;
  /// Of one thread.
  Index scratch_of_tiles() const;
  std::byte* transform_work(const Run& run) const;
  Box before_of(const Box& tile) const;
  Box after_of(const Box& tile) const;
  TileMemory tile_memory(const Box& tile, bool complex) const;
  /// Contiguous real lines begin where their half spectra do, so that one tile can hold both.
  void align_tiles();
  /// Whether the transform leaves some axis with fewer or more elements than it had, apart from the
  /// halving of real lines.
  bool changes_lengths() const;
  void choose_access();
  void plan_transforms();
  std::unique_ptr<LocalTransform> plan_transform(const Extents& loops, bool direct_source) const;
  /// Whether neighbours along a transformed axis compete for the same places in cache.
  bool has_conflicts(const Piece& piece, bool complex) const;
  /// Whether the local library can work on this array as it lies; otherwise copies between it and
  /// the tile touch whole cache lines.
  bool suits_transform(const Piece& piece, bool complex) const;
  CopyElement element(bool complex) const;
  Index element_bytes(bool complex) const;

  PassRequest request_;
  Tiling tiling_;               // of the box before, transformed axes whole
  bool encoded_ = false;        // source or sink are messages that may be encoded
  bool direct_source_ = false;  // the transform reads the source array itself
  bool direct_sink_ = false;    // the transform writes the sink array itself
  Store store_ = Store::cached;
  bool in_place_ = false;  // tiles are transformed where they have been gathered
  TileMemory gathered_;    // for the largest tile
  TileMemory transformed_;
  struct Planned {
    Extents shape;                                // of the tile, transformed axes as 1
    std::unique_ptr<LocalTransform> from_source;  // null unless direct_source_
    std::unique_ptr<LocalTransform> from_gathered;
  };
  const Planned& planned_for(const Box& tile) const;

  std::vector<Planned> transforms_;
  Index work_bytes_ = 0;  // of a transform
};

}  // namespace weft
