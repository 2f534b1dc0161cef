#include "memory_needs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>

#include "exchange/agreement.hpp"
#include "geometry/human_units.hpp"
#include "schedule/problem.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

struct MachineMemory {
  double all = std::numeric_limits<double>::infinity();
  double available = std::numeric_limits<double>::infinity();
};

/// Of /proc/meminfo, and of the control group that limits a container or a job.
MachineMemory machine_memory() {
  MachineMemory memory;
  std::ifstream file("/proc/meminfo");
  double kibibytes = 0;
  std::string unit;
  for (std::string name; file >> name >> kibibytes;) {
    if (name == "MemTotal:") memory.all = kibibytes * 1024;
    if (name == "MemAvailable:") memory.available = kibibytes * 1024;
    std::getline(file, unit);
  }
  double limit = 0, used = 0;
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> limit) {  // else it is the word "max"
    memory.all = std::min(memory.all, limit);
    if (std::ifstream("/sys/fs/cgroup/memory.current") >> used) {
      memory.available = std::min(memory.available, std::max(limit - used, 0.0));
    }
  }
  return memory;
}

std::string counted(double count, const std::string& noun) {
  const auto whole = static_cast<std::int64_t>(count);
  return std::to_string(whole) + " " + noun + (whole == 1 ? "" : "s");
}

class Advice {
 public:
  Advice(const Communicator& comm, const MemoryNeeds& needs)
      : needs_(needs),
        memory_(machine_memory()),
        ranks_(comm.size()),
        ranks_here_(Communicator::split_by_node(comm).size()) {}

  bool is_hopeless() const { return needs_.bytes / ranks_ * ranks_here_ > memory_.all; }

  std::string text() const {
    // Plans, their workspace and the system take their part.
    constexpr double room = 1.5;
    const double machines = std::ceil(room * needs_.bytes / memory_.all);
    std::string text = needs_.what + " need " + human_bytes(needs_.bytes);
    if (ranks_ > 1) text += ", " + human_bytes(needs_.bytes / ranks_) + " on each rank";
    if (!std::isfinite(memory_.all)) return text;
    text += "; this machine, with " + counted(ranks_here_, "rank") + ", has " +
            human_bytes(memory_.all) + " (" + human_bytes(memory_.available) + " available)";
    if (machines * ranks_here_ <= ranks_) return text;
    return text + "; about " + counted(machines * ranks_here_, "rank") + " on " +
           counted(machines, "such machine") + " would be enough";
  }

 private:
  MemoryNeeds needs_;
  MachineMemory memory_;
  double ranks_;
  double ranks_here_;
};

double bytes_of(const Extents& shape, bool complex, Precision precision) {
  double bytes = (precision == Precision::f32 ? 4 : 8) * (complex ? 2 : 1);
  for (const Index length : shape) bytes *= static_cast<double>(length);
  return bytes;
}

}  // namespace

ArrayBytes::ArrayBytes(const Problem& problem, const Communicator& comm) {
  try {
    const ResolvedProblem resolved = resolve(problem, comm.size(), comm.rank());
    input = bytes_of(resolved.shape, resolved.complex_input(), resolved.precision);
    output = bytes_of(resolved.spectral, resolved.complex_output(), resolved.precision);
  } catch (const Error&) {
    input = output = 0;
  }
}

void with_memory(const Communicator& comm, const MemoryNeeds& needs,
                 const std::function<void()>& work) {
  const Advice advice(comm, needs);
  collectively(comm, [&] {
    if (advice.is_hopeless()) throw Error("not enough memory: " + advice.text(), ErrorCode::memory);
  });
  try {
    work();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::memory || needs.bytes == 0) throw;
    throw Error("not enough memory: " + advice.text() + " (" + error.what() + ")",
                ErrorCode::memory);
  }
}

}  // namespace weft
