#pragma once

#include <optional>
#include <string>

#include "weft/axes.hpp"

namespace weft {

/// Which intermediate layouts the planner may use.
enum class Algorithm {
  automatic,  ///< the cheapest by the cost model
  slab,       ///< intermediate layouts split one axis
  pencil,     ///< intermediate layouts split two axes
};

/// How much time a local FFT library may spend on planning: FFTW's flags of these names.
enum class Rigor {
  automatic,  ///< estimate
  estimate,   ///< none: plans by rules
  measure,    ///< tries several ways
  patient,    ///< tries many
};

/// How messages make progress while a rank computes. Most MPI libraries move long messages only
/// during MPI calls.
enum class ProgressBy {
  automatic,  ///< polling
  polling,    ///< MPI is called between tiles of the computation
  thread,     ///< a thread of the plan calls MPI; needs MPI_THREAD_MULTIPLE and a core of its own
};

/// Whether settings that are not given come from measurements: those of earlier runs ("wisdom", see
/// read_wisdom), or new ones, made while the plan is created.
enum class Tune {
  wisdom,   ///< known settings are used; nothing is measured
  off,      ///< settings follow from rules alone
  measure,  ///< if no settings are known, they are searched, used and remembered
  again,    ///< settings are searched and remembered, even if some are known
  frozen,   ///< known settings are used; creating a plan fails if there are none
};

/// How to carry out a transform. Except `codec` and `tolerance`, no option changes the result
/// beyond rounding.
struct Options {
  Algorithm algorithm = Algorithm::automatic;  ///< which intermediate layouts may be used
  Extents grid;  ///< process grid {p0, p1} of pencils; empty: near-square
  /// Where the plan works: on the "host", or on an accelerator, "cuda" or "hip" if built in (`weft
  /// list`). Arrays are then in memory of that device, from cudaMalloc or managed, aligned to the
  /// size of a complex number; arrays in host memory are copied to and from it. Ranks may share a
  /// device.
  std::string device = "host";
  /// Number of the device in this process; -1: from the number of the rank on its node.
  int device_number = -1;
  /// cudaStream_t or hipStream_t of the caller, of that device, which must exist as long as the
  /// plan; null: the default stream. forward and backward are stream-ordered: they start after
  /// earlier work in this stream, and are complete before later work starts. The calling thread
  /// does not wait for them, unless an array is in host memory, the exchange needs the host
  /// (`staged`, `mpi`), or messages are compressed.
  void* stream = nullptr;
  /// A name of `weft list`, with its parameter if it has one: "node_aware:2". "auto" is node_shared
  /// if ranks share a node and data is not compressed, and p2p otherwise. On devices it is peer if
  /// all ranks are on one machine (peer_packed if data is compressed), and otherwise nccl, if built
  /// in, or staged.
  std::string exchange = "auto";
  /// The backend for 1-D FFTs, a name of `weft list`; "auto" is weft's own "stockham" on processors
  /// with AVX2, else MKL, if built in, on Intel processors, else FFTW. FFTW computes what the
  /// chosen backend does not offer or not accurately enough (MKL, stockham: lengths with prime
  /// factors above 13; stockham: lines of more than 8192 complex points).
  std::string local = "auto";
  /// Whether tiles are transposed so that transformed lines are contiguous; otherwise lines stay
  /// strided as they are in memory. Default: no.
  std::optional<bool> reorder;
  /// Allows forward and backward to overwrite their input.
  bool overwrite_input = false;
  Rigor rigor = Rigor::automatic;  ///< how much time planning may take
  int threads = 0;  ///< threads of this rank, at most 4096; 0: OMP_NUM_THREADS, else cores / ranks
  Index tile_bytes = 0;     ///< size of cache-resident tiles; 0: from the cache of this machine
  Index stream_bytes = -1;  ///< larger arrays are written with streaming stores; -1: by machine
  /// How packed messages are compressed: a name of `weft list` with its parameter, as "bfp:16", or
  /// "none". "auto" follows from the tolerance. On devices there are bfp, trim and cast.
  std::string codec = "auto";
  /// Relative L2 error, more than 0 and less than 1, that compression may add to forward, or to
  /// backward. Messages are compressed as far as that permits, the error is measured in every run,
  /// and messages that would exceed their share are sent again with more bits (see Plan::report). A
  /// tolerance below the precision means no compression.
  std::optional<double> tolerance;
  /// Number of chunks into which each redistribution is cut, if the layouts permit, so that one
  /// chunk travels while others are transformed. The data that a rank sends and the data that it
  /// receives are cut into this many parts; they are the same parts if both sides can be cut along
  /// an axis that the redistribution leaves alone. 0: one on the host; on devices depends on the
  /// size of the array and the number of ranks.
  Index chunks = 0;
  /// Number of parts of the data that a rank receives in forward, if it differs from `chunks`; in
  /// backward the two numbers change places. 0: the same.
  Index receive_chunks = 0;
  /// Number of fields that forward_many and backward_many keep in flight. Each has its own
  /// workspace.
  int fields_in_flight = 1;
  ProgressBy progress = ProgressBy::automatic;  ///< what keeps messages moving meanwhile
  /// Whether StageTiming::parts has the time of each part of a step. This costs a look at the
  /// clock, or an event on a device, for every part of a tile.
  bool breakdown = false;
  /// Whether the plan allocates its workspace. Otherwise call Plan::set_workspace, with at least
  /// PlanInfo::workspace_bytes, before the first transform.
  bool allocate_workspace = true;
  Tune tune = Tune::wisdom;  ///< whether settings that are not given come from measurements
  int tune_seconds = 10;     ///< time that the search may take, by the clock of rank 0
  int tune_trials = 30;      ///< largest number of settings to try, including the defaults
  /// Largest count passed to MPI in one argument. Larger buffers are sent in larger units.
  Index mpi_count_limit = 2147483647;
};

/// Reads options from text, as other languages, the command and the environment do: "chunks=4,
/// exchange=p2p, tolerance=1e-6". Names are those of the members; `weft list options` shows all of
/// them with their values. `grid` is written "2x4", switches are "yes" or "no", and "auto" leaves a
/// choice to weft. Options that the text does not name are taken from `others`. Throws Error for
/// names and values that are unknown or out of range.
Options parse_options(const std::string& text, Options others = {});
/// Sets one option from text.
void set_option(Options& options, const std::string& name, const std::string& value);
/// Options that differ from the defaults, as text that parse_options reads.
std::string to_string(const Options& options);

}  // namespace weft
