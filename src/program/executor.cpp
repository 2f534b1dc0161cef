#include "program/executor.hpp"

#include <mpi.h>
#include <sched.h>

#include <algorithm>

#include "trace/profiler_range.hpp"

namespace weft {

namespace {

/// All of an array, which begins at this address.
Callbacks::Numbers numbers_of(const PassSide& array, std::byte* base) {
  const ArrayView& view = array.views[0];
  const Index bytes = bytes_of(array.element);
  return {view.box, base + view.offset * bytes, view.stride, bytes};
}

}  // namespace

void Executor::expect(const Program& program) {
  // The last is the user's input where that is copied.
  const std::size_t count = program.buffers.size() + 1;
  memory_.addresses.resize(std::max(memory_.addresses.size(), count));
  context_.progress->expect(program.redistributions.size());
}

void Executor::place(const Executor::Arrays& arrays, const std::byte* input) {
  AddressTable& addresses = memory_.addresses;
  std::byte* const regions[] = {arrays.output, const_cast<std::byte*>(input)};
  const Placement& placement = copies_                  ? program_->with_copy
                               : input == arrays.output ? program_->in_place
                                                        : program_->apart;
  const auto address_of = [&](const Placement::Place& place) {
    return (place.region < 0 ? arrays.workspace : regions[place.region]) + place.offset;
  };
  for (std::size_t id = 0; id < placement.places.size(); ++id) {
    addresses[id] = address_of(placement.places[id]);
  }
  addresses[program_->buffers.size()] = regions[1];
  if (!copies_) addresses[input_buffer] = regions[1];
  addresses[output_buffer] = arrays.output;
  memory_.packer_scratch = arrays.workspace + placement.bytes;
  memory_.scratch = memory_.packer_scratch + program_->packer_scratch_bytes;
}

void Executor::begin(const Program& program, StepTimes& times, const Executor::Arrays& arrays,
                     const Callbacks& callbacks) {
  program_ = &program;
  times_ = &times;
  memory_.callbacks = callbacks;
  const bool functions = static_cast<bool>(callbacks.functions.input);
  copies_ = program.copies_input(context_, arrays.input == arrays.output, functions);
  const bool changes = !context_.on_host() && functions && !copies_ &&
                       !program.applies_to_input(callbacks.functions.input);
  place(arrays, changes ? arrays.changed : arrays.input);
  for (auto* redistribution : program.redistributions) redistribution->prepare(memory_.addresses);
  next_ = 0;
  times.begin();
  if (changes) change_input(arrays.input, arrays.changed);
}

void Executor::change_input(const std::byte* from, std::byte* to) {
  Callbacks& callbacks = memory_.callbacks;
  Callbacks::Numbers numbers = numbers_of(program_->input, to);
  numbers.from = {from + (numbers.values - to), numbers.stride};
  callbacks.apply(callbacks.functions.input, numbers, program_->input.views[0]);
  callbacks.functions.input = {};  // passes have nothing left to do with it
}

/// As a part of the first step.
void Executor::run_copy() {
  program_->copy_input->run({memory_.addresses, memory_.scratch, memory_.callbacks, nullptr,
                             nullptr, times_->parts_of(program_->steps.front())});
  memory_.callbacks.functions.input = {};  // passes have nothing left to do with it
  copies_ = false;
}

bool Executor::may_go_on(const Step& step) {
  const auto guard = context_.progress->lock();
  if (step.kind == Step::finish) return program_->redistributions[step.number]->test();
  return std::all_of(step.opens.begin(), step.opens.end(), [&](std::size_t redistribution) {
    return program_->redistributions[redistribution]->ready();
  });
}

void Executor::start(Redistribution& redistribution) {
  const auto guard = context_.progress->lock();
  redistribution.start(memory_.addresses);
  context_.progress->add(redistribution);
}

bool Executor::finish(const Step& step) {
  const auto guard = context_.progress->lock();
  Redistribution& redistribution = *program_->redistributions[step.number];
  redistribution.wait();
  const bool settled = redistribution.settle(memory_.addresses, [&] {
    for (std::size_t pack : program_->packed_by[step.number]) {
      program_->passes[pack]->run({memory_.addresses, memory_.scratch, memory_.callbacks, nullptr,
                                   &redistribution.sends()});
    }
  });
  if (settled) context_.progress->remove(redistribution);
  return settled;
}

void Executor::apply_to_result() {
  const Callbacks& callbacks = memory_.callbacks;
  if (!callbacks.functions.output) return;
  const bool applied = std::any_of(program_->passes.begin(), program_->passes.end(),
                                   [](const auto& pass) { return pass->spec().writes_result; });
  if (applied) return;
  callbacks.apply(callbacks.functions.output,
                  numbers_of(program_->result, memory_.addresses[output_buffer]),
                  program_->result.views[0]);
}

bool Executor::advance(Until until) {
  bool waited = false;
  times_->resume();
  if (copies_) run_copy();
  while (next_ < program_->steps.size()) {
    const Step& step = program_->steps[next_];
    times_->enter(next_);
    const ProfilerRange range(program_->stages[step.timing].name.c_str());
    if (step.kind == Step::finish) {
      const bool stops = until == Until::message || (until == Until::waited && waited);
      if (stops || (until == Until::blocked && !may_go_on(step))) return false;
      if (!finish(step)) continue;  // messages set out once more
      waited = true;
      times_->add_bytes(next_, program_->redistributions[step.number]->use().bytes);
    } else if (step.kind == Step::start) {
      start(*program_->redistributions[step.number]);
    } else {
      while (!may_go_on(step)) {
        if (until == Until::blocked) return false;
        context_.progress->poll();
        sched_yield();
      }
      // With nothing under way there is nothing to move on.
      ProgressEngine* const progress =
          context_.progress->idle() ? nullptr : context_.progress.get();
      program_->passes[step.number]->run({memory_.addresses, memory_.scratch, memory_.callbacks,
                                          progress, nullptr, times_->parts_of(step)});
      for (std::size_t closed : step.closes) program_->redistributions[closed]->release();
    }
    if (next_ + 1 == program_->steps.size()) apply_to_result();
    times_->leave(next_++);
  }
  times_->finish();
  return true;
}

}  // namespace weft
