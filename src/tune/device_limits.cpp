#include "tune/device_limits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "device/buffer.hpp"
#include "exchange/agreement.hpp"
#include "exchange/device_window.hpp"
#include "exchange/environment.hpp"
#include "local/local_transform.hpp"
#include "plan/choose.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

constexpr int repetitions = 5;
constexpr int rounds = 4;  // of work in a sample, so that starting it does not count
constexpr CopyElement word{Precision::f64, true};
constexpr Index least_bytes = Index{1} << 16, most_bytes = Index{1} << 40;

BlockMove words(std::byte* to, const std::byte* from, Index bytes) {
  return {{bytes / bytes_of(word)}, {from, {1}}, {to, {1}}};
}

/// One device, and what its rank needs to measure together with others.
class DeviceProbe {
 public:
  /// Collective.
  DeviceProbe(const Communicator& comm, const std::string& device, Index bytes)
      : comm_(comm),
        node_(Communicator::split_by_node(comm)),
        context_(open(comm, node_, device)),
        device_(*context_->device),
        backend_(find_local_backend("auto", device)),
        bytes_(whole_words(bytes)),
        window_(node_, device_) {
    landing_ = window_.reserve(bytes_);
    flag_ = window_.reserve_counters(1);
    collectively(comm, [&] {
      stream_ = device_.make_stream();
      other_stream_ = device_.make_stream();
      begin_ = device_.make_event();
      end_ = device_.make_event();
      from_ = Buffer(device_, static_cast<std::size_t>(bytes_));
      to_ = Buffer(device_, static_cast<std::size_t>(bytes_));
      stream_->clear(from_.data(), from_.size());
      stream_->clear(to_.data(), to_.size());
      stream_->synchronize();
    });
    window_.allocate();
  }

  std::string description() const { return device_.info().model; }
  Index bytes() const { return bytes_; }

  double memory_rate() {
    const BlockMove block = words(to_.data(), from_.data(), bytes_);
    return 2 * rate(comm_, true, bytes_, [&] { move({&block, 1}, Mover::kernel); });
  }

  /// Of all pairs of a machine, one pair after another.
  std::vector<LinkRates> links() {
    std::vector<LinkRates> result;
    for (int from = 0; from < node_.size(); ++from) {
      for (int to = 0; to < node_.size(); ++to) {
        if (from == to) continue;
        LinkRates link{from, to, link_rates(from, to, false), {}};
        const auto back = std::find_if(result.begin(), result.end(), [&](const LinkRates& other) {
          return other.from == to && other.to == from;
        });
        // Both directions were measured when it was the other one's turn.
        link.both_ways = back != result.end() ? back->both_ways : link_rates(from, to, true);
        result.push_back(link);
      }
    }
    return result;
  }

  MoverRates alltoall() {
    const int ranks = node_.size();
    if (ranks == 1) return {};
    const Index part = whole_words(bytes_ / ranks);
    std::vector<BlockMove> moves;
    for (int step = 1; step < ranks; ++step) {
      const int other = (node_.rank() + step) % ranks;
      moves.push_back(
          words(landing(other) + node_.rank() * part, from_.data() + other * part, part));
    }
    return by_mover([&](Mover mover) {
      return rate(comm_, true, part * (ranks - 1), [&] { move(moves, mover); });
    });
  }

  /// Half of there and back.
  double flag_seconds() {
    const int last = node_.size() - 1;
    if (last == 0) return 0;
    constexpr int trips = 50;
    const bool is_first = node_.rank() == 0;
    const int other = is_first ? last : 0;
    const Flags theirs{window_.counter(other, flag_)};
    const Flags mine{window_.counter(node_.rank(), flag_)};
    const auto work = [&] {
      for (int trip = 0; trip < trips; ++trip) {
        if (is_first) stream_->signal(theirs);
        stream_->await(mine);
        if (!is_first) stream_->signal(theirs);
      }
    };
    return seconds(node_, is_first || node_.rank() == last, 1, work) / (2 * trips);
  }

  void measure_host_link(DeviceLimits& limits) {
    Buffer host_from, host_to;
    const auto bytes = static_cast<std::size_t>(bytes_);
    collectively(comm_, [&] {
      host_from = Buffer(device_, bytes, MemoryKind::pinned);
      host_to = Buffer(device_, bytes, MemoryKind::pinned);
      std::fill_n(host_from.data(), bytes, std::byte{1});
      std::fill_n(host_to.data(), bytes, std::byte{1});
    });
    const auto in = [&](Stream& stream) { stream.copy(to_.data(), host_from.data(), bytes); };
    const auto out = [&](Stream& stream) { stream.copy(host_to.data(), from_.data(), bytes); };
    Handover handover(device_);
    limits.to_device = rate(comm_, true, bytes_, [&] { in(*stream_); });
    limits.from_device = rate(comm_, true, bytes_, [&] { out(*stream_); });
    limits.both_directions = rate(comm_, true, bytes_, [&] {
      handover(*stream_, *other_stream_);
      in(*stream_);
      out(*other_stream_);
      handover(*other_stream_, *stream_);
    });
  }

