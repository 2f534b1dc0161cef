#include "program/lower.hpp"

#include <algorithm>

#include "kind/kind.hpp"
#include "program/array_place.hpp"
#include "program/message_packer.hpp"
#include "redistribution/make_redistributions.hpp"

namespace weft {

namespace {

/// Number of the stage that scales: the first that transforms. It usually copies its result from
/// cache into messages, where scaling is free; the last one may write to the output array itself.
///
/// On a device it is the one that transforms contiguous lines: there the library scales for
/// nothing, while with lines of long strides it may take other kernels, of half the speed.
std::size_t scaling_stage(const Schedule& schedule, bool on_host) {
  std::size_t first = schedule.stages.size();
  for (std::size_t i = schedule.stages.size(); i-- > 0;) {
    const auto* local = std::get_if<LocalStage>(&schedule.stages[i]);
    if (local == nullptr || local->axes.empty()) continue;
    const int contiguous = local->before.layout.memory.common().order.back();
    if (!on_host && local->axes.contains(contiguous)) return i;
    first = i;
  }
  return first;
}

/// Whether the result of a local stage may lie in the output array: it is the last one, or every
/// stage after it is local and leaves shape and type alone, so that it can work there.
bool stays_in_output(const Schedule& schedule, std::size_t stage) {
  for (std::size_t i = stage + 1; i < schedule.stages.size(); ++i) {
    const auto* local = std::get_if<LocalStage>(&schedule.stages[i]);
    if (local == nullptr || local->axes.empty()) return false;
    if (local->before.complex != local->after.complex) return false;
    if (!(local->before.shape == local->after.shape)) return false;
  }
  return stage + 1 == schedule.stages.size() ||
         !std::get<LocalStage>(schedule.stages[stage]).axes.empty();
}

class Lowering {
 public:
  Lowering(const Schedule& schedule, const Context& context, Stream& stream,
           Redistributions& redistributions, const RunMemory& memory)
      : schedule_(schedule),
        context_(context),
        stream_(stream),
        redistributions_(redistributions),
        memory_(memory),
        alignment_(largest_block(redistributions)) {}

  Program run() {
    const auto& stages = schedule_.stages;
    const ArrayState& first = before(stages.front());
    const std::size_t scaled = scaling_stage(schedule_, on_host(stream_));
    ArrayPlace current = ArrayPlace::of(array_side(first, context_.problem, input_buffer));
    for (std::size_t i = 0; i < stages.size(); ++i) {
      const double scale =
          i == scaled
              ? scale_factor(context_.problem.norm, schedule_.direction,
                             logical_points(context_.problem.lengths, context_.problem.kinds))
              : 1;
      const auto* local = std::get_if<LocalStage>(&stages[i]);
      const std::size_t next = local != nullptr ? i + 1 : i;
      const auto* move =
          next < stages.size() ? std::get_if<RedistributeStage>(&stages[next]) : nullptr;
      if (move != nullptr) {
        current = move_on(*move, local, current, scale, next + 1 == stages.size());
        i = next;
        continue;
      }
      const ArrayPlace target =
          ArrayPlace::of(array_after(local->after, stays_in_output(schedule_, i)));
      emit(*local, current, target, scale, next == stages.size());
      current = target;
    }
    for (std::size_t chunk : current.redistributions) program_.steps.push_back(finished(chunk));
    return std::move(program_);
  }

 private:
  /// Of its own, or a part of another.
  BufferId new_buffer(Index bytes, BufferId within = no_buffer) {
    const BufferId id = program_.buffers.size();
    program_.buffers.push_back({bytes, within == no_buffer ? id : within});
    return id;
  }

  /// The result has the memory layout of the output only if it is the output.
  PassSide array_after(const ArrayState& state, bool is_output) {
    const ResolvedProblem& problem = context_.problem;
    if (is_output) return array_side(after(schedule_.stages.back()), problem, output_buffer);
    const Index elements = state.layout.memory.view(state.box(problem.rank)).size;
    const BufferId buffer = new_buffer(elements * element_bytes(state.complex, problem.precision));
    return array_side(state, problem, buffer);
  }

