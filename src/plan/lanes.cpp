#include "plan/lanes.hpp"

#include <mpi.h>

#include <algorithm>

#include "device/alignment.hpp"
#include "exchange/agreement.hpp"

namespace weft {

namespace {

void bind_exchanges(Programs& programs) {
  for (auto& chunks : programs.channels) {
    for (auto& channel : chunks) {
      for (Rung& rung : channel->rungs) rung.exchange->bind();
    }
  }
}

/// Makes the programs of lanes, all with the same settings.
class ProgramMaker {
 public:
  ProgramMaker(const Problem& problem, const ProgramSettings& settings, const Communicator& comm,
               MessagePump& pump)
      : problem_(problem), settings_(settings), comm_(comm), pump_(pump) {}

  void make(const Schedule& schedule, Programs& programs) const {
    programs.usual = make(schedule, programs.channels, false);
    // On a device functions are applied to a copy that is made when there are any.
    const bool applies = !on_host(*settings_.stream) || programs.usual->applies_to_input();
    int copies = programs.usual->works_in_place() && applies ? 0 : 1;
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &copies, 1, MPI_INT, MPI_MAX, comm_.get()),
              "MPI_Allreduce");
    if (copies != 0) programs.copying = make(schedule, programs.channels, true);
  }

 private:
  std::unique_ptr<Program> make(const Schedule& schedule, Channels& channels,
                                bool copies_input) const {
    std::unique_ptr<Program> program;
    collectively(comm_, [&] {
      program = std::make_unique<Program>(schedule, problem_, settings_, channels, comm_, pump_,
                                          copies_input);
    });
    return program;
  }

  const Problem& problem_;
  const ProgramSettings& settings_;
  const Communicator& comm_;
  MessagePump& pump_;
};

}  // namespace

Lanes::Lanes(int count, const Schedule& forward, const Problem& problem,
             const ProgramSettings& settings, const ChannelSettings& channels, MessagePump& pump,
             const DeviceContext& device)
    : device_(device) {
  const Communicator& comm = *channels.everybody;
  const ExchangeTraits& traits = channels.exchange.method->traits;
  if (traits.window == ExchangeTraits::node) window_ = std::make_unique<NodeWindow>(comm);
  if (traits.window == ExchangeTraits::machine)
    device_window_ = std::make_unique<DeviceWindow>(comm, device.device());
  const Schedule backward = reversed(forward);
  lanes_.resize(static_cast<std::size_t>(count));
  if (device.on_host()) {
    make_streams();
  } else {
    collectively(comm, [&] { make_streams(); });
  }
  make_recorders();
  for (Lane& lane : lanes_) make_channels_of(lane, forward, backward, problem, channels);
  if (places() != nullptr) {
    if (window_) window_->allocate();
    if (device_window_) device_window_->allocate();
    for (Lane& lane : lanes_) {
      bind_exchanges(lane.forward);
      bind_exchanges(lane.backward);
    }
  }
  ProgramSettings aligned = settings;
  aligned.alignment =
      std::max(largest_block(front().forward.channels), largest_block(front().backward.channels));
  for (Lane& lane : lanes_) {
    aligned.stream = lane.side.compute;
    aligned.recorder = lane.recorder.get();
    const ProgramMaker maker(problem, aligned, comm, pump);
    maker.make(forward, lane.forward);
    maker.make(backward, lane.backward);
  }
}

Lanes::~Lanes() {
  // Work under way would use memory that is no longer there.
  for (const Lane& lane : lanes_) {
    for (Stream* stream : lane.streams.all()) {
      try {
        stream->synchronize();
      } catch (const std::exception&) {
      }
    }
  }
}

void Lanes::synchronize() const {
  for (const Lane& lane : lanes_) {
    for (Stream* stream : lane.streams.all()) stream->synchronize();
  }
}

void Lanes::make_streams() {
  for (Lane& lane : lanes_) {
    lane.streams = LaneStreams(device_, &lane == lanes_.data());
    lane.side = {lane.streams.compute, lane.streams.send.get(), lane.streams.own.get(),
                 device_window_.get(), nullptr};
  }
}

void Lanes::make_recorders() {
  for (Lane& lane : lanes_) {
    const int place = static_cast<int>(&lane - lanes_.data());
    lane.recorder = std::make_unique<Recorder>(place, *lane.side.compute);
    lane.side.recorder = lane.recorder.get();
  }
}

WindowPlaces* Lanes::places() const {
  if (device_window_) return device_window_.get();
  return window_.get();
}

Index Lanes::shared_bytes() const {
  return places() != nullptr ? places()->bytes() : 0;
}

void Lanes::make_channels_of(Lane& lane, const Schedule& forward, const Schedule& backward,
                             const Problem& problem, ChannelSettings channels) {
  channels.window = window_.get();
  channels.places = places();
  channels.device = &lane.side;
  PlacesInTurn in_turn(places());
  lane.forward.channels = make_channels(forward, problem, channels);
  in_turn.next();
  lane.backward.channels = make_channels(backward, problem, channels);
}

std::size_t Lanes::lane_bytes() const {
  Index bytes = 0;
  for (const Programs* programs : {&front().forward, &front().backward}) {
    bytes = std::max(bytes, programs->usual->workspace_bytes());
    if (programs->copying) bytes = std::max(bytes, programs->copying->workspace_bytes());
  }
  return aligned_up(static_cast<std::size_t>(bytes));
}

std::size_t Lanes::workspace_offset(const Lane& lane) const {
  return static_cast<std::size_t>(&lane - lanes_.data()) * lane_bytes();
}

}  // namespace weft
