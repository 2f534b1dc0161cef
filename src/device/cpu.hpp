#pragma once

#include <cstddef>
#include <string>

#include "weft/options.hpp"

namespace weft {

/// Bytes of the second-level cache of a core; 1 MiB where the system does not tell.
std::size_t second_level_cache_bytes();
/// Bytes of third-level cache for each of so many ranks on this machine, at most one cache; 0 where
/// the system does not tell.
std::size_t third_level_cache_share(int ranks);
/// Name of the processor; where the system does not tell, of the architecture.
std::string cpu_model();
/// Cores that the calling process may run on.
int usable_cores();
/// Cores of this machine.
int cores();
/// Of OMP_NUM_THREADS, as OpenMP understands it; 0: it is not set.
int threads_of_environment();
/// Of a rank that shares its node with others: as many as options say, the environment, or cores.
int threads_of_rank(const Options& options, int ranks_on_node);

}  // namespace weft
