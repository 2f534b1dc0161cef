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

/// How messages that are under way are kept moving while a rank computes. Most MPI libraries move
/// long messages only while they are called.
enum class ProgressBy {
  automatic,  ///< polling
  polling,    ///< MPI is called between tiles of the computation
  thread,  ///< a thread of the plan does it, which needs MPI_THREAD_MULTIPLE and a core to run on
};

/// Whether settings that are left open come from measurements: of earlier runs ("wisdom", see
/// read_wisdom), or made while the plan is created.
enum class Tune {
  wisdom,   ///< what is known is used; nothing is measured
  off,      ///< by rules alone
  measure,  ///< where nothing is known, settings are tried, and the best are used and remembered
  again,    ///< settings are tried whether or not some are known, and remembered
  frozen,   ///< only what is known: creating a plan fails where nothing is
};

/// How to carry out a transform. None of these changes the result beyond rounding, but for `codec`
/// and `tolerance`.
struct Options {
  Algorithm algorithm = Algorithm::automatic;  ///< which intermediate layouts may be used
  Extents grid;  ///< process grid {p0, p1} of pencils; empty: near-square
  /// What the plan works on: "host", or an accelerator, "cuda" or "hip" where built in
  /// (`weft list`). Arrays are then memory of that device, such as cudaMalloc gives, or managed
  /// memory, aligned to the size of a complex number; arrays of the host are copied to and from it.
  /// Ranks may share a device.
  std::string device = "host";
  int device_number =
      -1;  ///< its number among this process's devices; -1: by the rank's number on its node
  /// cudaStream_t or hipStream_t of the caller, of that device, which must exist as long as the
  /// plan; null: the default stream. forward and backward begin in it after what has been put there
  /// before, and have ended when it comes to what is put there afterwards; the caller's thread does
  /// not wait for that, unless an array is the host's, the exchange needs the host (`staged`,
  /// `mpi`) or messages are compressed.
  void* stream = nullptr;
  /// A name of `weft list`, with its parameter if it has one: "node_aware:2". "auto" is
  /// node_shared where ranks share a node and data is not compressed, otherwise p2p. On devices it
  /// is peer where all ranks are on one machine (peer_packed where data is compressed), otherwise
  /// nccl, where built in, or staged.
  std::string exchange = "auto";
  /// A name of `weft list`; "auto" is weft's own "stockham" on processors with AVX2, else MKL,
  /// where built in, on Intel's processors, else FFTW. FFTW stands in for what the chosen one does
  /// not offer or not accurately enough (MKL, stockham: lengths with prime factors above 13;
  /// stockham: lines of more than 8192 complex points).
  std::string local = "auto";
  /// Tiles are transposed so that transformed lines are contiguous; otherwise lines stay strided as
  /// they lie in memory. Default: not.
  std::optional<bool> reorder;
  /// Allows forward and backward to overwrite their input.
  bool overwrite_input = false;
  Rigor rigor = Rigor::automatic;  ///< how much time planning may take
  int threads = 0;  ///< threads of this rank, at most 4096; 0: OMP_NUM_THREADS, else cores / ranks
  Index tile_bytes = 0;     ///< size of cache-resident tiles; 0: from the cache of this machine
  Index stream_bytes = -1;  ///< arrays larger than this are written past the cache; -1: by machine
  /// How packed messages are compressed: a name of `weft list` with its parameter, as "bfp:16", or
  /// "none". "auto" follows from the tolerance. On devices there are bfp, trim and cast.
  std::string codec = "auto";
  /// Relative L2 error, more than 0 and less than 1, that forward, or backward, may have. Messages
  /// are compressed as far as that allows, the error that this makes is measured in every run, and
  /// messages that would exceed their share are sent again with more bits (see Plan::report). A
  /// tolerance tighter than the precision means no compression.
  std::optional<double> tolerance;
  /// Into so many parts each redistribution is cut, where the layouts permit, so that one travels
  /// while others are transformed: what a rank sends in parts that leave one after another, and
  /// what it receives in as many that arrive so. They are the same parts where both sides have an
  /// axis to cut that stays as it is. 0: one on the host; on devices by the size of the array
  /// and by how many ranks there are.
  Index chunks = 0;
  /// Parts of what a rank receives in forward, if there are to be fewer or more of them than of
  /// what it sends; in backward the two numbers change places. 0: as many.
  Index receive_chunks = 0;
  /// Fields that forward_many and backward_many keep under way at a time. Each takes its own
  /// workspace.
  int fields_in_flight = 1;
  ProgressBy progress = ProgressBy::automatic;  ///< what keeps messages moving meanwhile
  /// Whether StageTiming::parts tells what each step of Plan::timings spends its time on, which
  /// takes a look at the clock, or an event on a device, for every part of a tile.
  bool breakdown = false;
  /// Whether the plan allocates its workspace. Otherwise PlanInfo::workspace_bytes tells how much
  /// it needs, and Plan::set_workspace must be called before the first transform.
  bool allocate_workspace = true;
  Tune tune = Tune::wisdom;  ///< whether settings that are left open come from measurements
  int tune_seconds = 10;     ///< that trying settings may take, by the clock of rank 0
  int tune_trials = 30;      ///< settings that are tried, at most, the defaults among them
  /// Largest count handed to MPI in one argument. Larger buffers are sent in larger units.
  Index mpi_count_limit = 2147483647;
};

/// Options as text, of which other languages, the command and the environment make use:
/// "chunks=4, exchange=p2p, tolerance=1e-6". Names are those of the members; `weft list` shows
/// all of them, with their values. Numbers of `grid` are written "2x4", what is yes or no "yes" or
/// "no", and whatever weft chooses by itself may be written "auto". Throws Error for names and
/// values that are unknown or out of range. What the text does not name stays as in `others`.
Options parse_options(const std::string& text, Options others = {});
/// Changes one of them.
void set_option(Options& options, const std::string& name, const std::string& value);
/// Those that differ from the defaults, as parse_options reads them.
std::string to_string(const Options& options);

}  // namespace weft
