#pragma once

#include <memory>
#include <string>
#include <vector>

#include "exchange/communicator.hpp"
#include "exchange/exchange.hpp"
#include "exchange/group_communicators.hpp"
#include "exchange/progress_engine.hpp"
#include "local/local_transform.hpp"
#include "schedule/machine.hpp"
#include "schedule/problem.hpp"
#include "weft/options.hpp"
#include "weft/plan_info.hpp"
#include "wisdom/known.hpp"

namespace weft {

/// Whether messages are compressed as a whole, without loss.
inline bool is_lossless(const std::string& codec) {
  return codec == "lossless";
}

/// What a plan is to do and what was chosen for it. There is one for each plan, which outlives all
/// of its parts.
struct Context {
  explicit Context(Communicator everybody) : comm(std::move(everybody)), groups(comm) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  bool on_host() const { return weft::on_host(*caller); }
  Index tile_bytes() const { return machine.caches.tile; }
  /// Why these ranks and their devices cannot use an exchange; empty where they can.
  std::string why_not(const ExchangeMethod& method) const {
    if (method.traits.window == ExchangeTraits::machine && !one_machine) {
      return "needs all ranks on one machine";
    }
    if (method.traits.own_devices && !own_devices) {
      return "needs a device for each rank, and some ranks share one";
    }
    return method.traits.memory == ExchangeTraits::device ? method.why_not(device->info()) : "";
  }
  bool reorders() const { return options.reorder.value_or(false); }
  /// Whether passes read and write packed messages; otherwise exchanges work on arrays.
  bool fuses() const {
    const ExchangeTraits& traits = exchange.method->traits;
    return traits.family == ExchangeTraits::messages ||
           (traits.family == ExchangeTraits::pipelined && is_lossless(options.codec));
  }

  Communicator comm;  ///< of all ranks of the plan
  GroupCommunicators groups;
  int node = 0;              ///< a number that the ranks of a node share
  bool one_machine = false;  ///< all ranks have devices of one machine; false on the host
  bool own_devices = false;  ///< no two ranks share a device; false on the host
  ResolvedProblem problem;
  Options options;         ///< that are used; what they leave open has been chosen below
  int threads = 1;         ///< of this rank
  Index fetch_bytes = 0;   ///< arrays larger than this are fetched before it is their turn
  Index stream_bytes = 0;  ///< arrays larger than this are beyond the caches
  Machine machine;
  std::shared_ptr<Device> device;
  std::shared_ptr<Stream> caller;  ///< the caller's stream
  int device_number = -1;          ///< -1 on the host
  const LocalBackend* backend = nullptr;
  ExchangeChoice exchange;
  std::unique_ptr<ProgressEngine> progress;
  Options given;                    ///< by the caller or the environment
  WisdomKey key;                    ///< under which settings are remembered
  Known known;                      ///< before the plan was made
  bool tunes = false;               ///< whether other settings are to be tried
  std::vector<PlanChoice> choices;  ///< of options, as far as they were given
};

}  // namespace weft
