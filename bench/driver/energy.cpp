#include "driver/energy.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <fstream>
#include <optional>

namespace weft::bench {

namespace {

std::optional<std::uint64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  if (file >> value) return value;
  return std::nullopt;
}

/// The few functions of NVML that are needed, found when the program runs: the library belongs to
/// the driver and is not there on machines without a GPU.
class Nvml {
 public:
  Nvml() {
    void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (library == nullptr) return;
    find(library, "nvmlInit_v2", init_);
    find(library, "nvmlDeviceGetCount_v2", count_);
    find(library, "nvmlDeviceGetHandleByIndex_v2", handle_);
    find(library, "nvmlDeviceGetTotalEnergyConsumption", energy_);
    ready_ = init_ && count_ && handle_ && energy_ && init_() == 0;
  }

  /// Of all devices of the node since the driver was loaded.
  std::optional<double> joules() const {
    unsigned devices = 0;
    if (!ready_ || count_(&devices) != 0 || devices == 0) return std::nullopt;
    double sum = 0;
    for (unsigned i = 0; i < devices; ++i) {
      void* device = nullptr;
      unsigned long long millijoules = 0;
      if (handle_(i, &device) != 0 || energy_(device, &millijoules) != 0) return std::nullopt;
      sum += 1e-3 * static_cast<double>(millijoules);
    }
    return sum;
  }

 private:
  template <class Function>
  static void find(void* library, const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(dlsym(library, name));
  }

  bool ready_ = false;
  int (*init_)() = nullptr;
  int (*count_)(unsigned*) = nullptr;
  int (*handle_)(unsigned, void**) = nullptr;
  int (*energy_)(void*, unsigned long long*) = nullptr;
};

const Nvml& nvml() {
  static const Nvml instance;
  return instance;
}

}  // namespace

EnergyMeter::EnergyMeter(const std::string& device) : on_device_(device != "host") {
  if (on_device_) {
    source_ = "NVML";
    if (!nvml().joules()) why_not_ = "NVML does not tell the energy of the devices";
    return;
  }
  source_ = "RAPL";
  const std::filesystem::path root = "/sys/class/powercap";
  std::error_code error;
  bool found = false;
  for (const auto& entry : std::filesystem::directory_iterator(root, error)) {
    const std::string name = entry.path().filename();
    // Packages are intel-rapl:0, intel-rapl:1 (of AMD too); deeper ones are parts of them.
    if (!name.starts_with("intel-rapl:") || name.find(':', 11) != name.npos) continue;
    found = true;
    const std::string path = entry.path() / "energy_uj";
    const auto range = number_in(entry.path() / "max_energy_range_uj");
    if (number_in(path) && range) packages_.push_back({path, *range, 0});
  }
  if (!packages_.empty()) return;
  why_not_ = found ? "the counters in /sys/class/powercap are not readable by this user"
                   : "this machine has no counters in /sys/class/powercap";
}

void EnergyMeter::start() {
  if (on_device_) devices_begin_ = nvml().joules().value_or(0);
  for (Counter& package : packages_) package.begin = number_in(package.path).value_or(0);
}

void EnergyMeter::stop() {
  if (on_device_) joules_ += nvml().joules().value_or(0) - devices_begin_;
  for (const Counter& package : packages_) {
    const std::uint64_t end = number_in(package.path).value_or(0);
    const std::uint64_t used =
        end >= package.begin ? end - package.begin : end + package.range - package.begin;
    joules_ += 1e-6 * static_cast<double>(used);
  }
}

}  // namespace weft::bench
