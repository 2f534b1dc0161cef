#pragma once

#include <string>

#include "exchange/communicator.hpp"

namespace weft {

/// Collective. Makes a file empty; an empty path stands for none. Throws Error on every rank, with
/// the system's reason, where that fails.
void begin_file(const Communicator& comm, const std::string& path);
/// The same for a text at the end of a file. It is written in one call, so that lines of programs
/// that run at the same time do not mix; without text it only tells whether that will be possible.
void append_to_file(const Communicator& comm, const std::string& path, const std::string& text);

}  // namespace weft
