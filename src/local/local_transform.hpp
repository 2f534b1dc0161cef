#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/encoding_sums.hpp"
#include "kind/modes.hpp"
#include "weft/kernels/point_places.hpp"
#include "weft/kinds.hpp"
#include "weft/options.hpp"

namespace weft {

/// One axis of a local transform: logical length (of the real side for r2c) and distances in
/// elements of the respective type.
struct LocalAxis {
  Index length;
  Index in_stride;
  Index out_stride;
  /// Of a transformed axis: elements that exist in memory on either side, 0: all. In physical space
  /// these are the first ones, in spectral space those of split_modes; the others are zero in the
  /// input and dropped from the output. The transform stays one of `length` points.
  Index in_points = 0;
  Index out_points = 0;
};

/// A side that is cut along a transformed axis into pieces, each with memory of its own: messages.
struct LocalPieces {
  struct Piece {
    Index end;  ///< along that axis; none is empty
    /// Along the axes of the problem. Those of the first piece are also the problem's.
    Strides transform, batch;
  };
  int axis = -1;  ///< its number among those of the transform; -1: the side is whole
  std::vector<Piece> pieces;
  int sums = 1;  ///< arrays of sums that the pieces of a run may have

  bool empty() const { return axis < 0; }
};

/// A batched strided transform of axes that are whole in this rank. The kinds of the axes may be
/// any mix of c2c with cosine and sine transforms; the last one may be r2c.
struct LocalProblem {
  Axes<LocalAxis> transform;  ///< in memory order or not; an r2c axis stands last
  Axes<Kind> kinds;           ///< of the transformed axes
  Axes<LocalAxis> batch;      ///< loops around the transform
  Direction direction = Direction::forward;
  Precision precision = Precision::f64;
  bool real_data = false;      ///< real numbers on both sides: cosine and sine transforms only
  bool orthogonal = false;     ///< cosine and sine transforms with orthogonal matrices
  bool in_place = false;       ///< the output is the input; strides and types of both are the same
  bool preserve_input = true;  ///< false: execute may overwrite its input
  bool any_alignment = false;  ///< pointers may be aligned to an element only
  bool from_memory = false;    ///< the input lies beyond the caches
  bool to_memory = false;      ///< the output does
  int threads = 1;             ///< that execute may use itself
  Rigor rigor = Rigor::estimate;
  double scale = 1;  ///< results are multiplied by this, where the backend `scales`
  /// On a device, where the backend takes `any_layout`.
  LocalPieces in_pieces, out_pieces;
  /// Where the transform is submitted.
  Stream* stream = &host_stream();
  /// On a device: cosine and sine transforms, and those of long lines, work on as many lines at a
  /// time as fit in this.
  Index most_work_bytes = Index{512} << 20;

  bool has_pieces() const { return !in_pieces.empty() || !out_pieces.empty(); }
  bool real() const { return !kinds.empty() && kinds.back() == Kind::r2c; }
  bool real_input() const { return real_data || (real() && direction == Direction::forward); }
  bool on_host() const { return weft::on_host(*stream); }
  bool real_output() const { return real_data || (real() && direction == Direction::backward); }
};

/// Elements along a transformed axis on one side: all that the transform has ...
Index whole_points(const LocalProblem& problem, int axis, bool input);
/// ... those that exist in memory ...
Index stored_points(const LocalProblem& problem, int axis, bool input);
/// ... and how many of these are at the begin and at the end of all.
ModeSplit stored_split(const LocalProblem& problem, int axis, bool input);
/// Whether any elements do not exist. Libraries do not have to support that.
bool is_pruned(const LocalProblem& problem);
/// Whether results lie where the numbers did that they are made of: no axis is halved, and strides
/// are those of the input.
bool keeps_places(const LocalProblem& problem);

/// What a transform on a device does as it loads its input and stores its output: it applies
/// callbacks, and reads and writes messages.
struct FusedSides {
  /// Where a piece is in a run.
  struct Piece {
    std::byte* data;  ///< its first element; null: it is not written
    bool is_short;    ///< it has_codes_of_half_size
    /// To which writing adds what shortening did, encoding_sums of them; null: nobody asks.
    EncodingSums* sums = nullptr;
  };
  struct Side {
    Side() = default;  ///< none
    /// Of an array's numbers; none where the function, or the places of these, do not allow it.
    Side(const detail::PointFunction& applied, const PointBlock& numbers) {
      if (applied.fused_calls() != nullptr && make_point_places(numbers, places)) {
        function = &applied;
      }
    }

