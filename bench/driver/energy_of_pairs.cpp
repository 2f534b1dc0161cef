#include "driver/energy_of_pairs.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <thread>

#include "driver/checks.hpp"
#include "driver/energy.hpp"
#include "kind/kind.hpp"
#include "layouts.hpp"

namespace weft::bench {

namespace {

using Json = nlohmann::ordered_json;

constexpr double least_seconds = 2;  // of a window
constexpr double most_seconds = 6;   // of one that waits for ticks, or a single batch
constexpr double batch_seconds = 0.1;
constexpr int least_ticks = 20;
constexpr std::chrono::milliseconds until_idle(500);  // threads stop spinning, clocks fall

/// The ranks of one node. The first reads the counters.
class Node {
 public:
  explicit Node(MPI_Comm comm) {
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm_);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &ranks_);
  }
  ~Node() { MPI_Comm_free(&comm_); }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  bool is_first() const { return rank_ == 0; }
  /// Each text of any rank once, on the first rank. Collective over the node.
  std::vector<std::string> distinct(const std::string& text) const {
    constexpr std::size_t length = 96;  // more than any name of a device
    std::array<char, length> own{};
    text.copy(own.data(), length - 1);
    std::vector<char> all(length * static_cast<std::size_t>(is_first() ? ranks_ : 0));
    MPI_Gather(own.data(), length, MPI_CHAR, all.data(), length, MPI_CHAR, 0, comm_);
    std::vector<std::string> texts;
    for (std::size_t at = 0; at < all.size(); at += length) texts.emplace_back(&all[at]);
    std::sort(texts.begin(), texts.end());
    texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
    return texts;
  }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int ranks_ = 1;
};

template <class T>
T reduced(T value, MPI_Datatype type, MPI_Op operation, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, type, operation, comm);
  return value;
}

/// That of the first rank that has one; empty where none has.
std::string first_text(const std::string& text, MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  const int first = reduced(text.empty() ? INT_MAX : rank, MPI_INT, MPI_MIN, comm);
  if (first == INT_MAX) return {};
  auto length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, first, comm);
  std::string found = text;
  found.resize(static_cast<std::size_t>(length));
  MPI_Bcast(found.data(), length, MPI_CHAR, first, comm);
  return found;
}

/// What a window told of a source; the same on all ranks.
struct Power {
  double watts = 0;
  int ticks = 0;
  std::string why_not;  ///< it is not known
};

/// Counters of one kind over all nodes. Only the first ranks of nodes have any.
class JobSource {
 public:
  JobSource(std::string name, EnergySource own, MPI_Comm comm)
      : name_(std::move(name)), own_(std::move(own)), comm_(comm) {
    why_not_ = first_text(own_.why_not, comm);
    if (!why_not_.empty()) own_.counters.clear();
    counters_ = reduced(static_cast<int>(own_.counters.size()), MPI_INT, MPI_SUM, comm);
  }

  /// The same on all ranks.
  bool counts() const { return counters_ > 0; }
  void start() { meter_ = std::make_unique<EnergyMeter>(own_); }
  /// Whether counters of this rank, if there are any, have not ticked enough.
  bool needs_ticks() const { return !own_.counters.empty() && meter_->ticks() < least_ticks; }
  /// Ends what start() began. Collective.
  Power stop(double seconds) {
    meter_->stop();
    const bool own = !own_.counters.empty();
    Power power;
    power.watts = reduced(own ? meter_->watts() : 0, MPI_DOUBLE, MPI_SUM, comm_);
    power.ticks = reduced(own ? meter_->ticks() : INT_MAX, MPI_INT, MPI_MIN, comm_);
    power.why_not = first_text(meter_->why_not(), comm_);
    if (power.why_not.empty() && power.ticks < least_ticks) {
      char text[120];
      std::snprintf(text, sizeof text, "only %d ticks of the counter in %.1f s, fewer than %d",
                    power.ticks, seconds, least_ticks);
      power.why_not = text;
    }
    return power;
  }

  /// Where nothing was measured.
  Json json() const { return json_of({}, {.why_not = why_not_}, {}, 0); }
  Json json(double seconds, const Power& busy, const Power& idle, std::int64_t pairs) const {
    return counts() ? json_of(seconds, busy, idle, pairs) : json();
  }

 private:
  Json json_of(const std::optional<double>& seconds, const Power& busy, const Power& idle,
               std::int64_t pairs) const {
    const auto known = [](const Power& power, double value) {
      return power.why_not.empty() ? Json(value) : Json(nullptr);
    };
    std::string why = busy.why_not;
    if (why.empty() && !idle.why_not.empty()) why = "without work: " + idle.why_not;
    return {{"source", name_},
            {"counters", counters_},
            {"joules_per_pair", known(busy, busy.watts * seconds.value_or(0) / double(pairs))},
            {"watts", known(busy, busy.watts)},
            {"idle_watts", seconds ? known(idle, idle.watts) : Json(nullptr)},
            {"seconds", seconds ? Json(*seconds) : Json(nullptr)},
            {"ticks", seconds ? Json(busy.ticks) : Json(nullptr)},
            {"why", why}};
  }

  std::string name_;
  EnergySource own_;
  MPI_Comm comm_;
  std::string why_not_;
  int counters_ = 0;
  std::unique_ptr<EnergyMeter> meter_;
};

