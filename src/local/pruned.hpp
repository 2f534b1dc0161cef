#pragma once

#include "local/local_transform.hpp"

namespace weft {

/// A transform with pruned axes that the backend does not support, along one axis after another.
/// Lines of zeros and lines that will be dropped are not transformed.
std::unique_ptr<LocalTransform> make_pruned(const LocalBackend& backend,
                                            const LocalProblem& problem);

/// Of one axis: groups of lines are whole in memory that stays in cache, on the sides that are
/// pruned.
std::unique_ptr<LocalTransform> make_pruned_lines(const LocalBackend& backend,
                                                  const LocalProblem& problem);

}  // namespace weft
