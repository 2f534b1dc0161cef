#include "weft/plan.hpp"

#include <ranges>
#include <utility>

#include "c/convert.hpp"
#include "c/line_function.hpp"
#include "c/plan_of.hpp"

namespace {

using weft::Direction;
using weft::ElementType;
using weft::c::answer;
using weft::c::array_of;
using weft::c::given;
using weft::c::guarded;
using weft::c::plan_of;
using weft::c::point_function;
using weft::detail::AnyArray;

/// Types of the numbers that a transform reads and writes, and the functions for them, if any.
struct Sides {
  weft::c::LineFunction in, out;
};

Sides sides_of(const weft::Plan& plan, Direction direction,
               const weft_functions* functions = nullptr) {
  const weft_functions all = functions != nullptr ? *functions : weft_functions{};
  Sides sides{{all.input, all.input_data, plan.input().type},
              {all.output, all.output_data, plan.output().type}};
  if (direction == Direction::backward) std::swap(sides.in.type, sides.out.type);
  return sides;
}

weft_status run(weft_plan handle, Direction direction, const void* in, void* out,
                const weft_functions* functions) {
  return guarded([&] {
    weft::Plan& plan = plan_of(handle);
    const Sides sides = sides_of(plan, direction, functions);
    plan.run(direction, array_of(in, sides.in.type), array_of(out, sides.out.type),
             {point_function(sides.in), point_function(sides.out)});
  });
}

std::size_t bytes_of(ElementType type) {
  return (type.precision == weft::Precision::f32 ? sizeof(float) : sizeof(double)) *
         (type.complex ? 2 : 1);
}

weft_status run_in_place(weft_plan handle, Direction direction, void* memory, std::size_t bytes,
                         const weft_functions* functions) {
  return guarded([&] {
    weft::Plan& plan = plan_of(handle);
    const Sides sides = sides_of(plan, direction, functions);
    const AnyArray in{memory, bytes / bytes_of(sides.in.type), sides.in.type};
    const AnyArray out{memory, bytes / bytes_of(sides.out.type), sides.out.type};
    plan.run(direction, in, out, {point_function(sides.in), point_function(sides.out)});
  });
}

weft_status run_many(weft_plan handle, Direction direction, std::size_t fields,
                     const void* const* in, void* const* out, const weft_functions* functions) {
  return guarded([&] {
    weft::Plan& plan = plan_of(handle);
    const Sides sides = sides_of(plan, direction, functions);
    // A list that is null has null pointers, which the plan tells of on all ranks.
    const auto arrays = [fields](const void* const* list, ElementType type) {
      return std::views::iota(std::size_t{0}, fields) |
             std::views::transform([list, type](std::size_t i) {
               return array_of(list == nullptr ? nullptr : list[i], type);
             });
    };
    const auto sources = arrays(in, sides.in.type), sinks = arrays(out, sides.out.type);
    const auto read = weft::on_input(point_function(sides.in));
    const auto written = weft::on_output(point_function(sides.out));
    direction == Direction::forward ? plan.forward_many(sources, sinks, read, written)
                                    : plan.backward_many(sources, sinks, read, written);
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
  return guarded([&] {
    weft::Plan& plan = plan_of(handle);
    const Sides sides = sides_of(plan, direction);
    plan.start(direction, array_of(in, sides.in.type), array_of(out, sides.out.type));
  });
}

/// One transform while work of the caller is done.
weft_status run_while(weft_plan handle, Direction direction, const void* in, void* out,
                      weft_work work, void* user_data) {
  return guarded([&] {
    weft::Plan& plan = plan_of(handle);
    const Sides sides = sides_of(plan, direction);
    const AnyArray source = array_of(in, sides.in.type), sink = array_of(out, sides.out.type);
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
