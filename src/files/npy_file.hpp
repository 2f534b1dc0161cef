#pragma once

#include <string>

#include "exchange/communicator.hpp"

namespace weft {

/// Collective. The header of a NumPy file, read by the first rank, for parse_npy_header. Throws
/// Error on every rank unless the size of the file agrees with it.
std::string read_npy_header(const Communicator& comm, const std::string& path);

}  // namespace weft
