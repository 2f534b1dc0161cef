#include "weft/plan.hpp"

#include <algorithm>

#include "c/convert.hpp"
#include "c/line_function.hpp"
#include "c/plan_of.hpp"

namespace {

using weft::Direction;
using weft::c::answer;
using weft::c::given;
using weft::c::guarded;
using weft::c::plan_of;

/// Runs work(plan, element type of the input, of the output) for a transform in this direction.
template <class Work>
weft_status with_plan(weft_plan handle, Direction direction, Work&& work) {
  return guarded([&] {
    weft::Plan& plan = plan_of(handle);
    const bool forward = direction == Direction::forward;
    const weft::LocalArray& source = forward ? plan.input() : plan.output();
    const weft::LocalArray& sink = forward ? plan.output() : plan.input();
    weft::c::with_types(source.type, sink.type, [&](auto in, auto out) { work(plan, in, out); });
  });
}

/// One transform of arrays that are pointers or spans of numbers.
template <class In, class Out>
void transform(weft::Plan& plan, Direction direction, const In& in, const Out& out,
               const weft_functions* functions) {
  weft::c::with_stages<weft::detail::NumberOf<In>, weft::detail::NumberOf<Out>>(
      functions, [&](const auto&... stages) {
        direction == Direction::forward ? plan.forward(in, out, stages...)
                                        : plan.backward(in, out, stages...);
      });
}

weft_status run(weft_plan handle, Direction direction, const void* in, void* out,
                const weft_functions* functions) {
  return with_plan(handle, direction, [&](weft::Plan& plan, auto input, auto output) {
    using In = typename decltype(input)::type;
    using Out = typename decltype(output)::type;
    transform(plan, direction, static_cast<const In*>(in), static_cast<Out*>(out), functions);
  });
}

weft_status run_in_place(weft_plan handle, Direction direction, void* memory, std::size_t bytes,
                         const weft_functions* functions) {
  return with_plan(handle, direction, [&](weft::Plan& plan, auto input, auto output) {
    using In = typename decltype(input)::type;
    using Out = typename decltype(output)::type;
    const std::span<const In> in(static_cast<const In*>(memory), bytes / sizeof(In));
    const std::span<Out> out(static_cast<Out*>(memory), bytes / sizeof(Out));
    transform(plan, direction, in, out, functions);
  });
}

weft_status run_many(weft_plan handle, Direction direction, std::size_t fields,
                     const void* const* in, void* const* out, const weft_functions* functions) {
  return with_plan(handle, direction, [&](weft::Plan& plan, auto input, auto output) {
    using In = typename decltype(input)::type;
    using Out = typename decltype(output)::type;
    // A list that is null has null pointers, which the plan tells of on all ranks.
    const auto numbers = std::views::iota(std::size_t{0}, fields);
    const auto sources = numbers | std::views::transform([in](std::size_t i) {
                           return in == nullptr ? nullptr : static_cast<const In*>(in[i]);
                         });
    const auto sinks = numbers | std::views::transform([out](std::size_t i) {
                         return out == nullptr ? nullptr : static_cast<Out*>(out[i]);
                       });
    weft::c::with_stages<In, Out>(functions, [&](const auto&... stages) {
      direction == Direction::forward ? plan.forward_many(sources, sinks, stages...)
                                      : plan.backward_many(sources, sinks, stages...);
    });
  });
}

/// Hands out a report, which stays with the plan.
template <class ReportOf>
weft_status tell(weft_plan plan, weft_report* report, const ReportOf& report_of) {
  return guarded([&] {
    const weft::Plan& of = plan_of(plan);
    given(report, "report");
    plan->report = report_of(of);
    plan->report_text = to_string(plan->report);
    plan->redistributions.clear();
    for (const weft::RedistributionReport& part : plan->report.redistributions) {
      plan->redistributions.push_back({part.codec.c_str(), part.predicted_error, part.error,
                                       part.bytes, part.plain_bytes, part.repeated,
                                       part.broken ? 1 : 0});
    }
    *report = {plan->report.tolerance.value_or(0),
               plan->report.predicted_error,
               plan->report.error,
               plan->report.bytes,
               plan->report.plain_bytes,
               plan->redistributions.size(),
               plan->redistributions.data(),
               plan->report_text.c_str()};
  });
}

weft_status start(weft_plan handle, Direction direction, const void* in, void* out) {
  return with_plan(handle, direction, [&](weft::Plan& plan, auto input, auto output) {
    const auto* source = static_cast<const typename decltype(input)::type*>(in);
    auto* sink = static_cast<typename decltype(output)::type*>(out);
    direction == Direction::forward ? plan.start_forward(source, sink)
                                    : plan.start_backward(source, sink);
  });
}

/// One transform while work of the caller is done.
weft_status run_while(weft_plan handle, Direction direction, const void* in, void* out,
                      weft_work work, void* user_data) {
  return with_plan(handle, direction, [&](weft::Plan& plan, auto input, auto output) {
    const auto* source = static_cast<const typename decltype(input)::type*>(in);
    auto* sink = static_cast<typename decltype(output)::type*>(out);
    // A null function is an error where it is called, of which all ranks learn.
    const auto call = [&] {
      const int result = given(work, "the function")(user_data);
      if (result != 0) weft::c::fail_with(result);
    };
    direction == Direction::forward ? plan.forward_while(source, sink, call)
                                    : plan.backward_while(source, sink, call);
  });
}

}  // namespace

