#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft::bench {

/// Energy counters of the node that this process runs on: RAPL of the processor packages (Linux
/// powercap), or NVML where the work is done on a device.
class EnergyMeter {
 public:
  /// `device`: "host" or "cuda".
  explicit EnergyMeter(const std::string& device);

  const std::string& source() const { return source_; }
  /// Why nothing can be read; empty where it can.
  const std::string& why_not() const { return why_not_; }
  /// Notes the counters.
  void start();
  /// Adds what was used since start().
  void stop();
  double joules() const { return joules_; }

 private:
  struct Counter {
    std::string path;
    std::uint64_t range = 0;  ///< at which it starts again from zero, in microjoules
    std::uint64_t begin = 0;
  };

  std::string source_;
  std::string why_not_;
  std::vector<Counter> packages_;
  double devices_begin_ = 0;
  bool on_device_ = false;
  double joules_ = 0;
};

}  // namespace weft::bench
