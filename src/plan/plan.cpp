#include "weft/plan.hpp"

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "device/host_memory.hpp"
#include "exchange/agreement.hpp"
#include "plan/arguments.hpp"
#include "plan/program.hpp"
#include "schedule/describe.hpp"
#include "schedule/planner.hpp"

namespace weft {

namespace {

/// Arrays larger than this multiple of the second-level cache are written past the cache.
constexpr Index stream_cache_multiple = 16;

int ranks_on_this_node(const Communicator& comm) {
  MPI_Comm node = MPI_COMM_NULL;
  check_mpi(
      MPI_Comm_split_type(comm.get(), MPI_COMM_TYPE_SHARED, comm.rank(), MPI_INFO_NULL, &node),
      "MPI_Comm_split_type");
  int ranks = 1;
  MPI_Comm_size(node, &ranks);
  MPI_Comm_free(&node);
  return ranks;
}

int choose_threads(const Options& options, const Communicator& comm) {
  const int on_node = ranks_on_this_node(comm);
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
        shape_(given.shape),
        kinds_(given.kinds.resolve(given.shape.size())) {
    ProgramSettings settings;
    settings.exchange = find_exchange(options.exchange);
    settings.backend = &find_local_backend(options.local);
    settings.rigor = options.rigor;
    settings.reorder = options.reorder;
    settings.overwrite_input = options.overwrite_input;
    settings.threads = choose_threads(options, comm_);
    settings.tile_bytes = agreed_tile_bytes(options);
    settings.stream_bytes =
        options.stream_bytes >= 0
            ? options.stream_bytes
            : stream_cache_multiple * static_cast<Index>(second_level_cache_bytes());
    settings.count_limit = options.mpi_count_limit;
    settings_ = settings;
    collectively(comm_, [&] { schedule_ = plan_schedule(problem_, options, settings.tile_bytes); });
    forward_ = make_programs(schedule_);
    backward_ = make_programs(reversed(schedule_));
    input_ = without_batch(
        local_array(problem_, problem_.in, problem_.shape, !problem_.real_input()), problem_.batch);
    output_ =
        without_batch(local_array(problem_, problem_.out, problem_.spectral, true), problem_.batch);
    collectively(comm_, [&] {
      own_workspace_ = HostBuffer(workspace_bytes());
      workspace_ = own_workspace_.data();
    });
    last_ = forward_.separate.get();
  }

  void run(Direction direction, const Argument& in, const Argument& out) {
    const bool forward = direction == Direction::forward;
    const std::optional<std::string> error = find_error(forward, in, out);
    // One small reduction tells whether any rank has something to say, and what all are up to.
    int flags[3] = {error ? 1 : 0, forward ? 1 : 0, forward ? 0 : 1};
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, flags, 3, MPI_INT, MPI_MAX, comm_.get()),
              "MPI_Allreduce");
    if (flags[0] != 0) agree(comm_, error);
    if (flags[1] + flags[2] == 2) throw Error("some ranks called forward, others backward");
    Programs& programs = forward ? forward_ : backward_;
    const bool in_place = in.data == out.data && programs.in_place != nullptr;
    last_ = in_place ? programs.in_place.get() : programs.separate.get();
    last_->run(static_cast<const std::byte*>(in.data),
               static_cast<std::byte*>(const_cast<void*>(out.data)), workspace_);
  }

  const Problem& problem() const { return problem_; }
  const Extents& shape() const { return shape_; }
  const Axes<Kind>& kinds() const { return kinds_; }
  MPI_Comm communicator() const { return comm_.get(); }
  const LocalArray& input() const { return input_; }
  const LocalArray& output() const { return output_; }
  const Program& last() const { return *last_; }
  const Program& forward() const { return *forward_.separate; }
  const ProgramSettings& settings() const { return settings_; }

  std::size_t workspace_bytes() const {
    Index bytes = 0;
    for (const Programs* programs : {&forward_, &backward_}) {
      bytes = std::max(bytes, programs->separate->workspace_bytes());
      if (programs->in_place) bytes = std::max(bytes, programs->in_place->workspace_bytes());
    }
    return static_cast<std::size_t>(bytes);
  }

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
           "exchange " + settings_.exchange.method->name + ", local " + settings_.backend->name +
           ", " + std::to_string(settings_.threads) + " threads, tiles of " +
           human_bytes(static_cast<double>(settings_.tile_bytes)) + ", workspace " +
           human_bytes(static_cast<double>(workspace_bytes())) + "\n";
  }

 private:
  /// The program for separate arrays, and another one where that cannot run in place.
  struct Programs {
    std::unique_ptr<Program> separate;
    std::unique_ptr<Program> in_place;
  };

  /// A quarter of the second-level cache: a tile is read, transformed and written beside the data
  /// that streams through. Ranks on different machines must build the same schedule.
  Index agreed_tile_bytes(const Options& options) const {
    Index bytes = options.tile_bytes > 0 ? options.tile_bytes
                                         : static_cast<Index>(second_level_cache_bytes()) / 4;
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_INT64_T, MPI_MIN, comm_.get()),
              "MPI_Allreduce");
    return bytes;
  }

  Programs make_programs(const Schedule& schedule) {
    Programs programs;
    programs.separate = make_program(schedule);
    int copies = programs.separate->works_in_place() ? 0 : 1;
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &copies, 1, MPI_INT, MPI_MAX, comm_.get()),
              "MPI_Allreduce");
    if (copies != 0) programs.in_place = make_program(with_copied_input(schedule));
    return programs;
  }

  std::unique_ptr<Program> make_program(const Schedule& schedule) {
    std::vector<std::unique_ptr<Exchange>> exchanges;
    for (const Stage& stage : schedule.stages) {
      const auto* move = std::get_if<RedistributeStage>(&stage);
      if (move == nullptr) continue;
      const Communicator& group = group_communicator(move->group);
      ExchangeSetup setup;
      collectively(comm_, [&] { setup = exchange_setup(*move, problem_, group); });
      setup.count_limit = settings_.count_limit;
      setup.parameter = settings_.exchange.parameter;
      exchanges.push_back(settings_.exchange.method->make(setup));
    }
    std::unique_ptr<Program> program;
    collectively(comm_, [&] {
      program = std::make_unique<Program>(schedule, problem_, settings_, std::move(exchanges));
    });
    return program;
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

  std::optional<std::string> find_error(bool forward, const Argument& in,
                                        const Argument& out) const {
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
  Programs forward_;
  Programs backward_;
  Program* last_ = nullptr;
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
  implementation_->run(direction, in, out);
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
  return implementation_->forward().bytes_sent();
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
  return implementation_->settings().exchange.method->name;
}
std::string Plan::local_name() const {
  return implementation_->settings().backend->name;
}

}  // namespace weft
