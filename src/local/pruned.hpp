#pragma once

#include "local/local_transform.hpp"

namespace weft {

/// A transform with pruned axes, of whole transforms along one axis after another. What is known to
/// be zero and what will be dropped is neither transformed nor copied, as far as other axes can
/// leave it out.
std::unique_ptr<LocalTransform> make_pruned(const LocalBackend& backend,
                                            const LocalProblem& problem);

/// Of one axis: groups of lines are whole in memory that stays in cache, on the sides that are
/// pruned.
std::unique_ptr<LocalTransform> make_pruned_lines(const LocalBackend& backend,
                                                  const LocalProblem& problem);

}  // namespace weft
