#include "program/lower.hpp"

#include <algorithm>

#include "kind/kind.hpp"
#include "program/array_place.hpp"
#include "program/message_packer.hpp"
#include "program/stage_choices.hpp"
#include "redistribution/make_redistributions.hpp"

namespace weft {

namespace {

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
    ArrayPlace current = ArrayPlace::of(array_side(first, context_.problem.rank, input_buffer));
    for (std::size_t i = 0; i < stages.size(); ++i) {
      if (const auto* local = std::get_if<LocalStage>(&stages[i])) {
        const double scale =
            i == scaled
                ? scale_factor(context_.problem.norm, schedule_.direction,
                               logical_points(context_.problem.lengths, context_.problem.kinds))
                : 1;
        const auto* move =
            i + 1 < stages.size() ? std::get_if<RedistributeStage>(&stages[i + 1]) : nullptr;
        if (move == nullptr) {
          const ArrayPlace target =
              ArrayPlace::of(array_after(local->after, stays_in_output(schedule_, i)));
          emit(*local, current, target, scale, i + 1 == stages.size());
          current = target;
          continue;
        }
        current = move_on(*move, local, current, scale, i + 2 == stages.size());
        ++i;
      } else {
        const auto& move = std::get<RedistributeStage>(stages[i]);
        current = move_on(move, nullptr, current, 1, i + 1 == stages.size());
      }
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
    const Index rank = context_.problem.rank;
    if (is_output) return array_side(after(schedule_.stages.back()), rank, output_buffer);
    const Index elements = state.layout.memory.view(state.box(rank)).size;
    return array_side(state, rank, new_buffer(elements * bytes_of(element(state.complex))));
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
      const PassSide target = lands ? array_side(landed(move), context_.problem.rank, new_buffer(0))
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
      exchange_timing_ = add_exchange_timing();
      for (std::size_t chunk : from.redistributions) program_.steps.push_back(started(chunk));
    }
    if (!last || !(fuses || lands)) return to;
    const ArrayPlace output = ArrayPlace::of(array_after(move.after, true));
    emit(LocalStage{{}, move.after, move.after}, to, output, 1, true);
    return output;
  }

  CopyElement element(bool complex) const { return {context_.problem.precision, complex}; }
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
      PassSide result{{}, move.order, move.before.complex};
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
      Redistribution::Buffers arrays;
      arrays.send = source.views[0].buffer;
      arrays.receive = target.views[0].buffer;
      return add(redistribution, arrays);
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

  std::size_t add_timing(const std::string& name, bool moves_data) {
    program_.stages.push_back({name, 0, 0, moves_data});
    return program_.stages.size() - 1;
  }
  std::size_t add_exchange_timing() { return add_timing(context_.exchange.method->name, true); }

  /// Emits a local stage as one pass, or one for each part of what it reads or writes. Messages set
  /// out after the last pass that writes any of them, and have arrived before the first that reads
  /// any.
  void emit(const LocalStage& stage, const ArrayPlace& from, const ArrayPlace& to, double scale,
            bool is_last = false) {
    const std::size_t timing = add_timing(stage_text(stage, from, to), false);
    const bool reads_parts = from.in_parts(stage);
    const bool writes_parts = to.in_parts(stage) && (!reads_parts || from.cut == to.cut);
    const Cut cut = reads_parts ? from.cut : writes_parts ? to.cut : Cut{};
    if (!to.redistributions.empty()) exchange_timing_ = add_exchange_timing();
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
      pass.may_destroy_source = may_be_destroyed(pass.source, to);
      pass.reads_input = pass.source.is_array() && pass.source.views[0].buffer == input_buffer;
      pass.writes_result = is_last;
      program_.passes.push_back(make_pass(context_, stream_, pass));
      program_.stages[timing].bytes +=
          pass.before.count() * bytes_of(element(pass.source.complex)) +
          pass.after.count() * bytes_of(element(pass.sink.complex));
      for (std::size_t chunk : step.opens) program_.packed_by[chunk].push_back(step.number);
      steps.push_back(step);
      for (std::size_t chunk : complete) steps.push_back(started(chunk));
    }
    insert(passes, reads_parts ? places_for_parts(from, cut.count)
                               : std::vector<std::size_t>(passes.size(), program_.steps.size()));
  }

  /// Where the passes belong that work on parts of what arrives: each behind the starts of what
  /// travels after the last chunk of its part, as it waits for this chunk, but before anything else
  /// is done. The last one is behind all.
  std::vector<std::size_t> places_for_parts(const ArrayPlace& arrived, Index count) const {
    std::vector<std::size_t> places;
    for (Index part = 0; part < count; ++part) {
      std::size_t later = 0;  // first chunk that this part does not need
      for (std::size_t i = 0; i < arrived.redistributions.size(); ++i) {
        if (arrived.passes_of(i, count, true).first <= part) later = i + 1;
      }
      std::size_t place = program_.steps.size();
      if (later < arrived.redistributions.size()) {
        place = position_of_start(arrived.redistributions[later]);
        while (place < program_.steps.size() && program_.steps[place].kind == Step::start) {
          ++place;
        }
      }
      places.push_back(place);
    }
    return places;
  }

  /// At places that do not decrease, among the steps that are there.
  void insert(const std::vector<std::vector<Step>>& passes,
              const std::vector<std::size_t>& places) {
    for (std::size_t i = passes.size(); i-- > 0;) {
      const auto place = program_.steps.begin() + static_cast<std::ptrdiff_t>(places[i]);
      program_.steps.insert(place, passes[i].begin(), passes[i].end());
    }
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

  /// The user's input is preserved, and so is what may have to be packed once more.
  bool may_be_destroyed(const PassSide& source, const ArrayPlace& to) const {
    const auto repeats = [&](std::size_t chunk) {
      return program_.redistributions[chunk]->may_repeat();
    };
    if (std::any_of(to.redistributions.begin(), to.redistributions.end(), repeats)) return false;
    return context_.options.overwrite_input ||
           std::none_of(source.views.begin(), source.views.end(),
                        [](const ArrayView& view) { return view.buffer == input_buffer; });
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
