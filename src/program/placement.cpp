#include "program/placement.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "device/alignment.hpp"

namespace weft {

namespace {

bool together(const Placement::Lifetime& a, const Placement::Lifetime& b) {
  return a.first <= b.last && b.first <= a.last;
}

/// The lowest free place for a piece within `capacity` bytes of one region.
std::optional<Index> find_place(const std::vector<Placement::Lifetime>& pieces,
                                const std::vector<Placement::Place>& places, int region,
                                Index capacity) {
  const Placement::Lifetime& piece = pieces[places.size()];
  std::vector<std::size_t> conflicts;
  for (std::size_t other = 0; other < places.size(); ++other) {
    if (places[other].region == region && together(pieces[other], piece))
      conflicts.push_back(other);
  }
  std::sort(conflicts.begin(), conflicts.end(),
            [&](std::size_t a, std::size_t b) { return places[a].offset < places[b].offset; });
  Index at = 0;
  for (std::size_t other : conflicts) {
    if (at + piece.bytes <= places[other].offset) break;
    at = std::max(at, places[other].offset + aligned_up(pieces[other].bytes));
  }
  return at + piece.bytes <= capacity ? std::optional<Index>(at) : std::nullopt;
}

/// Of all buffers of a program, by BufferId; of those that no step uses `last` comes before
/// `first`.
std::vector<Placement::Lifetime> lifetimes(const Program& program) {
  std::vector<Placement::Lifetime> result(program.buffers.size(), {0, 0, -1});
  int number = 0;
  const auto use_one = [&](BufferId buffer) {
    Placement::Lifetime& life = result[buffer];
    if (life.last < 0) life.first = number;
    life.last = number;
    life.bytes = program.buffers[buffer].bytes;
  };
  const auto use = [&](BufferId buffer) {
    if (buffer == no_buffer) return;
    use_one(buffer);
    use_one(program.buffers[buffer].within);
  };
  const auto use_side = [&](const PassSide& side) {
    for (const ArrayView& view : side.views) use(view.buffer);
  };
  for (const Step& step : program.steps) {
    if (step.kind == Step::pass) {
      use_side(program.passes[step.number]->spec().source);
      use_side(program.passes[step.number]->spec().sink);
    } else {
      const Redistribution& redistribution = *program.redistributions[step.number];
      const Redistribution::Buffers& buffers = redistribution.buffers();
      for (BufferId buffer :
           {buffers.send, buffers.receive, buffers.work, buffers.array_from, buffers.array_to}) {
        use(buffer);
      }
      // What may have to be packed once more.
      if (step.kind == Step::finish && redistribution.may_repeat()) {
        for (std::size_t pack : program.packed_by[step.number]) {
          use_side(program.passes[pack]->spec().source);
        }
      }
    }
    ++number;
  }
  return result;
}

/// The array that passes write where they have read the input, if they do; other than input and
/// output.
std::optional<BufferId> buffer_in_place_of_input(const Program& program) {
  BufferId buffer = input_buffer;
  for (const auto& pass : program.passes) {
    const PassSide& sink = pass->spec().sink;
    const bool writes_array = sink.is_array();
    const BufferId written = writes_array ? sink.views[0].buffer : input_buffer;
    if (!pass->spec().reads_input) {
      if (writes_array && written == buffer) return std::nullopt;
      continue;
    }
    if (!writes_array || written <= output_buffer || !pass->works_in_place()) return std::nullopt;
    if (buffer != input_buffer && buffer != written) return std::nullopt;
    buffer = written;
  }
  if (buffer == input_buffer || program.exchange_reads_input()) return std::nullopt;
  return buffer;
}

}  // namespace

Placement place(const std::vector<Placement::Lifetime>& pieces,
                const std::vector<Placement::Region>& regions) {
  constexpr Index unlimited = std::numeric_limits<Index>::max() / 2;
  Placement layout;
  for (const Placement::Lifetime& piece : pieces) {
    std::optional<Placement::Place> found;
    for (std::size_t i = 0; i < regions.size() && !found; ++i) {
      const Placement::Region& region = regions[i];
      if (piece.first < region.from || piece.last >= region.until) continue;
      const int number = static_cast<int>(i);
      if (const auto at = find_place(pieces, layout.places, number, region.bytes)) {
        found = Placement::Place{number, *at};
      }
    }
    if (!found) {
      found = Placement::Place{-1, *find_place(pieces, layout.places, -1, unlimited)};
      layout.bytes = std::max(layout.bytes, found->offset + aligned_up(piece.bytes));
    }
    layout.places.push_back(*found);
  }
  return layout;
}

void place_buffers(Program& program, const Schedule& schedule, const Context& context) {
  program.input = array_side(before(schedule.stages.front()), context.problem, input_buffer);
  program.result = array_side(after(schedule.stages.back()), context.problem, output_buffer);
  for (const auto& pass : program.passes) {
    program.scratch_bytes = std::max(program.scratch_bytes, pass->scratch_bytes());
  }
  Index packers = 0;
  for (const auto* one : program.redistributions) packers = std::max(packers, one->scratch_bytes());
  program.packer_scratch_bytes = aligned_up(packers);

  const std::vector<Placement::Lifetime> buffers = lifetimes(program);
  constexpr int forever = std::numeric_limits<int>::max();
  program.input_until = buffers[input_buffer].last + 1;
  program.output_from = buffers[output_buffer].last < 0 ? forever : buffers[output_buffer].first;
  const auto usable_bytes = [&](const ArrayState& state) -> Index {
    const View view = state.layout.memory.view(state.box(context.problem.rank));
    const Index bytes = view.size * element_bytes(state.complex, context.problem.precision);
    // Memory between the elements of a halo or of strides is not ours to write to. Beyond the
    // caches nothing is gained, and workspace has the larger pages.
    return view.size == view.box.count() && bytes <= context.stream_bytes ? bytes : 0;
  };
  const Index input_bytes = usable_bytes(before(schedule.stages.front()));
  const Index output_bytes = usable_bytes(after(schedule.stages.back()));
  std::vector<Placement::Region> regions{{output_bytes, 0, program.output_from}};
  if (context.options.overwrite_input) {
    regions.push_back({input_bytes, program.input_until, forever});
  }
  program.apart = place(buffers, regions);
  program.array_bytes = std::min(input_bytes, output_bytes);
  if (!program.works_in_place()) return;
  const Placement::Region array{program.array_bytes, program.input_until, program.output_from};
  if (const auto first = buffer_in_place_of_input(program)) {
    // It takes the place of what has been read of the input.
    auto moved = buffers;
    moved[*first].first = std::max(moved[*first].first, program.input_until);
    moved[*first].last = std::max(moved[*first].last, moved[*first].first);
    program.in_place = place(moved, {array});
    const Placement::Place& taken = program.in_place.places[*first];
    if (taken.region == 0 && taken.offset == 0) return;
  }
  program.in_place = place(buffers, {array});
}

void add_copy_of_input(Program& program, const Schedule& schedule, const Context& context,
                       Stream& stream) {
  const ArrayState& state = before(schedule.stages.front());
  PassSpec spec;
  spec.before = spec.after = state.box(context.problem.rank);
  // Not where the user's input lies, which comes behind all buffers, but in the same layout.
  spec.source = array_side(state, context.problem, program.buffers.size());
  spec.sink = program.input;
  spec.direction = schedule.direction;
  spec.reads_input = true;
  program.copy_input = make_pass(context, stream, spec);
  program.scratch_bytes = std::max(program.scratch_bytes, program.copy_input->scratch_bytes());
  // Before the first step.
  const Index bytes = state.layout.memory.view(spec.before).size * bytes_of(program.input.element);
  std::vector<Placement::Lifetime> buffers = lifetimes(program);
  buffers[input_buffer] = {bytes, -1, program.input_until - 1};
  program.with_copy = place(buffers, {{program.array_bytes, 0, program.output_from}});
}

}  // namespace weft
