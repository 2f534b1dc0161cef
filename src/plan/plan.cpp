#include "weft/plan.hpp"

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "device/host_memory.hpp"
#include "exchange/agreement.hpp"
#include "exchange/node_window.hpp"
#include "plan/arguments.hpp"
#include "plan/make_channels.hpp"
#include "plan/program.hpp"
#include "plan/report.hpp"
#include "schedule/describe.hpp"
#include "schedule/planner.hpp"

namespace weft {

namespace {

/// Arrays larger than this multiple of the second-level cache are written past the cache.
constexpr Index stream_cache_multiple = 16;

int ranks_on_this_node(const Communicator& comm) {
  return Communicator::split_by_node(comm).size();
}

/// For tests on a single machine: nodes of so many consecutive ranks, whatever they run on.
Index pretended_ranks_per_node() {
  const char* text = std::getenv("WEFT_RANKS_PER_NODE");
  return text != nullptr ? std::max(0, std::atoi(text)) : 0;
}

/// What "auto" stands for. Where ranks share a node, nothing is faster than writing to the
/// neighbour's memory; but what is not packed cannot be compressed. Collective exchanges are the
/// best tuned, but do not leave the ranks to their work meanwhile.
std::string choose_exchange(const Options& options, const Communicator& comm, int on_node) {
  if (options.exchange != "auto") return options.exchange;
  const bool overlaps = options.chunks > 1 || options.fields_in_flight > 1;
  const std::string wire = overlaps ? "p2p" : "alltoallv";
  int shared = on_node > 1 ? 1 : 0;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &shared, 1, MPI_INT, MPI_MAX, comm.get()), "MPI_Allreduce");
  return shared != 0 && !compresses(options) ? "node_shared:" + wire : wire;
}

int choose_threads(const Options& options, int on_node) {
  if (options.threads > 0) return options.threads;
  if (std::getenv("OMP_NUM_THREADS") != nullptr) return omp_get_max_threads();
  // A rank that is bound to some cores has them for itself; unbound ranks share all of them.
  return usable_cores() < cores() ? usable_cores() : std::max(1, cores() / on_node);
}

LocalArray local_array(const Problem& problem, const Layout& layout, const Extents& shape,
                       bool complex) {
  const View view = layout.memory.view(layout.distribution.box(shape, problem.rank));
  LocalArray array{view.box, view.stride, view.offset, view.size, {problem.precision, complex}};
  return array;
}

/// The user's axes only, without the one that stands for the batch.
LocalArray without_batch(LocalArray array, Index batch) {
  if (batch == 1) return array;
  Box box;
  for (int axis = 0; axis + 1 < array.box.axes(); ++axis) {
    box.lower.push_back(array.box.lower[axis]);
    box.upper.push_back(array.box.upper[axis]);
  }
  array.box = box;
  return array;
}

}  // namespace

std::string to_string(ElementType type) {
  return (type.complex ? "complex " : "real ") + to_string(type.precision);
}

class Plan::Implementation {
 public:
  Implementation(const MpiProblem& given, const Options& options)
      : comm_(Communicator::duplicate(given.comm)),
        problem_(resolve_collectively(given, options, comm_)),
        codec_(options.codec),
        tolerance_(options.tolerance),
        fields_in_flight_(options.fields_in_flight),
        shape_(given.shape),
        kinds_(given.kinds.resolve(given.shape.size())) {
    settings_.backend = &find_local_backend(options.local);
    settings_.rigor = options.rigor;
    settings_.reorder = options.reorder;
    settings_.overwrite_input = options.overwrite_input;
    const int on_node = ranks_on_this_node(comm_);
    settings_.threads = choose_threads(options, on_node);
    const CacheSizes caches = agreed_caches(options);
    settings_.tile_bytes = caches.tile;
    settings_.stream_bytes =
        options.stream_bytes >= 0
            ? options.stream_bytes
            : stream_cache_multiple * static_cast<Index>(second_level_cache_bytes());
    settings_.count_limit = options.mpi_count_limit;
    settings_.lossless = is_lossless(options.codec);
    pump_ = make_pump(options);
    collectively(comm_, [&] { schedule_ = plan_schedule(problem_, options, caches); });
    const std::string exchange = choose_exchange(options, comm_, on_node);
    try {
      make_lanes(exchange);
    } catch (const SharedMemoryError&) {
      // Whoever asks for shared memory by name wants to know that there is not enough.
      if (options.exchange != "auto") throw;
      make_lanes(exchange.substr(exchange.find(':') + 1));
    }
    input_ = without_batch(
        local_array(problem_, problem_.in, problem_.shape, !problem_.real_input()), problem_.batch);
    output_ =
        without_batch(local_array(problem_, problem_.out, problem_.spectral, true), problem_.batch);
    collectively(comm_, [&] {
      own_workspace_ = HostBuffer(workspace_bytes());
      workspace_ = own_workspace_.data();
    });
    last_ = lanes_[0].forward.separate.get();
    last_channels_ = &lanes_[0].forward.channels;
  }