  /// Lowers a redistribution and what is done locally before it, if anything. Returns where the
  /// array is afterwards.
  ArrayPlace move_on(const RedistributeStage& move, const LocalStage* local,
                     const ArrayPlace& current, double scale, bool last) {
    auto& redistributions = redistributions_[next_redistribution_++];
    first_of_move_ = program_.redistributions.size();
    const std::vector<Chunk> chunks = move.chunks();
    const bool fuses = context_.fuses(), lands = context_.exchange.method->traits.lands();
    ArrayPlace from, to;
    from.cut = move.chunking.sender;
    to.cut = move.chunking.receiver;
    if (fuses) {
      for (std::size_t i = 0; i < chunks.size(); ++i) {
        add_packed(move, chunks[i], *redistributions[i], from, to);
      }
    } else {
      const PassSide source = local != nullptr ? array_after(local->after, false) : current.all();
      const PassSide target = lands ? array_side(landed(move), context_.problem, new_buffer(0))
                                    : array_after(move.after, last);
      for (std::size_t i = 0; i < chunks.size(); ++i) {
        const std::size_t number = add_arrays(move, *redistributions[i], source, target);
        from.add(number, chunks[i].sent, source);
        to.add(number, chunks[i].received, target);
      }
    }
    if (local != nullptr || fuses) {
      emit(local != nullptr ? *local : LocalStage{{}, move.before, move.before}, current, from,
           scale);
    } else {
      for (std::size_t chunk : current.redistributions) program_.steps.push_back(finished(chunk));
      add_exchange_timing();
      for (std::size_t chunk : from.redistributions) program_.steps.push_back(started(chunk));
    }
    if (!last || !(fuses || lands)) return to;
    const ArrayPlace output = ArrayPlace::of(array_after(move.after, true));
    emit(LocalStage{{}, move.after, move.after}, to, output, 1, true);
    return output;
  }

  std::size_t add(Redistribution& redistribution, Redistribution::Buffers buffers) {
    redistribution.set_buffers(std::move(buffers));
    program_.redistributions.push_back(&redistribution);
    program_.packed_by.emplace_back();
    return program_.redistributions.size() - 1;
  }

  Redistribution::Buffers message_buffers(const Redistribution& redistribution) {
    Redistribution::Buffers buffers;
    buffers.send = new_buffer(redistribution.send_bytes());
    buffers.receive = new_buffer(redistribution.receive_bytes());
    buffers.work = new_buffer(redistribution.work_bytes());
    BufferId own = no_buffer;
    const auto add = [&](const std::vector<Message>& messages, BufferId buffer,
                         std::vector<BufferId>& ids) {
      for (const Message& message : messages) {
        if (message.place.in != Location::stays) {
          ids.push_back(new_buffer(0, message.place.in == Location::buffer ? buffer : no_buffer));
          continue;
        }
        // What stays has one buffer for both sides.
        if (own == no_buffer) own = new_buffer(message.bytes);
        ids.push_back(own);
      }
    };
    add(redistribution.messages().sends(), buffers.send, buffers.sends);
    add(redistribution.messages().receives(), buffers.receive, buffers.receives);
    return buffers;
  }

  void add_packed(const RedistributeStage& move, const Chunk& chunk, Redistribution& redistribution,
                  ArrayPlace& packed, ArrayPlace& arrived) {
    const std::size_t number = add(redistribution, message_buffers(redistribution));
    const auto side = [&](const std::vector<Message>& list, const std::vector<BufferId>& ids,
                          MessageCodec& encoding) {
      PassSide result{{}, move.order, {context_.problem.precision, move.before.complex}};
      for (std::size_t i = 0; i < list.size(); ++i)
        result.views.push_back(message_view(list[i], move.order, ids[i], encoding));
      return result;
    };
    const auto& messages = redistribution.messages();
    const auto& buffers = redistribution.buffers();
    packed.add(number, chunk.sent, side(messages.sends(), buffers.sends, redistribution.sends()));
    arrived.add(number, chunk.received,
                side(messages.receives(), buffers.receives, redistribution.receives()));
  }

  std::size_t add_arrays(const RedistributeStage& move, Redistribution& redistribution,
                         const PassSide& source, const PassSide& target) {
    if (context_.exchange.method->traits.family == ExchangeTraits::arrays) {
      return add(redistribution,
                 {.send = source.views[0].buffer, .receive = target.views[0].buffer});
    }
    Redistribution::Buffers buffers = message_buffers(redistribution);
    buffers.array_from = source.views[0].buffer;
    buffers.array_to = target.views[0].buffer;
    const std::size_t number = add(redistribution, std::move(buffers));
    auto packer = std::make_unique<MessagePacker>(context_, stream_, pass_spec(source, target),
                                                  move.order, redistribution, memory_);
    const Index scratch = packer->scratch_bytes();
    redistribution.set_packer(std::move(packer), scratch);
    return number;
  }

  PassSpec pass_spec(const PassSide& source, const PassSide& sink) const {
    PassSpec spec;
    spec.source = source;
    spec.sink = sink;
    spec.direction = schedule_.direction;
    spec.alignment = alignment_;
    return spec;
  }

  void add_exchange_timing() {
    exchange_timing_ = program_.stages.size();
    program_.stages.push_back({context_.exchange.method->name, 0, 0, true, {}});
  }

