#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace weft::bench {

/// A counter of the energy that a part of this node has used since some time.
struct EnergyCounter {
  std::string name;  ///< of what it counts, for people
  double joules;     ///< of one unit
  /// In units; empty while it cannot be read. Called by one thread at a time.
  std::function<std::optional<std::uint64_t>()> read;
  std::uint64_t range = 0;  ///< in units, at which it starts again from zero; 0: it never does
};

/// Counters of one kind, whose energy adds up.
struct EnergySource {
  std::string name;
  std::vector<EnergyCounter> counters;
  std::string why_not;  ///< there are none, or not all that are needed; empty where there are
};

/// Processor packages, by RAPL. `powercap`: the folder in which Linux shows them,
/// /sys/class/powercap.
EnergySource processor_energy(const std::string& powercap);
/// GPUs, by NVML. `devices`: those that count, each once, as Transform::device_id() names them.
EnergySource device_energy(const std::vector<std::string>& devices);

/// The power of a source, watched by a thread of its own from construction to stop().
///
/// Counters advance in ticks, some only ten times a second. So power is the energy from the first
/// tick seen to the last over the time between them, which has no part of a tick too many or too
/// few. Counters may start again from zero any number of times, and readings may fail.
class EnergyMeter {
 public:
  explicit EnergyMeter(const EnergySource& source);

  /// Ticks seen so far, of the counter with the fewest.
  int ticks() const { return ticks_; }
  void stop();
  /// After stop(): the sum over the counters; 0 where one of them has fewer than two ticks.
  double watts() const;
  /// After stop(): what makes it unknown; empty where nothing does.
  const std::string& why_not() const { return why_not_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Seen {
    std::optional<std::uint64_t> value;
    std::uint64_t units = 0;  ///< from the first tick to the last
    int ticks = 0;
    Clock::time_point first, last;
    int failures = 0;  ///< to read it, one after another, up to now
  };

  void poll();

  const EnergySource& source_;
  std::vector<Seen> seen_;
  std::string why_not_;
  std::atomic<int> ticks_ = 0;
  std::jthread thread_;
};

}  // namespace weft::bench
