#include <algorithm>
#include <string_view>

#include "kind/definition.hpp"
#include "local/by_axes.hpp"
#include "local/line_transform.hpp"
#include "local/pruned.hpp"
#include "local/real_kind_device.hpp"
#include "local/real_kind_host.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

/// Of the devices that have several, another backend that can do this.
const LocalBackend* other_on_device(const LocalBackend& backend, const LocalProblem& problem) {
  for (const LocalBackend& other : local_backends()) {
    if (std::string_view(other.device) == backend.device && other.usable() &&
        other.supports(problem)) {
      return &other;
    }
  }
  return nullptr;
}

std::unique_ptr<LocalTransform> make_on_device(const LocalBackend& backend,
                                               const LocalProblem& problem) {
  const bool several = problem.transform.size() > 1;
  if (std::any_of(problem.kinds.begin(), problem.kinds.end(), is_real_kind)) {
    if (!several) return make_real_kind_on_device(backend, problem);
    if (!is_pruned(problem)) return make_by_axes(backend, problem);
  }
  if (const LocalBackend* other = other_on_device(backend, problem)) return other->make(problem);
  const bool halved = problem.kinds[problem.kinds.size() - 1] == Kind::r2c;
  if (halved && !several && has_places_of_reals(problem))
    return make_real_kind_on_device(backend, problem);
  if (halved && !is_pruned(problem) && !must_keep_input(problem)) {
    return std::make_unique<Sequence>(problem, line_steps(problem), [&](const LocalProblem& part) {
      return make_local(backend, part);
    });
  }
  throw Error("local backend '" + std::string(backend.name) + "' cannot do this transform");
}

}  // namespace

std::unique_ptr<LocalTransform> make_local(const LocalBackend& backend,
                                           const LocalProblem& problem) {
  if (backend.supports(problem)) return backend.make(problem);
  if (!problem.on_host()) return make_on_device(backend, problem);
  if (is_pruned(problem)) return make_pruned(backend, problem);
  if (std::none_of(problem.kinds.begin(), problem.kinds.end(), is_real_kind)) {
    return fallback_backend().make(problem);
  }
  return problem.transform.size() > 1 ? make_by_axes(backend, problem)
                                      : make_real_kind_on_host(backend, problem);
}

}  // namespace weft