  /// Emits a local stage as one pass, or one for each part of what it reads or writes. Messages set
  /// out after the last pass that writes any of them, and have arrived before the first that reads
  /// any.
  void emit(const LocalStage& stage, const ArrayPlace& from, const ArrayPlace& to, double scale,
            bool is_last = false) {
    const std::size_t timing = program_.stages.size();
    program_.stages.push_back({stage_text(stage, from, to), 0, 0, false, {}});
    const bool reads_parts = from.in_parts(stage);
    const bool writes_parts = to.in_parts(stage) && (!reads_parts || from.cut == to.cut);
    const Cut cut = reads_parts ? from.cut : writes_parts ? to.cut : Cut{};
    if (!to.redistributions.empty()) add_exchange_timing();
    std::vector<std::vector<Step>> passes;
    for (Index part = 0; part < cut.count; ++part) {
      std::vector<Step>& steps = passes.emplace_back();
      Step step{Step::pass, program_.passes.size(), timing, part, {}, {}};
      for (std::size_t i = 0; i < from.redistributions.size(); ++i) {
        const auto readers = from.passes_of(i, cut.count, reads_parts);
        if (readers.first == part) steps.push_back(finished(from.redistributions[i]));
        if (readers.last == part) step.closes.push_back(from.redistributions[i]);
      }
      std::vector<std::size_t> complete;
      for (std::size_t i = 0; i < to.redistributions.size(); ++i) {
        const auto writers = to.passes_of(i, cut.count, writes_parts);
        if (writers.include(part)) step.opens.push_back(to.redistributions[i]);
        if (writers.last == part) complete.push_back(to.redistributions[i]);
      }
      PassSpec pass = pass_spec(reads_parts ? from.side_of(part) : from.all(),
                                writes_parts ? to.side_of(part) : to.all());
      pass.before = cut.part(stage.before.box(context_.problem.rank), part);
      pass.after = cut.part(stage.after.box(context_.problem.rank), part);
      pass.parts = cut.count;
      pass.axes = stage.axes;
      pass.scale = scale;
      pass.reads_input = pass.source.is_array() && pass.source.views[0].buffer == input_buffer;
      // The user's input is preserved, and so is what may have to be packed once more.
      pass.may_destroy_source =
          (context_.options.overwrite_input || !pass.reads_input) && !may_repeat(to);
      pass.writes_result = is_last;
      program_.passes.push_back(make_pass(context_, stream_, pass));
      program_.stages[timing].bytes += pass.before.count() * bytes_of(pass.source.element) +
                                       pass.after.count() * bytes_of(pass.sink.element);
      for (std::size_t chunk : step.opens) program_.packed_by[chunk].push_back(step.number);
      steps.push_back(step);
      for (std::size_t chunk : complete) steps.push_back(started(chunk));
    }
    const std::size_t end = program_.steps.size();
    // From the last one on, so that the places of those before stay as they are.
    for (Index part = cut.count; part-- > 0;) {
      const std::size_t place = reads_parts ? place_of_part(from, part, cut.count, end) : end;
      const auto& steps = passes[static_cast<std::size_t>(part)];
      program_.steps.insert(program_.steps.begin() + static_cast<std::ptrdiff_t>(place),
                            steps.begin(), steps.end());
    }
  }

  /// Where a pass belongs that works on a part of what arrives: behind the starts of what travels
  /// after the last chunk of its part, as it waits for this chunk, but before anything else is
  /// done. The last one is behind all.
  std::size_t place_of_part(const ArrayPlace& arrived, Index part, Index count,
                            std::size_t end) const {
    std::size_t later = 0;  // first chunk that this part does not need
    for (std::size_t i = 0; i < arrived.redistributions.size(); ++i) {
      if (arrived.passes_of(i, count, true).first <= part) later = i + 1;
    }
    if (later == arrived.redistributions.size()) return end;
    std::size_t place = position_of_start(arrived.redistributions[later]);
    while (place < end && program_.steps[place].kind == Step::start) ++place;
    return place;
  }

  std::size_t position_of_start(std::size_t chunk) const {
    std::size_t at = 0;
    while (program_.steps[at].kind != Step::start || program_.steps[at].number != chunk) ++at;
    return at;
  }

  Step started(std::size_t chunk) const {
    return {Step::start, chunk, exchange_timing_, static_cast<Index>(chunk - first_of_move_),
            {},          {}};
  }
  Step finished(std::size_t chunk) const {
    Step step = program_.steps[position_of_start(chunk)];
    step.kind = Step::finish;
    return step;
  }

  bool may_repeat(const ArrayPlace& to) const {
    return std::any_of(
        to.redistributions.begin(), to.redistributions.end(),
        [&](std::size_t chunk) { return program_.redistributions[chunk]->may_repeat(); });
  }

  const Schedule& schedule_;
  const Context& context_;
  Stream& stream_;
  Redistributions& redistributions_;
  const RunMemory& memory_;
  Index alignment_;
  Program program_;
  std::size_t next_redistribution_ = 0;
  std::size_t first_of_move_ = 0;  // redistribution of the move that is being lowered
  std::size_t exchange_timing_ = 0;
};

}  // namespace

Program lower(const Schedule& schedule, const Context& context, Stream& stream,
              Redistributions& redistributions, const RunMemory& memory) {
  return Lowering(schedule, context, stream, redistributions, memory).run();
}

}  // namespace weft
