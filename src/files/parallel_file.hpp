#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "exchange/communicator.hpp"
#include "weft/axes.hpp"

namespace weft {

/// Called with the part that is done, in [0, 1].
using ProgressCallback = std::function<void(double)>;

inline constexpr Index default_chunk_bytes = Index{64} << 20;
/// MPI counts bytes with 31 bits.
inline constexpr Index largest_chunk_bytes = Index{1} << 30;

/// Collective. Each rank reads the bytes of a file from `offset` on; none where `data` is empty.
/// Works in rounds of at most `chunk_bytes` per rank, the same number on all ranks. A failure on
/// any rank ends the round, and every rank throws an Error.
void read_parallel(const Communicator& comm, const std::string& path, Index offset,
                   std::span<std::byte> data, const ProgressCallback& progress = {},
                   Index chunk_bytes = default_chunk_bytes);

/// The same for writing into a file that exists. What ranks write must not overlap. The data has
/// reached the file system when this returns.
void write_parallel(const Communicator& comm, const std::string& path, Index offset,
                    std::span<const std::byte> data, const ProgressCallback& progress = {},
                    Index chunk_bytes = default_chunk_bytes);

}  // namespace weft