  ~Implementation() {
    // Messages still under way would arrive in memory that is no longer there.
    try {
      wait();
    } catch (const std::exception&) {
    }
  }

  void start(Direction direction, const Argument& in, const Argument& out) {
    agree_to_run(direction, find_error(direction, in, out));
    begin(lanes_[0], direction, in, out);
    last_->advance(last_->blocks() ? Until::done : Until::message);
  }

  bool test() {
    if (!last_->is_running()) return true;
    if (last_->advance(Until::blocked)) return true;
    pump_->poll();
    return false;
  }

  void wait() {
    if (last_ != nullptr && last_->is_running()) last_->advance(Until::done);
  }

  void wait_and_agree(const std::exception_ptr& failure) {
    wait();
    collectively(comm_, [&] {
      if (!failure) return;
      try {
        std::rethrow_exception(failure);
      } catch (const std::exception&) {
        throw;
      } catch (...) {
        throw Error("the work done meanwhile threw something that is no std::exception");
      }
    });
  }

  void run_many(Direction direction, const Fields& in, const Fields& out) {
    std::optional<std::string> error;
    if (in.count != out.count) {
      error = std::to_string(in.count) + " input fields, but " + std::to_string(out.count) +
              " output fields";
    }
    for (std::size_t i = 0; i < in.count && !error; ++i) {
      error = find_error(direction, in.field(in.range, i), out.field(out.range, i));
      if (error) error = "field " + std::to_string(i) + ": " + *error;
    }
    agree_to_run(direction, error, static_cast<Index>(in.count));
    // Fields enter lanes in turn. A lane goes on to its next message while those of the others are
    // under way; every rank does so in the same order.
    std::size_t next = 0;
    const auto enter = [&](Lane& lane) {
      lane.current = nullptr;
      while (next < in.count && lane.current == nullptr) {
        begin(lane, direction, in.field(in.range, next), out.field(out.range, next));
        ++next;
        if (!last_->advance(Until::message)) lane.current = last_;
      }
    };
    for (Lane& lane : lanes_) enter(lane);
    bool active = true;
    while (active) {
      active = false;
      for (Lane& lane : lanes_) {
        if (lane.current != nullptr && lane.current->advance(Until::waited)) enter(lane);
        active = active || lane.current != nullptr;
      }
    }
  }

  Report report() const { return make_report(*last_channels_, tolerance_); }

  Index bytes_sent() const {
    Index bytes = 0;
    for (const auto& chunks : lanes_[0].forward.channels) {
      for (const auto& channel : chunks) {
        const bool ran = channel->use.plain_bytes > 0;
        bytes += ran ? channel->use.bytes
                     : channel->rungs[channel->preferred].exchange->bytes_to_others();
      }
    }
    return bytes;
  }

  const Problem& problem() const { return problem_; }
  const Extents& shape() const { return shape_; }
  const Axes<Kind>& kinds() const { return kinds_; }
  MPI_Comm communicator() const { return comm_.get(); }
  const LocalArray& input() const { return input_; }
  const LocalArray& output() const { return output_; }
  const Program& last() const { return *last_; }
  const std::string& exchange() const { return exchange_; }
  const ProgramSettings& settings() const { return settings_; }

  std::size_t workspace_bytes() const { return lanes_.size() * lane_bytes(); }

  void set_workspace(std::span<std::byte> memory) {
    if (memory.size() < workspace_bytes()) {
      throw Error("workspace of " + std::to_string(memory.size()) +
                  " bytes is too small: " + std::to_string(workspace_bytes()) + " are needed");
    }
    if (reinterpret_cast<std::uintptr_t>(memory.data()) % buffer_alignment != 0) {
      throw Error("workspace is not aligned to " + std::to_string(buffer_alignment) + " bytes");
    }
    own_workspace_ = HostBuffer();
    workspace_ = memory.data();
  }

