#pragma once

#include <string>

namespace weft {

/// Writes a warning to stderr for each temporary file beside `target` whose writer was ended before
/// it could remove it, and for those of other machines, which cannot be told from files that are
/// being written. `program` is its name at the beginning of the line. Not collective.
void warn_of_abandoned_files(const std::string& program, const std::string& target);

}  // namespace weft
