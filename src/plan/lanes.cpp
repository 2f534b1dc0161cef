#include "plan/lanes.hpp"

#include <mpi.h>

#include <algorithm>

#include "device/alignment.hpp"
#include "exchange/agreement.hpp"
#include "exchange/device_window.hpp"
#include "exchange/node_window.hpp"

namespace weft {

namespace {

void bind(LaneDirection& direction) {
  for (auto& chunks : direction.redistributions) {
    for (auto& chunk : chunks) chunk->bind();
  }
}

std::unique_ptr<SharedWindow> make_window(const Context& context) {
  switch (context.exchange.method->traits.window) {
    case ExchangeTraits::node:
      return std::make_unique<NodeWindow>(context.comm);
    case ExchangeTraits::machine:
      return std::make_unique<DeviceWindow>(context.comm, *context.device);
    case ExchangeTraits::none:
    case ExchangeTraits::own:
      break;
  }
  return nullptr;
}

}  // namespace

Lanes::Lanes(Context& context, const Schedule& forward)
    : context_(context), window_(make_window(context)) {
  const Schedule backward = reversed(forward);
  lanes_.resize(static_cast<std::size_t>(context.fields_in_flight));
  collectively(context.comm, [&] {
    int place = 0;
    for (Lane& lane : lanes_) {
      lane.streams = std::make_unique<FieldStreams>(place++, *context.caller);
    }
  });
  for (Lane& lane : lanes_) make_redistributions_of(lane, forward, backward);
  if (window_) window_->allocate();
  for (Lane& lane : lanes_) {
    bind(lane.forward);
    bind(lane.backward);
  }
  for (Lane& lane : lanes_) {
    make_program(forward, lane, lane.forward);
    make_program(backward, lane, lane.backward);
  }
}

Lanes::~Lanes() {
  // Work under way would use memory that is no longer there.
  for (const Lane& lane : lanes_) {
    try {
      if (lane.streams) lane.streams->synchronize();
    } catch (const std::exception&) {
    }
  }
}

void Lanes::synchronize() const {
  for (const Lane& lane : lanes_) lane.streams->synchronize();
}

Index Lanes::shared_bytes() const {
  return window_ ? window_->bytes() : 0;
}

void Lanes::make_redistributions_of(Lane& lane, const Schedule& forward, const Schedule& backward) {
  const ExchangeEnvironment environment{context_.comm,           context_.count_limit,
                                        context_.tuning.threads, context_.node,
                                        window_.get(),           lane.streams.get()};
  PlacesInTurn in_turn(window_.get());
  lane.forward.redistributions =
      make_redistributions(forward, context_, environment, lane.streams->compute());
  in_turn.next();
  lane.backward.redistributions =
      make_redistributions(backward, context_, environment, lane.streams->compute());
}

void Lanes::make_program(const Schedule& schedule, Lane& lane, LaneDirection& direction) const {
  collectively(context_.comm, [&] {
    direction.program =
        std::make_unique<Program>(schedule, context_, *lane.streams, direction.redistributions);
  });
  int copies = direction.program->may_need_copy() ? 1 : 0;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &copies, 1, MPI_INT, MPI_MAX, context_.comm.get()),
            "MPI_Allreduce");
  if (copies != 0) collectively(context_.comm, [&] { direction.program->allow_copy(schedule); });
}

std::size_t Lanes::lane_bytes() const {
  Index bytes = 0;
  for (const LaneDirection* direction : {&front().forward, &front().backward}) {
    bytes = std::max(bytes, direction->program->workspace_bytes());
  }
  return aligned_up(static_cast<std::size_t>(bytes));
}

std::size_t Lanes::workspace_offset(const Lane& lane) const {
  return static_cast<std::size_t>(&lane - lanes_.data()) * lane_bytes();
}

}  // namespace weft
