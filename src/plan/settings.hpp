#pragma once

#include <string>
#include <vector>

#include "exchange/communicator.hpp"
#include "exchange/exchange.hpp"
#include "local/local_transform.hpp"
#include "plan/device_context.hpp"
#include "schedule/planner.hpp"
#include "weft/options.hpp"

namespace weft {

class Recorder;

/// What all programs of a plan share.
struct ProgramSettings {
  ExchangeChoice exchange;
  const LocalBackend* backend = nullptr;
  Rigor rigor = Rigor::estimate;
  bool reorder = true;
  bool overwrite_input = false;
  int threads = 1;
  Index tile_bytes = 0;
  Index fetch_bytes = 0;   ///< arrays larger than this are fetched before it is their turn
  Index stream_bytes = 0;  ///< arrays larger than this are beyond the caches
  Index count_limit = 0;
  Index alignment = 1;  ///< elements of a block of the codec

  Stream* stream = &host_stream();  ///< of passes
  Recorder* recorder = nullptr;     ///< of the field in flight
  bool lossless = false;            ///< messages are compressed as a whole

  /// Whether passes read and write packed messages; otherwise exchanges work on arrays.
  bool fuses() const {
    const ExchangeTraits& traits = exchange.method->traits;
    return traits.family == ExchangeTraits::messages ||
           (traits.family == ExchangeTraits::pipelined && lossless);
  }
};

/// Of a rank. OpenMP ends a process that asks for more threads than the system gives it; other
/// programs leave room for some ten thousand.
inline constexpr int most_threads = 4096;

/// Of OMP_NUM_THREADS, as OpenMP understands it; 0: it is not set.
int threads_of_environment();

/// Collective.
int ranks_on_this_node(const Communicator& comm);

/// Collective: a number that the ranks of a node share. For tests on a single machine the
/// environment may ask for nodes of so many consecutive ranks, whatever they run on.
int number_of_node(const Communicator& comm);

/// Collective: how much data is worked on at a time. Ranks on different machines must build the
/// same schedule.
CacheSizes agreed_caches(const Options& options, const Problem& problem, const Communicator& comm,
                         int ranks_on_node);

/// Collective: what "auto" stands for, or the one that is asked for by name. Each but the last
/// needs memory that ranks share, and the next one takes its place where there is not enough.
std::vector<ExchangeChoice> exchanges_to_try(const Options& options, const Communicator& comm,
                                             int ranks_on_node, const DeviceContext& device);

/// All settings but the exchange, and the alignment that follows from it.
ProgramSettings program_settings(const Options& options, const CacheSizes& caches,
                                 int ranks_on_node);

}  // namespace weft
