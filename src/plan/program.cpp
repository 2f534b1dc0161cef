#include "plan/program.hpp"

#include <mpi.h>

#include <algorithm>
#include <limits>

#include "weft/error.hpp"

namespace weft {

namespace {

Strides message_strides(const Box& region, const AxisList& order) {
  Memory memory;
  memory.order = order;
  return memory.dense().view(region).stride;
}

std::string axes_text(const AxisList& axes) {
  std::string text;
  for (int axis : axes) text += (text.empty() ? "" : ",") + std::to_string(axis);
  return text;
}

Index own_bytes(const std::vector<Transfer>& transfers) {
  for (const Transfer& transfer : transfers) {
    if (transfer.offset < 0) return transfer.bytes;
  }
  return 0;
}

const ArrayState& before(const Stage& stage) {
  return std::visit([](const auto& s) -> const ArrayState& { return s.before; }, stage);
}
const ArrayState& after(const Stage& stage) {
  return std::visit([](const auto& s) -> const ArrayState& { return s.after; }, stage);
}

/// Number of the stage that scales: the first that transforms. It usually copies its result from
/// cache into messages, where scaling is free; the last one may write to the output array itself.
std::size_t scaling_stage(const Schedule& schedule) {
  for (std::size_t i = 0; i < schedule.stages.size(); ++i) {
    const auto* local = std::get_if<LocalStage>(&schedule.stages[i]);
    if (local != nullptr && !local->axes.empty()) return i;
  }
  return schedule.stages.size();
}

/// Whether every stage from here on is local and leaves shape and type alone, so that it can work
/// in the output array.
bool stays_in_output(const Schedule& schedule, std::size_t stage) {
  for (std::size_t i = stage; i < schedule.stages.size(); ++i) {
    const auto* local = std::get_if<LocalStage>(&schedule.stages[i]);
    if (local == nullptr || local->axes.empty()) return false;
    if (local->before.complex != local->after.complex) return false;
  }
  return true;
}

}  // namespace

/// Packs and unpacks single messages, each with a pass that copies.
class Program::PeerPasses : public PeerPacker {
 public:
  PeerPasses(const Program& program, const Exchange& exchange, const Side& from, const Side& to,
             const Side& sends, const Side& receives)
      : bases_(program.bases_) {
    for (std::size_t i = 0; i < sends.pieces.size(); ++i) {
      const bool stays = exchange.sends()[i].offset < 0;
      const Side& sink = stays ? to : Side{{sends.pieces[i]}, sends.order, sends.complex};
      if (stays) own_ = i;
      bytes_.push_back(exchange.sends()[i].bytes);
      pack_.push_back(program.copy(from, sink, sends.pieces[i].box));
    }
    for (const Piece& piece : receives.pieces) {
      unpack_.push_back(program.copy({{piece}, receives.order, receives.complex}, to, piece.box));
    }
  }

  int fragments(std::size_t) const override { return 1; }
  Index pack_fragment(std::size_t send, int) override {
    pack_[send].run(bases_, nullptr);
    return bytes_[send];
  }
  void unpack(std::size_t receive) override { unpack_[receive].run(bases_, nullptr); }
  void copy_own() override {
    if (own_) pack_[*own_].run(bases_, nullptr);
  }