    const detail::PointFunction* function = nullptr;  ///< null: none
    detail::PointPlaces places;                       ///< by distance from the first element
    std::span<const Piece> pieces;                    ///< of a side in pieces
  };
  Side input, output;

  /// Whether there are no callbacks.
  bool empty() const { return input.function == nullptr && output.function == nullptr; }
  bool both() const { return input.function != nullptr && output.function != nullptr; }
  bool on_input() const { return input.function != nullptr; }
  const Side& only() const { return on_input() ? input : output; }  ///< unless there are both
};

/// A planned local transform. execute may be called from several threads at a time with different
/// data and different memory to work in; on a device, by one thread at a time. It allocates nothing
/// of its own.
class LocalTransform {
 public:
  virtual ~LocalTransform() = default;
  /// Bytes that execute needs for itself, for all its threads.
  virtual std::size_t work_bytes() const { return 0; }
  /// `work` is aligned to buffer_alignment; null will do where no bytes are needed. On a device, it
  /// must be left alone until what was submitted is done.
  virtual void execute(const std::byte* in, std::byte* out, std::byte* work) const = 0;
  /// Whether it applies these in one execution.
  virtual bool fuses(const FusedSides& sides) const { return sides.empty(); }
  /// The same with callbacks that it `fuses`.
  virtual void execute_fused(const std::byte* in, std::byte* out, std::byte* work,
                             const FusedSides&) const {
    execute(in, out, work);
  }
  /// Whether `out` may be equal to `in`, also if the problem did not ask for that.
  virtual bool works_in_place() const { return false; }
};

/// A local FFT library. Adding one: a file with these functions and a row in registry.cpp.
struct LocalBackend {
  const char* name;
  const char* description;
  /// Whether it can be used on this machine.
  bool (*usable)();
  /// Whether it is fast on this processor; "auto" passes over it otherwise.
  bool (*recommended)();
  /// Whether it can do this, to the accuracy promised: relative L2 error 5 eps log2 n.
  bool (*supports)(const LocalProblem& problem);
  /// Throws Error when planning fails.
  std::unique_ptr<LocalTransform> (*make)(const LocalProblem& problem);
  bool in_place = false;        ///< its complex transforms work in place
  bool scales = false;          ///< otherwise it knows no scale but 1
  const char* device = "host";  ///< name of the kind of device that it works on
  bool fetches_ahead = false;   ///< it reads contiguous lines from memory as fast as copies do
  bool streams = false;         ///< it writes contiguous lines to memory past the caches
  /// On a device: it works at full speed however arrays lie, a single axis may be pruned, and sides
  /// may be in pieces.
  bool any_layout = false;
};

/// All backends that were built in, the best first.
const std::vector<LocalBackend>& local_backends();
/// Transforms whatever another backend does not support: FFTW.
const LocalBackend& fallback_backend();
/// A transform by this backend as far as it goes: what it does not support is made of several
/// transforms that it does, or left to the fallback; on a device it is an error. Throws Error when
/// planning fails.
std::unique_ptr<LocalTransform> make_local(const LocalBackend& backend,
                                           const LocalProblem& problem);
/// By name; "auto" is the first usable and recommended one for this kind of device. Throws Error
/// for unknown or unusable names.
const LocalBackend& find_local_backend(const std::string& name, const std::string& device = "host");

}  // namespace weft
