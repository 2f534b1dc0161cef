#include "plan/program.hpp"

#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <limits>

#include "device/alignment.hpp"

namespace weft {

Program::UserArray::UserArray(const ArrayState& state, const Problem& problem, BufferId buffer)
    : view(array_side(state.layout.memory.view(state.box(problem.rank)), buffer,
                      state.layout.memory.order, state.complex)
               .views[0]),
      element_bytes(weft::element_bytes(state.complex, problem.precision)) {}

Callbacks::Numbers Program::UserArray::numbers(std::byte* base) const {
  return {view.box, base + view.offset * element_bytes, view.stride, element_bytes};
}

Program::Program(const Schedule& schedule, const Context& context, FieldStreams& streams,
                 Redistributions& redistributions)
    : context_(context),
      stream_(streams.compute()),
      code_(lower(schedule, context, stream_, redistributions)),
      spans_(code_, streams.recorder(), !context.on_host()),
      input_(before(schedule.stages.front()), context.problem, input_buffer),
      result_(after(schedule.stages.back()), context.problem, output_buffer) {
  for (const auto& pass : code_.passes) {
    scratch_bytes_ = std::max(scratch_bytes_, pass->scratch_bytes());
  }
  for (const auto& redistribution : code_.redistributions) {
    packer_scratch_bytes_ = std::max(packer_scratch_bytes_, redistribution->scratch_bytes());
  }
  context_.progress->expect(code_.redistributions.size());
  place_buffers(schedule);
  packer_scratch_bytes_ =
      static_cast<Index>(aligned_up(static_cast<std::size_t>(packer_scratch_bytes_)));
  code_.memory->addresses.resize(code_.buffer_bytes.size() + 2);
  next_ = code_.steps.size();
  if (context.on_host()) return;
  for (std::size_t i = 0; i <= code_.steps.size(); ++i) {
    marks_.push_back(context.device->make_event());
  }
}

const std::vector<StageTiming>& Program::timings() {
  if (marks_.empty() || !has_run_ || is_running()) return code_.timings;
  marks_.back()->synchronize();
  for (StageTiming& timing : code_.timings) timing.seconds = 0;
  for (std::size_t i = 0; i < code_.steps.size(); ++i) {
    code_.timings[code_.steps[i].timing].seconds +=
        context_.device->seconds_between(*marks_[i], *marks_[i + 1]);
  }
  return code_.timings;
}

std::vector<Program::Use> Program::buffer_uses() const {
  std::vector<Use> uses(code_.buffer_bytes.size() + 2);
  int number = 0;
  const auto use_one = [&](BufferId buffer) {
    Use& buffer_use = uses[static_cast<std::size_t>(buffer)];
    if (buffer_use.first < 0) buffer_use.first = number;
    buffer_use.last = number;
  };
  const auto use = [&](BufferId buffer) {
    if (buffer < 0) return;
    use_one(buffer);
    if (buffer > output_buffer) use_one(code_.within[static_cast<std::size_t>(buffer) - 2]);
  };
  const auto use_side = [&](const PassSide& side) {
    for (const ArrayView& view : side.views) use(view.buffer);
  };
  const auto use_redistribution = [&](std::size_t index) {
    const MessageBuffers& buffers = code_.redistributions[index]->buffers();
    for (BufferId buffer :
         {buffers.send, buffers.receive, buffers.work, buffers.array_from, buffers.array_to}) {
      use(buffer);
    }
  };
  for (const Step& step : code_.steps) {
    if (const auto* pass = std::get_if<PassStep>(&step.what)) {
      use_side(code_.passes[pass->pass]->spec().source);
      use_side(code_.passes[pass->pass]->spec().sink);
    } else if (const auto* start = std::get_if<StartStep>(&step.what)) {
      use_redistribution(start->redistribution);
    } else {
      const std::size_t redistribution = std::get<FinishStep>(step.what).redistribution;
      use_redistribution(redistribution);
      if (code_.redistributions[redistribution]->may_repeat()) {
        for (std::size_t pack : code_.packed_by[redistribution])
          use_side(code_.passes[pack]->spec().source);
      }
    }
    ++number;
  }
  return uses;
}

void Program::place_buffers(const Schedule& schedule) {
  const Problem& problem = context_.problem;
  const std::vector<Use> uses = buffer_uses();
  constexpr int forever = std::numeric_limits<int>::max();
  input_until_ = uses[input_buffer].last + 1;
  output_from_ = uses[output_buffer].first < 0 ? forever : uses[output_buffer].first;
  const auto usable_bytes = [&](const ArrayState& state) -> Index {
    const View view = state.layout.memory.view(state.box(problem.rank));
    const Index bytes = view.size * element_bytes(state.complex, problem.precision);
    // Memory between the elements of a halo or of strides is not ours to write to. Beyond the
    // caches nothing is gained, and workspace has the larger pages.
    return view.size == view.box.count() && bytes <= context_.tuning.stream_bytes ? bytes : 0;
  };
  std::vector<Region> regions{{usable_bytes(after(schedule.stages.back())), 0, output_from_}};
  if (context_.tuning.overwrite_input) {
    regions.push_back({usable_bytes(before(schedule.stages.front())), input_until_, forever});
  }
  const std::vector<Lifetime> buffers = lifetimes(uses);
  apart_ = place(buffers, regions);
  array_bytes_ = std::min(usable_bytes(before(schedule.stages.front())),
                          usable_bytes(after(schedule.stages.back())));
  if (!works_in_place()) return;
  const Region array{array_bytes_, input_until_, output_from_};
  if (const auto first = buffer_in_place_of_input()) {
    // It takes the place of what has been read of the input.
    auto moved = buffers;
    moved[*first].first = std::max(moved[*first].first, input_until_);
    moved[*first].last = std::max(moved[*first].last, moved[*first].first);
    in_place_ = place(moved, {array});
    if (in_place_.places[*first].region == 0 && in_place_.places[*first].offset == 0) return;
  }
  in_place_ = place(buffers, {array});
}

std::vector<Lifetime> Program::lifetimes(const std::vector<Use>& uses) const {
  std::vector<Lifetime> result;
  for (std::size_t i = 0; i < code_.buffer_bytes.size(); ++i) {
    const Use& use = uses[i + 2];
    result.push_back(
        {use.first < 0 ? 0 : code_.buffer_bytes[i], std::max(use.first, 0), std::max(use.last, 0)});
  }
  return result;
}

bool Program::may_need_copy() const {
  // On a device functions are applied to a copy that is made when there are any.
  return !works_in_place() || (context_.on_host() && !applies_to_input());
}

void Program::allow_copy(const Schedule& schedule) {
  // Not where the user's input lies, which is the copy's source, but in the same layout.
  const auto given = static_cast<BufferId>(code_.memory->addresses.size());
  code_.memory->addresses.push_back(nullptr);
  const ArrayState& state = before(schedule.stages.front());
  const Memory& memory = state.layout.memory;
  PassSpec spec;
  spec.before = spec.after = state.box(context_.problem.rank);
  spec.source = array_side(memory.view(spec.before), given, memory.order, state.complex);
  spec.sink = array_side(memory.view(spec.before), input_buffer, memory.order, state.complex);
  spec.direction = schedule.direction;
  spec.reads_input = true;
  copy_input_ = make_pass(context_, stream_, spec);
  scratch_bytes_ = std::max(scratch_bytes_, copy_input_->scratch_bytes());
  // Before the first step.
  const Index bytes = memory.view(spec.before).size * input_.element_bytes;
  std::vector<Lifetime> buffers{{bytes, -1, input_until_ - 1}};
  for (const Lifetime& buffer : lifetimes(buffer_uses())) buffers.push_back(buffer);
  with_copy_ = place(buffers, {{array_bytes_, 0, output_from_}});
}

Index Program::workspace_bytes() const {
  return std::max({apart_.bytes, in_place_.bytes, with_copy_.bytes}) + packer_scratch_bytes_ +
         scratch_bytes_;
}

bool Program::copies_input(bool in_place, bool functions_on_input) const {
  if (copy_input_ == nullptr) return false;
  return (in_place && !works_in_place()) ||
         (context_.on_host() && functions_on_input && !applies_to_input());
}

std::optional<std::size_t> Program::buffer_in_place_of_input() const {
  BufferId buffer = input_buffer;
  for (const auto& pass : code_.passes) {
    const auto reads = [&](BufferId source) {
      return std::any_of(pass->spec().source.views.begin(), pass->spec().source.views.end(),
                         [&](const ArrayView& view) { return view.buffer == source; });
    };
    const bool writes_array = pass->spec().sink.is_array();
    const BufferId written = writes_array ? pass->spec().sink.views[0].buffer : input_buffer;
    if (!reads(input_buffer)) {
      if (writes_array && written == buffer) return std::nullopt;
      continue;
    }
    if (!writes_array || written <= output_buffer || !pass->works_in_place()) return std::nullopt;
    if (buffer != input_buffer && buffer != written) return std::nullopt;
    buffer = written;
  }
  if (buffer == input_buffer || exchange_reads_input()) return std::nullopt;
  return static_cast<std::size_t>(buffer) - 2;
}

bool Program::works_in_place() const {
  // Nothing may be written before all has been read; within one step it depends on the step.
  if (input_until_ <= output_from_) return true;
  if (input_until_ > output_from_ + 1) return false;
  const Step& step = code_.steps[static_cast<std::size_t>(output_from_)];
  const auto* pass = std::get_if<PassStep>(&step.what);
  return pass != nullptr && code_.passes[pass->pass]->works_in_place();
}

bool Program::exchange_reads_input() const {
  return std::any_of(code_.redistributions.begin(), code_.redistributions.end(),
                     [](const auto& redistribution) {
                       return redistribution->buffers().array_from == input_buffer ||
                              redistribution->buffers().send == input_buffer;
                     });
}

bool Program::applies_to_input() const {
  return !exchange_reads_input() &&
         std::all_of(code_.passes.begin(), code_.passes.end(),
                     [](const auto& pass) { return pass->applies_to_input(); });
}

void Program::begin(const std::byte* input, std::byte* output, std::byte* workspace,
                    const Callbacks& callbacks, std::byte* changed) {
  AddressTable& addresses = code_.memory->addresses;
  code_.memory->callbacks = callbacks;
  const std::byte* const given = input;
  copies_ = copies_input(input == output, static_cast<bool>(callbacks.functions.input));
  const bool changes =
      !context_.on_host() && callbacks.functions.input && !copies_ && !applies_to_input();
  if (changes) input = changed;
  addresses[input_buffer] = const_cast<std::byte*>(input);
  addresses[output_buffer] = output;
  const WorkspaceLayout& layout = copies_ ? with_copy_ : input == output ? in_place_ : apart_;
  std::byte* const regions[] = {output, const_cast<std::byte*>(input)};
  const auto address_of = [&](const Place& place) {
    return (place.region < 0 ? workspace : regions[place.region]) + place.offset;
  };
  const std::size_t first = copies_ ? 1 : 0;
  for (std::size_t i = first; i < layout.places.size(); ++i) {
    addresses[i - first + 2] = address_of(layout.places[i]);
  }
  if (copies_) {
    addresses.back() = addresses[input_buffer];
    addresses[input_buffer] = address_of(layout.places[0]);
  }
  code_.memory->scratch = workspace + workspace_bytes() - scratch_bytes_;
  code_.memory->packer_scratch = code_.memory->scratch - packer_scratch_bytes_;
  for (StageTiming& timing : code_.timings) timing.seconds = 0;
  for (const Step& step : code_.steps) {
    if (std::holds_alternative<FinishStep>(step.what)) code_.timings[step.timing].bytes = 0;
  }
  for (const auto& redistribution : code_.redistributions) redistribution->prepare(addresses);
  next_ = 0;
  spans_.begin();
  if (!marks_.empty()) stream_.record(*marks_[0]);
  if (changes) change_input(given, changed);
}

/// As a part of the first step.
void Program::run_copy() {
  RunMemory& memory = *code_.memory;
  copy_input_->run({memory.addresses, memory.scratch, memory.callbacks});
  memory.callbacks.functions.input = {};  // passes have nothing left to do with it
  copies_ = false;
}

void Program::change_input(const std::byte* from, std::byte* to) {
  Callbacks& callbacks = code_.memory->callbacks;
  Callbacks::Numbers numbers = input_.numbers(to);
  numbers.from = {from + (numbers.values - to), numbers.stride};
  callbacks.apply(callbacks.functions.input, numbers, input_.view);
  callbacks.functions.input = {};  // passes have nothing left to do with it
}

bool Program::may_go_on(const Step& step) {
  const auto guard = context_.progress->lock();
  if (const auto* pass = std::get_if<PassStep>(&step.what)) {
    return std::all_of(pass->opens.begin(), pass->opens.end(), [&](std::size_t redistribution) {
      return code_.redistributions[redistribution]->ready();
    });
  }
  if (const auto* finish = std::get_if<FinishStep>(&step.what)) {
    return code_.redistributions[finish->redistribution]->test();
  }
  return true;
}

void Program::run(const PassStep& step) {
  // With nothing under way there is nothing to move on.
  ProgressEngine* const progress = context_.progress->idle() ? nullptr : context_.progress.get();
  const RunMemory& memory = *code_.memory;
  code_.passes[step.pass]->run({memory.addresses, memory.scratch, memory.callbacks, progress});
  for (std::size_t redistribution : step.closes) code_.redistributions[redistribution]->release();
}

bool Program::finish(const FinishStep& step) {
  const auto guard = context_.progress->lock();
  Redistribution& redistribution = *code_.redistributions[step.redistribution];
  redistribution.wait();
  RunMemory& memory = *code_.memory;
  const bool settled = redistribution.settle(memory.addresses, [&] {
    for (std::size_t pack : code_.packed_by[step.redistribution]) {
      code_.passes[pack]->run(
          {memory.addresses, memory.scratch, memory.callbacks, nullptr, &redistribution.sends()});
    }
  });
  if (settled) context_.progress->remove(redistribution);
  return settled;
}

void Program::apply_to_result() {
  const Callbacks& callbacks = code_.memory->callbacks;
  const bool applied = std::any_of(code_.passes.begin(), code_.passes.end(),
                                   [](const auto& pass) { return pass->spec().writes_result; });
  if (!callbacks.functions.output || applied) return;
  callbacks.apply(callbacks.functions.output,
                  result_.numbers(code_.memory->addresses[output_buffer]), result_.view);
}

bool Program::blocks() const {
  return std::any_of(code_.redistributions.begin(), code_.redistributions.end(),
                     [](const auto& redistribution) { return redistribution->blocks(); });
}

bool Program::advance(Until until) {
  bool waited = false;
  double begin = MPI_Wtime();
  spans_.resume(begin);
  if (copies_) run_copy();
  while (next_ < code_.steps.size()) {
    const Step& step = code_.steps[next_];
    spans_.enter(next_);
    if (const auto* finish_step = std::get_if<FinishStep>(&step.what)) {
      const bool stops = until == Until::message || (until == Until::waited && waited);
      if (stops || (until == Until::blocked && !may_go_on(step))) return false;
      if (!finish(*finish_step)) continue;  // messages set out once more
      waited = true;
      code_.timings[step.timing].bytes +=
          code_.redistributions[finish_step->redistribution]->use().bytes;
    } else if (const auto* start = std::get_if<StartStep>(&step.what)) {
      const auto guard = context_.progress->lock();
      Redistribution& redistribution = *code_.redistributions[start->redistribution];
      redistribution.start(code_.memory->addresses);
      context_.progress->add(redistribution);
    } else {
      while (!may_go_on(step)) {
        if (until == Until::blocked) return false;
        context_.progress->poll();
        sched_yield();
      }
      run(std::get<PassStep>(step.what));
    }
    if (next_ + 1 == code_.steps.size()) apply_to_result();
    const double end = MPI_Wtime();
    code_.timings[step.timing].seconds += end - begin;
    spans_.leave(next_, begin, end);
    begin = end;
    ++next_;
    if (!marks_.empty()) stream_.record(*marks_[next_]);
  }
  has_run_ = true;
  spans_.finish();
  return true;
}

}  // namespace weft