  std::string describe() const {
    return weft::describe(schedule_, problem_) + weft::describe(reversed(schedule_), problem_) +
           "exchange " + exchange_ + ", local " + settings_.backend->name + ", " +
           std::to_string(settings_.threads) + " threads, tiles of " +
           human_bytes(static_cast<double>(settings_.tile_bytes)) + ", workspace " +
           human_bytes(static_cast<double>(workspace_bytes())) +
           (window_ ? ", shared " + human_bytes(static_cast<double>(window_->bytes())) : "") + "\n";
  }

 private:
  /// One direction: the program for separate arrays, and another one where that cannot run in
  /// place. They never run at the same time, and share their exchanges.
  struct Programs {
    Channels channels;
    std::unique_ptr<Program> separate;
    std::unique_ptr<Program> in_place;
  };

  /// What one field in flight needs.
  struct Lane {
    Programs forward;
    Programs backward;
    Program* current = nullptr;
  };

  /// Tiles fill a quarter of the second-level cache: a tile is read, transformed and written beside
  /// the data that streams through. Planes may fill eight tiles, or, input or output alone, two
  /// thirds of a core's share of both caches: for 256^3 that took a fifth to a third off with 1 MiB
  /// of second level, for 512^3 two fifths with 2 MiB and 4.7 MiB of third. Ranks on different
  /// machines must build the same schedule.
  CacheSizes agreed_caches(const Options& options) const {
    const auto second = static_cast<Index>(second_level_cache_bytes());
    const auto third = static_cast<Index>(third_level_cache_share());
    CacheSizes caches(options.tile_bytes > 0 ? options.tile_bytes : second / 4);
    if (options.tile_bytes == 0) caches.group = std::max(caches.group, (second + third) / 3 * 4);
    Index bytes[2] = {caches.tile, caches.group};
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, bytes, 2, MPI_INT64_T, MPI_MIN, comm_.get()),
              "MPI_Allreduce");
    return {bytes[0], bytes[1]};
  }

  std::unique_ptr<MessagePump> make_pump(const Options& options) const {
    const bool thread = options.progress == ProgressBy::thread;
    int provided = MPI_THREAD_SINGLE;
    MPI_Query_thread(&provided);
    collectively(comm_, [&] {
      if (!thread || provided == MPI_THREAD_MULTIPLE) return;
      throw Error("progress by a thread needs MPI_THREAD_MULTIPLE: call MPI_Init_thread with it");
    });
    return std::make_unique<MessagePump>(thread);
  }

  void make_lanes(const std::string& exchange) {
    exchange_ = exchange;
    lanes_.clear();
    window_.reset();
    settings_.exchange = find_exchange(exchange);
    if (settings_.exchange.method->traits.places) window_ = std::make_unique<NodeWindow>(comm_);
    const Schedule backward = reversed(schedule_);
    lanes_.resize(static_cast<std::size_t>(fields_in_flight_));
    for (Lane& lane : lanes_) make_channels_of(lane, backward);
    if (window_) {
      window_->allocate();
      for_each_exchange([](Exchange& exchange_of_channel) { exchange_of_channel.bind(); });
    }
    settings_.alignment = std::max(largest_block(lanes_[0].forward.channels),
                                   largest_block(lanes_[0].backward.channels));
    for (Lane& lane : lanes_) {
      make_programs(schedule_, lane.forward);
      make_programs(backward, lane.backward);
    }
  }

  /// A lane's forward and backward never run at the same time, different lanes do.
  void make_channels_of(Lane& lane, const Schedule& backward) {
    const ChannelSettings channels{
        settings_.exchange,
        codec_,
        tolerance_,
        settings_.count_limit,
        pretended_ranks_per_node(),
        window_.get(),
        &comm_,
        [this](const Group& group) -> const Communicator& { return group_communicator(group); }};
    const NodeWindow::Mark begin = window_ ? window_->mark() : 0;
    lane.forward.channels = make_channels(schedule_, problem_, channels);
    const NodeWindow::Mark end = window_ ? window_->mark() : 0;
    if (window_) window_->rewind(begin);
    lane.backward.channels = make_channels(backward, problem_, channels);
    if (window_) window_->rewind(std::max(end, window_->mark()));
  }

  template <class Work>
  void for_each_exchange(Work&& work) {
    for (Lane& lane : lanes_) {
      for (Programs* programs : {&lane.forward, &lane.backward}) {
        for (auto& chunks : programs->channels) {
          for (auto& channel : chunks) {
            for (Rung& rung : channel->rungs) work(*rung.exchange);
          }
        }
      }
    }
  }

  void make_programs(const Schedule& schedule, Programs& programs) {
    programs.separate = make_program(schedule, programs.channels, false);
    int copies = programs.separate->works_in_place() ? 0 : 1;
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &copies, 1, MPI_INT, MPI_MAX, comm_.get()),
              "MPI_Allreduce");
    if (copies != 0) {
      programs.in_place = make_program(schedule, programs.channels, true);
    }
  }

  std::unique_ptr<Program> make_program(const Schedule& schedule, Channels& channels,
                                        bool copies_input) {
    std::unique_ptr<Program> program;
    collectively(comm_, [&] {
      program = std::make_unique<Program>(schedule, problem_, settings_, channels, comm_, *pump_,
                                          copies_input);
    });
    return program;
  }

  /// Bytes of the workspace of one field in flight.
  std::size_t lane_bytes() const {
    Index bytes = 0;
    for (const Programs* programs : {&lanes_[0].forward, &lanes_[0].backward}) {
      bytes = std::max(bytes, programs->separate->workspace_bytes());
      if (programs->in_place) bytes = std::max(bytes, programs->in_place->workspace_bytes());
    }
    return aligned_up(static_cast<std::size_t>(bytes));
  }

  /// One small reduction tells whether any rank has something to say, and what all are up to.
  void agree_to_run(Direction direction, std::optional<std::string> error, Index fields = 1) {
    // Ranks may have come to different collective calls of the transform under way; one more among
    // these would not be the same on all. Where test has found the end, others still may not have.
    if (last_->is_running()) {
      wait();
      if (!error) error = "a transform is under way: wait for it before the next one";
    }
    const bool forward = direction == Direction::forward;
    Index flags[5] = {error ? 1 : 0, forward ? 1 : 0, forward ? 0 : 1, fields, -fields};
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, flags, 5, MPI_INT64_T, MPI_MAX, comm_.get()),
              "MPI_Allreduce");
    if (flags[0] != 0) agree(comm_, error);
    if (flags[1] + flags[2] == 2) throw Error("some ranks called forward, others backward");
    if (flags[3] != -flags[4]) {
      throw Error("the number of fields differs between ranks: from " + std::to_string(-flags[4]) +
                  " to " + std::to_string(flags[3]));
    }
  }

  void begin(Lane& lane, Direction direction, const Argument& in, const Argument& out) {
    Programs& programs = direction == Direction::forward ? lane.forward : lane.backward;
    const bool in_place = in.data == out.data && programs.in_place != nullptr;
    last_ = in_place ? programs.in_place.get() : programs.separate.get();
    last_channels_ = &programs.channels;
    const auto number = static_cast<std::size_t>(&lane - lanes_.data());
    std::byte* const workspace =
        workspace_ == nullptr ? nullptr : workspace_ + number * lane_bytes();
    last_->begin(static_cast<const std::byte*>(in.data),
                 static_cast<std::byte*>(const_cast<void*>(out.data)), workspace);
  }

  /// Stages between the same ranks share one communicator.
  const Communicator& group_communicator(const Group& group) {
    if (group.fixed.empty()) return comm_;
    for (const auto& [known, communicator] : groups_) {
      if (known == group) return *communicator;
    }
    auto split =
        Communicator::split(comm_.get(), static_cast<int>(group.color(comm_.rank())), comm_.rank());
    groups_.emplace_back(group, std::make_unique<Communicator>(std::move(split)));
    return *groups_.back().second;
  }

  std::optional<std::string> find_error(Direction direction, const Argument& in,
                                        const Argument& out) const {
    const bool forward = direction == Direction::forward;
    const LocalArray& source = forward ? input_ : output_;
    const LocalArray& sink = forward ? output_ : input_;
    for (const auto& [name, argument, array] :
         {std::tuple{"input", &in, &source}, std::tuple{"output", &out, &sink}}) {
      if (!(argument->type == array->type)) {
        return std::string(name) + " array is " + to_string(argument->type) +
               ", the plan works on " + to_string(array->type);
      }
      if (argument->data == nullptr && array->size > 0) {
        return std::string(name) + " array is null, but this rank owns box " +
               to_string(array->box);
      }
      if (argument->elements != unknown_size &&
          argument->elements < static_cast<std::size_t>(array->size)) {
        return std::string(name) + " array has " + std::to_string(argument->elements) +
               " elements, " + std::to_string(array->size) + " are needed";
      }
    }
    if (workspace_ == nullptr && workspace_bytes() > 0) return "the plan has no workspace";
    return find_overlap(source, sink, in, out);
  }

  static std::optional<std::string> find_overlap(const LocalArray& source, const LocalArray& sink,
                                                 const Argument& in, const Argument& out) {
    const auto bytes = [](const LocalArray& array) {
      return static_cast<std::uintptr_t>(array.size *
                                         element_bytes(array.type.complex, array.type.precision));
    };
    if (source.size == 0 || sink.size == 0) return std::nullopt;
    const auto from = reinterpret_cast<std::uintptr_t>(in.data);
    const auto to = reinterpret_cast<std::uintptr_t>(out.data);
    if (from == to) {
      if (in.elements != unknown_size && out.elements != unknown_size) return std::nullopt;
      if (bytes(source) == bytes(sink)) return std::nullopt;
      return "in place needs arrays of equal size: the input has " + std::to_string(bytes(source)) +
             " bytes, the output " + std::to_string(bytes(sink));
    }
    if (from < to + bytes(sink) && to < from + bytes(source)) {
      return "input and output arrays overlap, but do not start at the same address";
    }
    return std::nullopt;
  }

  Communicator comm_;
  Problem problem_;
  ProgramSettings settings_;
  Schedule schedule_;
  std::vector<std::pair<Group, std::unique_ptr<Communicator>>> groups_;
  std::string exchange_;  // as it is, for "auto"
  std::string codec_;
  std::optional<double> tolerance_;
  int fields_in_flight_ = 1;
  std::unique_ptr<MessagePump> pump_;
  std::unique_ptr<NodeWindow> window_;
  std::vector<Lane> lanes_;
  Program* last_ = nullptr;
  const Channels* last_channels_ = nullptr;
  Extents shape_;  // without the batch
  Axes<Kind> kinds_;
  LocalArray input_;
  LocalArray output_;
  HostBuffer own_workspace_;
  std::byte* workspace_ = nullptr;
};

