#include "plan/field_pipeline.hpp"

#include <mpi.h>

#include <algorithm>

#include "device/alignment.hpp"
#include "exchange/agreement.hpp"
#include "program/lower.hpp"
#include "program/placement.hpp"

namespace weft {

FieldPipeline::FieldPipeline(const Context& context, std::size_t place)
    : context_(context),
      place_(place),
      streams_(static_cast<int>(place), *context.caller),
      executor_(context) {}

void FieldPipeline::make_redistributions(Context& context, const Schedule& forward,
                                         const Schedule& backward, SharedWindow* window) {
  const ExchangeEnvironment environment{context.comm,    context.options.mpi_count_limit,
                                        context.threads, context.node,
                                        window,          &streams_};
  PlacesInTurn in_turn(window);
  for (const Schedule* schedule : {&forward, &backward}) {
    of(schedule->direction).redistributions =
        weft::make_redistributions(*schedule, context, environment, streams_.compute());
    in_turn.next();
  }
}

void FieldPipeline::bind() {
  for (OneWay& way : ways_) {
    for (auto& chunks : way.redistributions) {
      for (auto& chunk : chunks) chunk->bind();
    }
  }
}

void FieldPipeline::make_programs(const Schedule& forward, const Schedule& backward) {
  const Communicator& comm = context_.comm;
  for (const Schedule* schedule : {&forward, &backward}) {
    OneWay& way = of(schedule->direction);
    collectively(comm, [&] {
      way.program =
          lower(*schedule, context_, streams_.compute(), way.redistributions, executor_.memory());
      place_buffers(way.program, *schedule, context_);
      way.times = std::make_unique<StepTimes>(way.program, streams_, context_.options.breakdown);
      executor_.expect(way.program);
    });
    int copies = way.program.copies_input(context_, true, true) ? 1 : 0;
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &copies, 1, MPI_INT, MPI_MAX, comm.get()),
              "MPI_Allreduce");
    if (copies == 0) continue;
    collectively(comm,
                 [&] { add_copy_of_input(way.program, *schedule, context_, streams_.compute()); });
  }
}

std::size_t FieldPipeline::workspace_bytes() const {
  const Index bytes =
      std::max(ways_[0].program.workspace_bytes(), ways_[1].program.workspace_bytes());
  return static_cast<std::size_t>(aligned_up(bytes));
}

void FieldPipeline::reserve_copies(const RunArrays& arrays, const detail::PointFunction& on_input) {
  const Program& run = program(arrays.direction);
  const bool changed = on_input && !context_.options.overwrite_input &&
                       !run.copies_input(context_, arrays.are_one(), true) &&
                       !run.applies_to_input(on_input);
  staged_.reserve(arrays, changed, *context_.device);
}

void FieldPipeline::begin(const RunArrays& arrays, std::byte* workspace, Callbacks callbacks) {
  last_ = arrays.direction;
  const auto* source = static_cast<const std::byte*>(arrays.in.data);
  auto* sink = static_cast<std::byte*>(const_cast<void*>(arrays.out.data));
  std::byte* changed = const_cast<std::byte*>(source);
  if (!context_.on_host()) {
    complete();
    streams_.enter();
    staged_.begin(arrays, source, sink, streams_.compute());
    callbacks.stream = &streams_.compute();
    changed = context_.options.overwrite_input ? const_cast<std::byte*>(source)
                                               : staged_.changeable(source, sink);
  }
  OneWay& way = of(last_);
  executor_.begin(way.program, *way.times, {source, sink, workspace, changed}, callbacks);
}

void FieldPipeline::complete() {
  if (context_.on_host()) return;
  staged_.complete(streams_.compute());
  streams_.leave();
}

}  // namespace weft