  TransformRate transform_rate(Precision precision, bool strided) {
    TransformRate result{precision, strided, 512, 0, 0};
    const Index element = bytes_of({precision, true});
    const Index lines = bytes_ / element / result.points;
    LocalProblem problem;
    problem.precision = precision;
    problem.kinds = {Kind::c2c};
    const Index along = strided ? lines : 1, across = strided ? 1 : result.points;
    problem.transform = {{result.points, along, along}};
    problem.batch = {{lines, across, across}};
    problem.stream = stream_.get();
    std::unique_ptr<LocalTransform> transform;
    Buffer work;
    collectively(comm_, [&] {
      transform = make_local(backend_, problem);
      work = Buffer(device_, transform->work_bytes());
    });
    const Index moved = 2 * lines * result.points * element;
    result.bytes_per_second = rate(
        comm_, true, moved, [&] { transform->execute(from_.data(), to_.data(), work.data()); });
    const double operations = 5.0 * static_cast<double>(lines * result.points) *
                              std::log2(static_cast<double>(result.points));
    result.flops = result.bytes_per_second * operations / static_cast<double>(moved);
    return result;
  }

 private:
  static Index whole_words(Index bytes) { return bytes / bytes_of(word) * bytes_of(word); }
  static std::unique_ptr<Context> open(const Communicator& comm, const Communicator& node,
                                       const std::string& device) {
    auto context = std::make_unique<Context>(Communicator::duplicate(comm.get()));
    context->options.device = device;
    open_device(*context, node);
    return context;
  }

  void move(std::span<const BlockMove> blocks, Mover mover) {
    stream_->move(blocks, word, 1, mover);
  }

  /// Where a rank of this machine lets others write.
  std::byte* landing(int rank) const { return window_.address(rank, landing_); }

  template <class Work>
  static MoverRates by_mover(const Work& work) {
    return {work(Mover::engine), work(Mover::kernel)};
  }

  MoverRates link_rates(int from, int to, bool both_ways) {
    const bool sends = node_.rank() == from || (both_ways && node_.rank() == to);
    const int other = node_.rank() == from ? to : from;
    const BlockMove block = words(landing(other), from_.data(), bytes_);
    return by_mover([&](Mover mover) {
      return rate(node_, sends, bytes_, [&] { move({&block, 1}, mover); });
    });
  }

  /// Bytes per second of the slowest rank.
  template <class Work>
  double rate(const Communicator& comm, bool takes_part, Index bytes, const Work& work) {
    return static_cast<double>(bytes) / seconds(comm, takes_part, rounds, work);
  }

  /// Seconds of what some ranks put into their streams at the same time, `repeat` times: of the
  /// slowest, the best of several repetitions.
  template <class Work>
  double seconds(const Communicator& comm, bool takes_part, int repeat, const Work& work) {
    constexpr double least = 1e-9;  // no clock sees less
    double best = std::numeric_limits<double>::infinity();
    for (int repetition = 0; repetition <= repetitions; ++repetition) {
      double slowest = 0;
      check_mpi(MPI_Barrier(comm.get()), "MPI_Barrier");
      if (takes_part) {
        stream_->record(*begin_);
        for (int i = 0; i < repeat; ++i) work();
        stream_->record(*end_);
        end_->synchronize();
        slowest = device_.seconds_between(*begin_, *end_) / repeat;
      }
      check_mpi(MPI_Allreduce(MPI_IN_PLACE, &slowest, 1, MPI_DOUBLE, MPI_MAX, comm.get()),
                "MPI_Allreduce");
      // The first one is to warm up.
      if (repetition > 0) best = std::min(best, std::max(slowest, least));
    }
    return best;
  }

  const Communicator& comm_;
  Communicator node_;
  std::unique_ptr<Context> context_;
  Device& device_;
  const LocalBackend& backend_;
  Index bytes_;
  DeviceWindow window_;
  Index landing_ = 0;
  Index flag_ = 0;
  std::unique_ptr<Stream> stream_, other_stream_;
  std::unique_ptr<Event> begin_, end_;
  Buffer from_, to_;
};

}  // namespace

DeviceLimits measure_device_limits(const Communicator& comm, const std::string& device,
                                   Index bytes) {
  if (bytes < least_bytes || bytes > most_bytes) {
    throw Error("bytes " + std::to_string(bytes) + ": must be " + std::to_string(least_bytes) +
                " to " + std::to_string(most_bytes));
  }
  DeviceProbe probe(comm, device, bytes);
  DeviceLimits limits;
  limits.device = device;
  limits.description = probe.description();
  limits.ranks = comm.size();
  limits.bytes = probe.bytes();
  limits.memory_bytes_per_second = probe.memory_rate();
  limits.links = probe.links();
  limits.alltoall = probe.alltoall();
  limits.flag_seconds = probe.flag_seconds();
  probe.measure_host_link(limits);
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    for (const bool strided : {false, true}) {
      limits.transforms.push_back(probe.transform_rate(precision, strided));
    }
  }
  return limits;
}

Machine machine_of(const DeviceLimits& limits) {
  Machine machine;
  machine.memory_bandwidth = limits.memory_bytes_per_second;
  for (const TransformRate& rate : limits.transforms) {
    if (rate.precision == Precision::f64 && !rate.strided) machine.flops = rate.flops;
  }
  if (limits.links.empty()) return machine;
  machine.node = {std::max(limits.alltoall.engine, limits.alltoall.kernel), limits.flag_seconds};
  return machine;
}

}  // namespace weft
