#pragma once

#include <memory>
#include <vector>

#include "pass/context.hpp"
#include "weft/plan.hpp"

namespace weft {

/// Of a rank. OpenMP ends a process that asks for more threads than the system gives it; other
/// programs leave room for some ten thousand.
inline constexpr int most_threads = 4096;

/// Of OMP_NUM_THREADS, as OpenMP understands it; 0: it is not set.
int threads_of_environment();

/// Collective: everything but the exchange, whatever the options leave open. Throws Error on all
/// ranks where the arguments make no sense, or cannot be had on some.
std::unique_ptr<Context> choose(const MpiProblem& given, const Options& options);

/// Collective: the exchanges that "auto" stands for, or the one that is asked for by name. Each but
/// the last needs memory that ranks share, and the next one takes its place where there is not
/// enough.
std::vector<ExchangeChoice> exchanges_to_try(const Context& context, const Options& options);

}  // namespace weft