struct Window {
  double seconds = 0;
  std::vector<Power> powers;  ///< of each source
};

/// Does batches of work until the counters have ticked enough, at most `most_seconds`. The work is
/// told the seconds so far, and they are the same on all ranks, as is the number of batches.
template <class Work>
Window measured(MPI_Comm comm, std::vector<JobSource>& sources, const Work& work) {
  Window window;
  MPI_Barrier(comm);
  for (JobSource& source : sources) source.start();
  const double begin = MPI_Wtime();
  for (bool enough = false; !enough;) {
    work(window.seconds);
    bool ticks_missing = false;
    for (const JobSource& source : sources) ticks_missing |= source.needs_ticks();
    double state[] = {MPI_Wtime() - begin, ticks_missing ? 1.0 : 0.0};
    MPI_Allreduce(MPI_IN_PLACE, state, 2, MPI_DOUBLE, MPI_MAX, comm);
    window.seconds = state[0];
    enough = window.seconds >= least_seconds && (state[1] == 0 || window.seconds >= most_seconds);
  }
  for (JobSource& source : sources) window.powers.push_back(source.stop(window.seconds));
  return window;
}

template <class Real>
void multiply(void* data, std::size_t bytes, double factor) {
  auto* numbers = static_cast<Real*>(data);
  for (std::size_t i = 0; i < bytes / sizeof(Real); ++i) {
    numbers[i] = static_cast<Real>(factor * static_cast<double>(numbers[i]));
  }
}

/// Makes pairs back to back. Those of unscaled libraries multiply the numbers by N each, and
/// infinity takes less power than numbers do: now and then they are made small again.
class Pairs {
 public:
  explicit Pairs(Transform& transform) : transform_(transform), layout_(transform.layout()) {
    fill(transform);
    if (!transform.unscaled()) return;
    const bool single = layout_.physical.type.precision == Precision::f32;
    most_growth_ = single ? 120 : 1000;  // whose inverse is a normal number too
    growth_ = std::log2(static_cast<double>(logical_points(layout_.shape, layout_.kinds)));
    scale(-most_growth_ / 2);
  }

  void make() {
    if (growth_ > 0 && grown_ + growth_ > most_growth_) scale(-std::exchange(grown_, 0));
    transform_.forward();
    transform_.backward();
    grown_ += growth_;
    ++count_;
  }
  std::int64_t count() const { return count_; }

 private:
  void scale(double exponent) {
    const LocalArray& array = layout_.physical;
    if (transform_.scale_on_device(std::exp2(exponent))) return;
    const auto by = array.type.precision == Precision::f32 ? multiply<float> : multiply<double>;
    by(transform_.physical(), bytes_of(array), std::exp2(exponent));
  }

  Transform& transform_;
  TransformDescription layout_;
  double growth_ = 0;  ///< of a pair, as a power of two
  double most_growth_ = 0;
  double grown_ = 0;
  std::int64_t count_ = 0;
};

}  // namespace

Json energy_of_pairs(Transform& transform, const Case& problem, const Library& library,
                     const std::string& powercap) {
  const MPI_Comm comm = problem.comm;
  const Node node(comm);
  std::vector<JobSource> sources;
  sources.emplace_back("RAPL", node.is_first() ? processor_energy(powercap) : EnergySource{}, comm);
  const std::string device = transform.device_id();
  const bool uses_device = library.device != "host" || !device.empty();
  if (reduced<int>(uses_device, MPI_INT, MPI_MAX, comm) != 0) {
    const std::vector<std::string> devices = node.distinct(device);
    EnergySource own;
    if (node.is_first()) {
      own = device_energy(devices);
      if (devices[0].empty()) own.why_not = "the library does not tell which devices it uses";
      if (transform.unscaled() && !transform.scale_on_device(1)) {
        own.why_not = "the library leaves out the factor 1/N, and many pairs on a device overflow";
      }
    }
    sources.emplace_back("NVML", std::move(own), comm);
  }
  const auto json = [&](std::int64_t pairs, const auto& of_source) {
    return Json{{"pairs", pairs > 0 ? Json(pairs) : Json(nullptr)},
                {"host", of_source(0)},
                {"device", sources.size() > 1 ? of_source(1) : Json(nullptr)}};
  };
  if (std::none_of(sources.begin(), sources.end(), [](const auto& s) { return s.counts(); })) {
    return json(0, [&](std::size_t i) { return sources[i].json(); });
  }
  Pairs pairs(transform);
  const Window busy = measured(comm, sources, [&](double seconds) {
    const double each = seconds / static_cast<double>(std::max<std::int64_t>(pairs.count(), 1));
    const double batch = seconds > 0 ? std::clamp(batch_seconds / each, 1.0, 1e6) : 1;
    for (std::int64_t i = 0; i < std::llround(batch); ++i) pairs.make();
  });
  std::this_thread::sleep_for(until_idle);
  const Window idle = measured(comm, sources, [](double) {
    std::this_thread::sleep_for(std::chrono::duration<double>(batch_seconds));
  });
  return json(pairs.count(), [&](std::size_t i) {
    return sources[i].json(busy.seconds, busy.powers[i], idle.powers[i], pairs.count());
  });
}

}  // namespace weft::bench
