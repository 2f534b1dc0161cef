#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "device/buffer.hpp"
#include "local/local_transform.hpp"
#include "local/side_pieces.hpp"
#include "weft/kernels/fused_pass.hpp"
#include "weft/kernels/plane_pass.hpp"
#include "weft/kernels/planned_shape.hpp"

namespace weft {

/// The kernel that a device has for a pass, as it knows that. The emulated device has none.
using LineKernel = void*;

/// A device that runs passes over lines.
struct LineRunner {
  /// Of the current device: bytes that a block of threads can share.
  std::size_t (*shared_bytes)();
  /// Blocks of threads that last on the current device, and fetch lines while they transform
  /// others.
  std::uint32_t (*lasting_blocks)();
  /// Makes a pass ready to be run by the current device: loading its kernel waits for kernels that
  /// run, which may wait for what is still to be submitted.
  LineKernel (*prepare)(Precision precision, const LinePass& pass);
  /// Submits a pass to a stream.
  void (*run)(Stream& stream, Precision precision, LineKernel kernel, const LinePass& pass);
  /// The same of a pass whose sides are in pieces.
  LineKernel (*prepare_pieces)(Precision precision, const PieceLines& pass);
  void (*run_pieces)(Stream& stream, Precision precision, LineKernel kernel,
                     const PieceLines& pass);
  /// The same of a pass over planes, and decides on the order of its blocks. Nothing: it cannot be
  /// run, or would not be faster than two passes.
  std::optional<LineKernel> (*prepare_planes)(Precision precision, PlanePass<>& pass);
  void (*run_planes)(Stream& stream, Precision precision, LineKernel kernel,
                     const PlanePass<>& pass);
  /// Whether it runs a pass of complex lines that applies a function.
  bool (*fuses)(const detail::FusedCalls& calls, const detail::FusedPass& pass);
  /// Submits one whose function has been loaded.
  void (*run_fused)(Stream& stream, const detail::PointFunction& function,
                    const detail::FusedPass& pass);
};

/// Collects tables, then holds them in memory of a device.
class LineTables {
 public:
  /// Where a table will be; valid once they are loaded.
  template <class Entry>
  std::size_t add(const std::vector<Entry>& table) {
    const std::size_t bytes = table.size() * sizeof(Entry);
    return add_bytes(reinterpret_cast<const std::byte*>(table.data()), bytes);
  }
  /// Copies them, and waits for that.
  void load(Stream& stream);
  template <class Entry = void>
  const Entry* at(std::size_t place) const {
    return reinterpret_cast<const Entry*>(memory_.data() + place);
  }

 private:
  std::size_t add_bytes(const std::byte* data, std::size_t bytes);

  std::vector<std::byte> collected_;
  Buffer memory_;
};

/// The stages of a transform of complex lines of `points`, which must have radices, and how a block
/// of threads with such memory does lines of a form. `block_lines` are there for
/// each block that may last, 0: none may.
class LinePlan {
 public:
  LinePlan(Index points, Precision precision, LineForm form, const stockham::BlockMemory& memory,
           Index block_lines = 0);

  /// Whether lines of so many points have radices, and a block has room for one.
  static bool exists(Index points, Precision precision, const stockham::BlockMemory& memory);

  /// Whether blocks are wide, and last.
  bool is_wide() const { return is_wide_; }
  /// Adds what stages need.
  void add_to(LineTables& tables);
  /// Enters stages, and threads for this many lines. The tables have been loaded.
  void enter(const LineTables& tables, Index lines, LinePass& pass) const;

 private:
  /// A shape, where a block has room for it. A wide one is for blocks that take lines twice.
  void take(const stockham::LineRadices& radices, int lanes, int threads, bool is_wide,
            Index block_lines);
  template <class Real>
  void take_known(LineForm form, Index block_lines);
  template <class Real>
  std::size_t add_twiddles(LineTables& tables, int stage) const;
  std::vector<std::int32_t> first_rows(int stage) const;

  stockham::PlannedLines planned_;
  int lanes_ = 0, threads_ = 0;  ///< of a shape that was measured; otherwise 0
  bool is_wide_ = false;         ///< such a shape
  struct Places {
    std::size_t rows, twiddles;
  };
  std::vector<Places> places_;
};

}  // namespace weft