 private:
  const SlotBases& bases_;
  std::vector<Pass> pack_;  // what stays goes straight to the other array
  std::vector<Pass> unpack_;
  std::vector<Index> bytes_;  // of each message
  std::optional<std::size_t> own_;
};

Program::Program(const Schedule& schedule, const Problem& problem, const ProgramSettings& settings,
                 std::vector<std::unique_ptr<Exchange>> exchanges)
    : problem_(problem), settings_(settings), direction_(schedule.direction) {
  lower(schedule, std::move(exchanges));
  apart_ = place(lifetimes_, user_regions(schedule));
  in_place_ = place(lifetimes_, {});
  Index scratch = 0;
  for (const auto& step : steps_) {
    if (const auto* pass = std::get_if<Pass>(&step)) {
      scratch = std::max(scratch, pass->scratch_bytes());
    }
  }
  workspace_bytes_ = std::max(apart_.bytes, in_place_.bytes) + scratch;
  scratch_bytes_ = scratch;
  bases_.resize(lifetimes_.size() + 2);
}

Program::~Program() = default;

std::vector<Region> Program::user_regions(const Schedule& schedule) const {
  const auto usable_bytes = [&](const ArrayState& state) -> Index {
    const View view = state.layout.memory.view(state.box(problem_.rank));
    const Index bytes = view.size * element_bytes(state.complex, problem_.precision);
    // Memory between the elements of a halo or of strides is not ours to write to. Beyond the
    // caches nothing is gained, and workspace has the larger pages.
    return view.size == view.box.count() && bytes <= settings_.stream_bytes ? bytes : 0;
  };
  constexpr int forever = std::numeric_limits<int>::max();
  std::vector<Region> regions{{usable_bytes(after(schedule.stages.back())), 0, output_from_}};
  if (settings_.overwrite_input) {
    regions.push_back({usable_bytes(before(schedule.stages.front())), 1, forever});
  }
  return regions;
}

Slot Program::new_slot(Index bytes) {
  const int step = static_cast<int>(steps_.size());
  lifetimes_.push_back({bytes, step, step});
  return static_cast<Slot>(lifetimes_.size()) + 1;
}

void Program::use(Slot slot) {
  if (slot == output_slot) output_from_ = std::min(output_from_, static_cast<int>(steps_.size()));
  if (slot > output_slot) {
    lifetimes_[static_cast<std::size_t>(slot - 2)].last = static_cast<int>(steps_.size());
  }
}

void Program::use(const Side& side) {
  for (const Piece& piece : side.pieces) use(piece.slot);
}

Side Program::array_after(const ArrayState& state, bool is_output) {
  const View view = state.layout.memory.view(state.box(problem_.rank));
  const Index bytes = view.size * element_bytes(state.complex, problem_.precision);
  return array_side(view, is_output ? output_slot : new_slot(bytes), state.layout.memory.order,
                    state.complex);
}

Side Program::message_side(const std::vector<Transfer>& transfers, const MessageSlots& slots,
                           const AxisList& order, bool complex) const {
  Side side{{}, order, complex};
  const Index bytes = element_bytes(complex, problem_.precision);
  for (const Transfer& transfer : transfers) {
    const bool stays = transfer.offset < 0;
    side.pieces.push_back({transfer.region, message_strides(transfer.region, order),
                           stays ? 0 : transfer.offset / bytes, stays ? slots.own : slots.buffer});
  }
  return side;
}

PassRequest Program::request(const Side& source, const Side& sink) const {
  PassRequest request;
  request.source = source;
  request.sink = sink;
  request.kinds = problem_.kinds;
  request.physical = problem_.shape;
  request.direction = direction_;
  request.precision = problem_.precision;
  request.backend = settings_.backend;
  request.rigor = settings_.rigor;
  request.reorder = settings_.reorder;
  request.threads = settings_.threads;
  request.tile_bytes = settings_.tile_bytes;
  request.stream_bytes = settings_.stream_bytes;
  return request;
}

Pass Program::copy(const Side& source, const Side& sink, const Box& box) const {
  PassRequest copy = request(source, sink);
  copy.before = copy.after = box;
  return Pass(copy);
}

void Program::add_pass(const LocalStage& stage, const Side& source, const Side& sink,
                       double scale) {
  PassRequest pass = request(source, sink);
  pass.before = stage.before.box(problem_.rank);
  pass.after = stage.after.box(problem_.rank);
  pass.axes = stage.axes;
  pass.scale = scale;
  pass.source_may_be_destroyed =
      settings_.overwrite_input ||
      std::none_of(source.pieces.begin(), source.pieces.end(),
                   [](const Piece& piece) { return piece.slot == input_slot; });
  use(source);
  use(sink);
  steps_.emplace_back(Pass(pass));
  const bool unpacks = !source.is_array(), packs = !sink.is_array();
  std::string name = stage.axes.empty() ? "copy" : "transform " + axes_text(stage.axes);
  if (unpacks) name = "unpack, " + name;
  if (packs) name += ", pack";
  timings_.push_back({name, 0, std::get<Pass>(steps_.back()).bytes()});
}

void Program::add_copy(const ArrayState& state, const Side& source, const Side& sink) {
  add_pass(LocalStage{{}, state, state}, source, sink, 1);
}

void Program::add_exchange(ExchangeStep step) {
  timings_.push_back({settings_.exchange.method->name, 0, step.exchange->bytes_to_others()});
  steps_.emplace_back(std::move(step));
}

Side Program::send_side(const RedistributeStage& move, const Exchange& exchange) {
  messages_ = {new_slot(exchange.send_bytes()), new_slot(own_bytes(exchange.sends()))};
  return message_side(exchange.sends(), *messages_, move.order, move.before.complex);
}

Side Program::exchange_messages(const RedistributeStage& move, const Side& current,
                                std::unique_ptr<Exchange> exchange) {
  if (!messages_) {
    const Side packed = send_side(move, *exchange);
    add_copy(move.before, current, packed);
  }
  const MessageSlots received{new_slot(exchange->receive_bytes()), messages_->own};
  const Side side = message_side(exchange->receives(), received, move.order, move.after.complex);
  use(messages_->buffer);
  add_exchange({std::move(exchange), messages_->buffer, received.buffer, nullptr, false});
  messages_.reset();
  return side;
}

Side Program::exchange_arrays(const RedistributeStage& move, const Side& current, bool last,
                              std::unique_ptr<Exchange> exchange) {
  const Side target = array_after(move.after, last);
  const bool between_user_arrays = current.pieces[0].slot == input_slot && last;
  use(current);
  use(target);
  if (settings_.exchange.method->traits.direct) {
    add_exchange({std::move(exchange), current.pieces[0].slot, target.pieces[0].slot, nullptr,
                  between_user_arrays});
    return target;
  }
  // What stays is copied from array to array and needs no slot of its own.
  const MessageSlots send{new_slot(exchange->send_bytes()), output_slot};
  const MessageSlots receive{new_slot(exchange->receive_bytes()), output_slot};
  const bool complex = move.before.complex;
  auto packer = std::make_unique<PeerPasses>(
      *this, *exchange, current, target, message_side(exchange->sends(), send, move.order, complex),
      message_side(exchange->receives(), receive, move.order, complex));
  add_exchange(
      {std::move(exchange), send.buffer, receive.buffer, std::move(packer), between_user_arrays});
  return target;
}

void Program::lower(const Schedule& schedule, std::vector<std::unique_ptr<Exchange>> exchanges) {
  const auto& stages = schedule.stages;
  const bool fuses =
      !settings_.exchange.method->traits.direct && !settings_.exchange.method->traits.packs_itself;
  const double scale =
      scale_factor(problem_.norm, direction_, logical_points(problem_.shape, problem_.kinds));
  const std::size_t scaled = scaling_stage(schedule);
  const ArrayState& first = before(stages.front());
  const ArrayState& result = after(stages.back());
  Side current = array_side(first.layout.memory.view(first.box(problem_.rank)), input_slot,
                            first.layout.memory.order, first.complex);
  std::size_t exchange = 0;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const bool last = i + 1 == stages.size();
    if (const auto* move = std::get_if<RedistributeStage>(&stages[i])) {
      auto& next = exchanges[exchange++];
      if (!fuses) {
        current = exchange_arrays(*move, current, last, std::move(next));
        continue;
      }
      current = exchange_messages(*move, current, std::move(next));
      if (last) add_copy(result, current, array_after(result, true));
      continue;
    }
    const auto& local = std::get<LocalStage>(stages[i]);
    const auto* move = last ? nullptr : std::get_if<RedistributeStage>(&stages[i + 1]);
    Side sink;
    if (move != nullptr && fuses) {
      sink = send_side(*move, *exchanges[exchange]);
    } else if (last || (!local.axes.empty() && stays_in_output(schedule, i + 1))) {
      sink = array_after(result, true);
    } else {
      sink = array_after(local.after, false);
    }
    add_pass(local, current, sink, i == scaled ? scale : 1);
    current = sink;
  }
}

