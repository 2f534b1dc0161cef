#include "exchange/agreement.hpp"
#include "plan/implementation.hpp"

namespace weft {

namespace {

/// Fields may lie between each other, but none may be written where another one begins.
template <class Fields>
void check_memory_of_fields(const Fields& in, const Fields& out, const LocalArray& planned_out) {
  if (planned_out.allocation_size == 0) return;
  const auto text = [](const char* name, std::size_t i) {
    return std::string(name) + " field " + std::to_string(i);
  };
  for (std::size_t i = 0; i < out.count; ++i) {
    const void* const written = out.field(out.range, i).data;
    for (std::size_t j = 0; j < in.count; ++j) {
      if (j != i && written == in.field(in.range, j).data) {
        throw Error(text("output", i) + " is in the memory of " + text("input", j));
      }
      if (j < i && written == out.field(out.range, j).data) {
        throw Error(text("output", i) + " is in the memory of " + text("output", j));
      }
    }
  }
}

}  // namespace

void Plan::run_many(Direction direction, std::span<const detail::AnyArray> in,
                    std::span<const detail::AnyArray> out,
                    const detail::PointFunctions& functions) {
  run_many(direction, of_fields(in), of_fields(out), functions);
}

void Plan::run_many(Direction direction, const Fields& in, const Fields& out,
                    const detail::PointFunctions& functions) {
  Implementation& plan = *implementation_;
  const auto arrays_of = [&](std::size_t field) {
    return plan.arrays_of(direction, in.field(in.range, field), out.field(out.range, field));
  };
  std::optional<Error> error;
  if (in.count != out.count) {
    error = std::to_string(in.count) + " input fields, but " + std::to_string(out.count) +
            " output fields";
  }
  for (std::size_t i = 0; i < in.count && !error; ++i) {
    error = plan.prepare(arrays_of(i), functions, in.count);
    if (error) error = Error("field " + std::to_string(i) + ": " + error->what(), error->code());
  }
  if (!error) {
    error = error_of([&] {
      check_memory_of_fields(in, out, plan.arrays_of(direction, {}, {}).planned_out);
      while (plan.field_reports.size() < in.count) {
        plan.tell(*plan.pipelines.front(), plan.field_reports.emplace_back());
      }
    });
  }
  plan.agree_to_run(direction, error, functions, static_cast<Index>(in.count));
  if (in.count == 0) return;
  plan.reported_fields = in.count;
  CallbackFailure failure;
  // Fields enter pipelines in turn. One goes on to its next message while those of the others are
  // under way; every rank does so in the same order.
  std::size_t next = 0;
  const auto advance = [&](FieldPipeline& pipeline, Until until) {
    if (!pipeline.executor().advance(until)) return;
    plan.tell(pipeline, plan.field_reports[pipeline.field]);
    pipeline.is_busy = false;
  };
  const auto enter = [&](FieldPipeline& pipeline) {
    while (next < in.count && !pipeline.is_busy) {
      plan.begin(pipeline, arrays_of(next),
                 {.functions = functions,
                  .first_field = static_cast<Index>(next) * plan.info.batch,
                  .failure = &failure,
                  .axes = plan.info.shape.size()},
                 static_cast<Index>(next));
      pipeline.is_busy = true;
      pipeline.field = next++;
      advance(pipeline, Until::message);
    }
  };
  for (auto& pipeline : plan.pipelines) {
    pipeline->is_busy = false;
    enter(*pipeline);
  }
  bool active = true;
  while (active) {
    active = false;
    for (auto& pipeline : plan.pipelines) {
      if (!pipeline->is_busy) continue;
      advance(*pipeline, Until::waited);
      enter(*pipeline);
      active = active || pipeline->is_busy;
    }
  }
  for (auto& pipeline : plan.pipelines) pipeline->complete();
  if (functions) plan.agree_on(failure.exception());
}

}  // namespace weft