weft_status weft_plan_create(MPI_Comm comm, const weft_problem* problem, const char* options,
                             weft_plan* plan) {
  weft::Problem read;
  weft::Options chosen;
  return weft::c::create(
      comm, plan,
      [&] {
        read = weft::c::problem_of(problem);
        chosen = weft::c::options_of(options);
      },
      [&] {
        return std::unique_ptr<weft_plan_object>(
            new weft_plan_object{weft::Plan(comm, read, chosen)});
      });
}
weft_status weft_plan_destroy(weft_plan* plan) {
  return weft::c::destroy(plan, [](weft_plan_object& last) { last.plan.free(); });
}

weft_status weft_plan_forward(weft_plan plan, const void* in, void* out) {
  return run(plan, Direction::forward, in, out, nullptr);
}
weft_status weft_plan_backward(weft_plan plan, const void* in, void* out) {
  return run(plan, Direction::backward, in, out, nullptr);
}
weft_status weft_plan_forward_with(weft_plan plan, const void* in, void* out,
                                   const weft_functions* functions) {
  return run(plan, Direction::forward, in, out, functions);
}
weft_status weft_plan_backward_with(weft_plan plan, const void* in, void* out,
                                    const weft_functions* functions) {
  return run(plan, Direction::backward, in, out, functions);
}
weft_status weft_plan_forward_in_place(weft_plan plan, void* memory, size_t bytes,
                                       const weft_functions* functions) {
  return run_in_place(plan, Direction::forward, memory, bytes, functions);
}
weft_status weft_plan_backward_in_place(weft_plan plan, void* memory, size_t bytes,
                                        const weft_functions* functions) {
  return run_in_place(plan, Direction::backward, memory, bytes, functions);
}
weft_status weft_plan_forward_many(weft_plan plan, size_t fields, const void* const* in,
                                   void* const* out, const weft_functions* functions) {
  return run_many(plan, Direction::forward, fields, in, out, functions);
}
weft_status weft_plan_backward_many(weft_plan plan, size_t fields, const void* const* in,
                                    void* const* out, const weft_functions* functions) {
  return run_many(plan, Direction::backward, fields, in, out, functions);
}

weft_status weft_plan_start_forward(weft_plan plan, const void* in, void* out) {
  return start(plan, Direction::forward, in, out);
}
weft_status weft_plan_start_backward(weft_plan plan, const void* in, void* out) {
  return start(plan, Direction::backward, in, out);
}
weft_status weft_plan_test(weft_plan plan, int* done) {
  return answer(done, "done", [&] { return plan_of(plan).test() ? 1 : 0; });
}
weft_status weft_plan_wait(weft_plan plan) {
  return guarded([&] { plan_of(plan).wait(); });
}

weft_status weft_plan_forward_while(weft_plan plan, const void* in, void* out, weft_work work,
                                    void* user_data) {
  return run_while(plan, Direction::forward, in, out, work, user_data);
}
weft_status weft_plan_backward_while(weft_plan plan, const void* in, void* out, weft_work work,
                                     void* user_data) {
  return run_while(plan, Direction::backward, in, out, work, user_data);
}

weft_status weft_plan_input(weft_plan plan, weft_local_array* array) {
  return answer(array, "array", [&] { return weft::c::local_array_of(plan_of(plan).input()); });
}
weft_status weft_plan_output(weft_plan plan, weft_local_array* array) {
  return answer(array, "array", [&] { return weft::c::local_array_of(plan_of(plan).output()); });
}
weft_status weft_plan_get_info(weft_plan plan, const weft_plan_info** info) {
  return guarded([&] {
    plan_of(plan);
    if (!plan->info) plan->info.emplace(plan->plan.info());
    given(info, "info") = &plan->info->of_c;
  });
}
weft_status weft_plan_set_workspace(weft_plan plan, void* memory, size_t bytes) {
  return guarded([&] {
    weft::Plan& of = plan_of(plan);
    if (bytes > 0) given(static_cast<char*>(memory), "the workspace");
    of.set_workspace({static_cast<std::byte*>(memory), bytes});
  });
}

weft_status weft_plan_describe(weft_plan plan, const char** text) {
  return answer(text, "text", [&] {
    plan->description = plan_of(plan).describe();
    return plan->description.c_str();
  });
}
weft_status weft_plan_communicator(weft_plan plan, MPI_Comm* comm) {
  return answer(comm, "comm", [&] { return plan_of(plan).communicator(); });
}

weft_status weft_plan_timings(weft_plan plan, size_t* count, const weft_stage_timing** timings) {
  return guarded([&] {
    const auto& steps = plan_of(plan).timings();
    given(count, "count");
    given(timings, "timings");
    plan->timings.clear();
    for (const weft::StageTiming& step : steps) {
      const weft::StageParts& of = step.parts;
      plan->timings.push_back({step.name.c_str(),
                               step.seconds,
                               step.bytes,
                               step.moves_data ? 1 : 0,
                               {of.unpack, of.decode, of.transform, of.callback, of.encode, of.pack,
                                of.exchange, of.wait}});
    }
    *count = plan->timings.size();
    *timings = plan->timings.data();
  });
}

weft_status weft_plan_report(weft_plan plan, weft_report* report) {
  return tell(plan, report, [](const weft::Plan& of) { return of.report(); });
}

weft_status weft_plan_field_report(weft_plan plan, int64_t field, weft_report* report) {
  return tell(plan, report, [&](const weft::Plan& of) { return of.report(field); });
}