Plan::Plan(const MpiProblem& problem, const Options& options)
    : implementation_(std::make_unique<Implementation>(problem, options)) {}
Plan::~Plan() = default;
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;

void Plan::run(Direction direction, const Argument& in, const Argument& out) {
  implementation_->start(direction, in, out);
  implementation_->wait();
}
void Plan::start(Direction direction, const Argument& in, const Argument& out) {
  implementation_->start(direction, in, out);
}
bool Plan::test() {
  return implementation_->test();
}
void Plan::wait() {
  implementation_->wait();
}
void Plan::wait_and_agree(const std::exception_ptr& failure) {
  implementation_->wait_and_agree(failure);
}
void Plan::run_many(Direction direction, const Fields& in, const Fields& out) {
  implementation_->run_many(direction, in, out);
}
Report Plan::report() const {
  return implementation_->report();
}
const LocalArray& Plan::input() const {
  return implementation_->input();
}
const LocalArray& Plan::output() const {
  return implementation_->output();
}
std::size_t Plan::workspace_bytes() const {
  return implementation_->workspace_bytes();
}
void Plan::set_workspace(std::span<std::byte> memory) {
  implementation_->set_workspace(memory);
}
std::string Plan::describe() const {
  return implementation_->describe();
}
const std::vector<StageTiming>& Plan::timings() const {
  return implementation_->last().timings();
}
Index Plan::bytes_sent() const {
  return implementation_->bytes_sent();
}
const Extents& Plan::shape() const {
  return implementation_->shape();
}
const Axes<Kind>& Plan::kinds() const {
  return implementation_->kinds();
}
Norm Plan::norm() const {
  return implementation_->problem().norm;
}
Index Plan::batch() const {
  return implementation_->problem().batch;
}
MPI_Comm Plan::communicator() const {
  return implementation_->communicator();
}
int Plan::threads() const {
  return implementation_->settings().threads;
}
std::string Plan::exchange_name() const {
  return implementation_->exchange();
}
std::string Plan::local_name() const {
  return implementation_->settings().backend->name;
}

}  // namespace weft
