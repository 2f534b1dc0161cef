#include "exchange/agreement.hpp"
#include "plan/implementation.hpp"

namespace weft {

namespace {

/// Fields may lie between each other, but none may be written where another one begins.
template <class Fields>
std::optional<std::string> find_shared_memory(const Fields& in, const Fields& out,
                                              Index elements_out) {
  if (elements_out == 0) return std::nullopt;
  const auto text = [](const char* name, std::size_t i) {
    return std::string(name) + " field " + std::to_string(i);
  };
  for (std::size_t i = 0; i < out.count; ++i) {
    const void* const written = out.field(out.range, i).data;
    for (std::size_t j = 0; j < in.count; ++j) {
      if (j != i && written == in.field(in.range, j).data) {
        return text("output", i) + " is in the memory of " + text("input", j);
      }
      if (j < i && written == out.field(out.range, j).data) {
        return text("output", i) + " is in the memory of " + text("output", j);
      }
    }
  }
  return std::nullopt;
}

}  // namespace

void Plan::Implementation::run_many(Direction direction, const Fields& in, const Fields& out,
                                    const detail::PointFunctions& functions) {
  std::optional<Error> error;
  if (in.count != out.count) {
    error = std::to_string(in.count) + " input fields, but " + std::to_string(out.count) +
            " output fields";
  }
  for (std::size_t i = 0; i < in.count && !error; ++i) {
    error = prepare(direction, in.field(in.range, i), out.field(out.range, i), functions, in.count);
    if (error) error = Error("field " + std::to_string(i) + ": " + error->what(), error->code());
  }
  const bool forward = direction == Direction::forward;
  if (!error)
    error = find_shared_memory(in, out, (forward ? info_.output : info_.input).allocation_size);
  FieldReports& reports = forward ? forward_reports_ : backward_reports_;
  try {
    reports.reserve(in.count, pipelines_.front()->redistributions(direction));
  } catch (const std::exception&) {
    error = caught_error();
  }
  agree_to_run(direction, error, functions, static_cast<Index>(in.count));
  if (in.count == 0) return;
  reports.begin(in.count);
  last_reports_ = &reports;
  CallbackFailure failure;
  // Fields enter pipelines in turn. One goes on to its next message while those of the others are
  // under way; every rank does so in the same order.
  std::size_t next = 0;
  const auto advance = [&](FieldPipeline& pipeline, Until until) {
    if (!pipeline.executor().advance(until)) return;
    reports.keep(pipeline.field, pipeline.redistributions(direction));
    pipeline.is_busy = false;
  };
  const auto enter = [&](FieldPipeline& pipeline) {
    while (next < in.count && !pipeline.is_busy) {
      begin(pipeline, direction, in.field(in.range, next), out.field(out.range, next),
            {.functions = functions,
             .first_field = static_cast<Index>(next) * context_->problem.batch,
             .failure = &failure,
             .axes = info_.shape.size()},
            static_cast<Index>(next));
      pipeline.is_busy = true;
      pipeline.field = next++;
      advance(pipeline, Until::message);
    }
  };
  for (auto& pipeline : pipelines_) {
    pipeline->is_busy = false;
    enter(*pipeline);
  }
  bool active = true;
  while (active) {
    active = false;
    for (auto& pipeline : pipelines_) {
      if (!pipeline->is_busy) continue;
      advance(*pipeline, Until::waited);
      enter(*pipeline);
      active = active || pipeline->is_busy;
    }
  }
  for (auto& pipeline : pipelines_) pipeline->complete();
  if (functions) agree_on(failure.exception());
}

}  // namespace weft