bool Program::works_in_place() const {
  if (const auto* exchange = std::get_if<ExchangeStep>(&steps_.front())) {
    return !exchange->between_user_arrays;
  }
  const auto& pass = std::get<Pass>(steps_.front());
  return !pass.between_user_arrays() || pass.works_in_place();
}

void Program::run(const std::byte* input, std::byte* output, std::byte* workspace) {
  bases_[input_slot] = const_cast<std::byte*>(input);
  bases_[output_slot] = output;
  const WorkspaceLayout& layout = input == output ? in_place_ : apart_;
  std::byte* const regions[] = {output, const_cast<std::byte*>(input)};
  for (std::size_t i = 0; i < layout.places.size(); ++i) {
    const Place& place = layout.places[i];
    bases_[i + 2] = (place.region < 0 ? workspace : regions[place.region]) + place.offset;
  }
  std::byte* const scratch = workspace + workspace_bytes_ - scratch_bytes_;
  double begin = MPI_Wtime();
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (const auto* pass = std::get_if<Pass>(&steps_[i])) {
      pass->run(bases_, scratch);
    } else {
      const auto& step = std::get<ExchangeStep>(steps_[i]);
      step.exchange->start(bases_[static_cast<std::size_t>(step.send)],
                           bases_[static_cast<std::size_t>(step.receive)], step.packer.get());
      step.exchange->wait();
    }
    const double end = MPI_Wtime();
    timings_[i].seconds = end - begin;
    begin = end;
  }
}

Index Program::bytes_sent() const {
  Index bytes = 0;
  for (const auto& step : steps_) {
    if (const auto* exchange = std::get_if<ExchangeStep>(&step)) {
      bytes += exchange->exchange->bytes_to_others();
    }
  }
  return bytes;
}

Schedule with_copied_input(const Schedule& schedule) {
  Schedule result = schedule;
  const ArrayState user = before(schedule.stages.front());
  ArrayState copy = user;
  copy.layout.memory = user.layout.memory.dense();
  std::visit([&](auto& stage) { stage.before = copy; }, result.stages.front());
  result.stages.insert(result.stages.begin(), LocalStage{{}, user, copy});
  return result;
}

ExchangeSetup exchange_setup(const RedistributeStage& stage, const Problem& problem,
                             const Communicator& comm) {
  ExchangeSetup setup;
  setup.comm = &comm;
  setup.element_bytes = element_bytes(stage.before.complex, problem.precision);
  setup.order = stage.order;
  setup.from = stage.before.layout.memory.view(stage.before.box(problem.rank));
  setup.to = stage.after.layout.memory.view(stage.after.box(problem.rank));
  const Redistribution list = messages(stage, problem.rank);
  const auto translate = [&](const std::vector<Message>& from, std::vector<Transfer>& to) {
    for (const Message& message : from) {
      to.push_back({static_cast<int>(stage.group.rank_within(message.peer)), message.region,
                    message.region.count() * setup.element_bytes});
    }
  };
  translate(list.sends, setup.sends);
  translate(list.receives, setup.receives);
  return setup;
}

}  // namespace weft
