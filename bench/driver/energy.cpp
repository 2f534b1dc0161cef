#include "driver/energy.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

namespace weft::bench {

namespace {

namespace fs = std::filesystem;

/// Reading a counter takes microseconds: this leaves the work alone, and sees every tick of all
/// but the fastest counters, of which there are enough.
constexpr std::chrono::milliseconds between_polls(5);
/// A counter that cannot be read so many times at the end is gone.
constexpr int most_failures = 10;

std::optional<std::uint64_t> number_in(const fs::path& path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  if (file >> value) return value;
  return std::nullopt;
}

/// Packages are intel-rapl:0, intel-rapl:1 (of AMD too). Zones within them have a second number;
/// on some machines another zone, psys, counts all of the machine, the packages once more.
bool is_package(const fs::path& zone) {
  const std::string file = zone.filename();
  std::string name;
  std::ifstream(zone / "name") >> name;
  return file.starts_with("intel-rapl:") && file.find(':', 11) == file.npos && name != "psys";
}

/// The few functions of NVML that are needed, found when the program runs: the library belongs to
/// the driver and is not there on machines without a GPU.
class Nvml {
 public:
  Nvml() {
    void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (library == nullptr) return;
    find(library, "nvmlInit_v2", init_);
    find(library, "nvmlDeviceGetHandleByPciBusId_v2", by_bus_id_);
    find(library, "nvmlDeviceGetHandleByUUID", by_uuid_);
    find(library, "nvmlDeviceGetTotalEnergyConsumption", energy_);
    ready_ = init_ && by_bus_id_ && by_uuid_ && energy_ && init_() == 0;
  }

  bool ready() const { return ready_; }
  /// Null where there is no such device.
  void* device(const std::string& name) const {
    void* device = nullptr;
    const auto look_up = name.starts_with("GPU-") ? by_uuid_ : by_bus_id_;
    return look_up(name.c_str(), &device) == 0 ? device : nullptr;
  }
  /// Since the driver was loaded.
  std::optional<std::uint64_t> millijoules(void* device) const {
    unsigned long long value = 0;
    if (energy_(device, &value) != 0) return std::nullopt;
    return value;
  }

 private:
  template <class Function>
  static void find(void* library, const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(dlsym(library, name));
  }

  bool ready_ = false;
  int (*init_)() = nullptr;
  int (*by_bus_id_)(const char*, void**) = nullptr;
  int (*by_uuid_)(const char*, void**) = nullptr;
  int (*energy_)(void*, unsigned long long*) = nullptr;
};

const Nvml& nvml() {
  static const Nvml instance;
  return instance;
}

}  // namespace

EnergySource processor_energy(const std::string& powercap) {
  EnergySource source{.name = "RAPL", .counters = {}, .why_not = {}};
  std::error_code error;
  for (const auto& zone : fs::directory_iterator(powercap, error)) {
    if (!is_package(zone.path())) continue;
    const fs::path path = zone.path() / "energy_uj";
    const auto range = number_in(zone.path() / "max_energy_range_uj");
    if (!range || !number_in(path)) {
      source.why_not = path.string() + " cannot be read by this user";
    }
    source.counters.push_back({.name = zone.path().filename(),
                               .joules = 1e-6,
                               .read = [path] { return number_in(path); },
                               .range = range.value_or(0)});
  }
  if (source.counters.empty()) source.why_not = "no energy counters in " + powercap;
  return source;
}

EnergySource device_energy(const std::vector<std::string>& devices) {
  EnergySource source{.name = "NVML", .counters = {}, .why_not = {}};
  if (!nvml().ready()) {
    source.why_not = "NVML is not here, or too old to tell energy";
    return source;
  }
  for (const std::string& name : devices) {
    void* const device = nvml().device(name);
    if (device == nullptr || !nvml().millijoules(device)) {
      source.why_not = "NVML tells no energy of the device " + name;
      return source;
    }
    source.counters.push_back(
        {.name = name, .joules = 1e-3, .read = [device] { return nvml().millijoules(device); }});
  }
  return source;
}

EnergyMeter::EnergyMeter(const EnergySource& source)
    : source_(source), seen_(source.counters.size()) {
  if (seen_.empty()) return;
  thread_ = std::jthread([this](const std::stop_token& stop) {
    for (; !stop.stop_requested(); std::this_thread::sleep_for(between_polls)) poll();
    poll();
  });
}

void EnergyMeter::poll() {
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    Seen& seen = seen_[i];
    const EnergyCounter& counter = source_.counters[i];
    const std::optional<std::uint64_t> value = counter.read();
    seen.failures = value ? 0 : seen.failures + 1;
    if (!value || value == seen.value) continue;
    const std::optional<std::uint64_t> before = std::exchange(seen.value, value);
    if (!before) continue;
    if (*value < *before && counter.range == 0) {
      why_not_ = "the counter of " + counter.name + " was set back";
    }
    seen.last = Clock::now();
    if (seen.ticks++ == 0) {
      seen.first = seen.last;
    } else {
      seen.units += *value >= *before ? *value - *before : *value + counter.range - *before;
    }
  }
  const auto fewest = std::min_element(
      seen_.begin(), seen_.end(), [](const Seen& a, const Seen& b) { return a.ticks < b.ticks; });
  ticks_ = fewest->ticks;
}

void EnergyMeter::stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    if (seen_[i].failures < most_failures) continue;
    why_not_ = "the counter of " + source_.counters[i].name + " vanished";
  }
}

double EnergyMeter::watts() const {
  double sum = 0;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const Seen& seen = seen_[i];
    if (seen.ticks < 2) return 0;
    const std::chrono::duration<double> time = seen.last - seen.first;
    sum += source_.counters[i].joules * static_cast<double>(seen.units) / time.count();
  }
  return sum;
}

}  // namespace weft::bench
