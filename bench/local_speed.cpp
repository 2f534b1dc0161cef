// Speed of every local backend on the problems that plans give them: batches of lines in
// cache-resident tiles. Backends take turns; the figures are medians in GFLOP/s, by 5 n log2 n
// operations for complex lines and half of that for real ones. Arguments are lengths, and kinds
// instead of c2c and r2c; cosine and sine transforms are those of real data.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "device/buffer.hpp"
#include "kind/definition.hpp"
#include "local/local_transform.hpp"
#include "weft/error.hpp"

namespace weft::bench {

namespace {

/// Of this thread: other programs on the machine do not count.
double processor_seconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

constexpr double seconds_per_sample = 2e-3;
constexpr int samples = 15;

struct Case {
  const char* name;
  LocalProblem (*problem)(Index n, Kind kind, Direction direction);
};

Index length_of(Index n, Kind kind, bool spectrum) {
  return kind == r2c && spectrum ? n / 2 + 1 : n;
}

/// A tile of lines side by side, as plans make it where lines are not contiguous in memory.
LocalProblem columns(Index n, Kind kind, Direction) {
  constexpr Index count = 32, pitch = count + 4;
  LocalProblem problem;
  problem.transform = {{n, pitch, pitch}};
  problem.kinds = {kind};
  problem.batch = {{count, 1, 1}};
  return problem;
}

LocalProblem lines(Index n, Kind kind, Direction direction) {
  constexpr Index count = 32;
  const bool forward = direction == Direction::forward;
  LocalProblem problem;
  problem.transform = {{n, 1, 1}};
  problem.kinds = {kind};
  problem.batch = {{count, length_of(n, kind, !forward) + 4, length_of(n, kind, forward) + 4}};
  return problem;
}

LocalProblem plane(Index n, Kind kind, Direction direction) {
  const bool forward = direction == Direction::forward;
  LocalProblem problem;
  problem.transform = {{n, length_of(n, kind, !forward), length_of(n, kind, forward)}, {n, 1, 1}};
  problem.kinds = {is_real_kind(kind) ? kind : c2c, kind};
  return problem;
}

/// A plane of which two thirds of the modes are kept along each axis, as dealiasing does.
/// Operations are those of the whole plane.
LocalProblem pruned_plane(Index n, Kind kind, Direction direction) {
  LocalProblem problem = plane(n, kind, direction);
  const bool forward = direction == Direction::forward;
  for (int axis = 0; axis < 2; ++axis) {
    const Index kept = (2 * length_of(n, problem.kinds[axis], true) + 2) / 3;
    LocalAxis& pruned = problem.transform[axis];
    (forward ? pruned.out_points : pruned.in_points) = kept;
  }
  return problem;
}

constexpr Case cases[] = {
    {"columns", columns}, {"lines", lines}, {"plane", plane}, {"pruned", pruned_plane}};

double operations(const LocalProblem& problem) {
  double points = 1, count = 1;
  for (const LocalAxis& axis : problem.transform) points *= static_cast<double>(axis.length);
  for (const LocalAxis& axis : problem.batch) count *= static_cast<double>(axis.length);
  return (problem.real() || problem.real_data ? 2.5 : 5) * points * std::log2(points) * count;
}

std::size_t bytes_of(const LocalProblem& problem) {
  Index last = 0;
  for (const LocalAxis& axis : problem.transform) {
    last += axis.length * std::max(axis.in_stride, axis.out_stride);
  }
  for (const LocalAxis& axis : problem.batch) {
    last += axis.length * std::max(axis.in_stride, axis.out_stride);
  }
  return static_cast<std::size_t>(last + 1) * 16;
}

class Contestant {
 public:
  Contestant(const LocalBackend& backend, const LocalProblem& problem)
      : transform_(make_local(backend, problem)), work_(transform_->work_bytes()) {}

  /// Seconds of one execution, averaged over `count`.
  double run(const std::byte* in, std::byte* out, int count) const {
    const double begin = processor_seconds();
    for (int i = 0; i < count; ++i) transform_->execute(in, out, work_.data());
    return (processor_seconds() - begin) / count;
  }

  void sample(const std::byte* in, std::byte* out) {
    if (count_ == 0) {
      run(in, out, 1);
      count_ = std::max(1, static_cast<int>(seconds_per_sample / run(in, out, 1)));
    }
    seconds_.push_back(run(in, out, count_));
  }

  double median() {
    std::sort(seconds_.begin(), seconds_.end());
    return seconds_[seconds_.size() / 2];
  }

 private:
  std::unique_ptr<LocalTransform> transform_;
  Buffer work_;
  std::vector<double> seconds_;
  int count_ = 0;
};

void print_case(const Case& each, Index n, const std::vector<Kind>& kinds,
                const std::vector<const LocalBackend*>& backends) {
  for (const Precision precision : {Precision::f64, Precision::f32}) {
    for (const Kind kind : kinds) {
      for (const Direction direction : {Direction::forward, Direction::backward}) {
        LocalProblem problem = each.problem(n, kind, direction);
        problem.direction = direction;
        problem.precision = precision;
        problem.real_data = is_real_kind(kind);
        problem.preserve_input = false;
        problem.any_alignment = true;
        const Buffer in(bytes_of(problem)), out(bytes_of(problem));
        // Zeros stay zeros however often a transform runs on its own output.
        std::memset(in.data(), 0, in.size());
        std::vector<Contestant> contestants;
        for (const LocalBackend* backend : backends) contestants.emplace_back(*backend, problem);
        for (int i = 0; i < samples; ++i) {
          for (Contestant& one : contestants) one.sample(in.data(), out.data());
        }
        std::printf("%-8s %5lld %-4s %s %-8s", each.name, static_cast<long long>(n),
                    to_string(kind).c_str(), to_string(precision).c_str(),
                    direction == Direction::forward ? "forward" : "backward");
        for (Contestant& one : contestants) {
          std::printf(" %9.2f", operations(problem) / one.median() * 1e-9);
        }
        std::printf("\n");
        std::fflush(stdout);
      }
    }
  }
}

int run(int argc, char** argv) {
  std::vector<Index> lengths;
  std::vector<Kind> kinds;
  for (const std::string& argument : std::vector<std::string>(argv + 1, argv + argc)) {
    if (std::isdigit(static_cast<unsigned char>(argument[0])) != 0) {
      lengths.push_back(std::stoll(argument));
    } else {
      for (const Kind kind : parse_kinds(argument).resolve(1)) kinds.push_back(kind);
    }
  }
  if (kinds.empty()) kinds = {c2c, r2c};
  if (lengths.empty()) lengths = {64, 128, 256, 384, 512, 1024};
  std::vector<const LocalBackend*> backends;
  std::printf("GFLOP/s, medians of %d\n%-32s", samples, "");
  for (const LocalBackend& backend : local_backends()) {
    if (backend.device != std::string("host") || !backend.usable() ||
        backend.name == std::string("reference")) {
      continue;
    }
    backends.push_back(&backend);
    std::printf(" %9s", backend.name);
  }
  std::printf("\n");
  for (const Case& each : cases) {
    for (const Index n : lengths) print_case(each, n, kinds, backends);
  }
  return 0;
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  return weft::bench::run(argc, argv);
}
