#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weft {

/// Who writes a temporary file, as its name tells: a process and, as its number may be given to
/// another one later, when that was started. Locks would tell as well, but not on all file systems,
/// and on some they would keep the other ranks from writing.
struct FileWriter {
  std::string host;
  long process = 0;
  /// Numbers are those of a namespace of processes, as containers have; 0 where there are none.
  unsigned long long space = 0;
  unsigned long long started = 0;  ///< clock ticks after the machine; 0 where it does not tell
};

/// Whether a process is still there.
enum class WriterState { running, ended, elsewhere };

/// The beginning of names of temporary files of this process, ".weft-HOST-PROCESS-SPACE.STARTED-".
/// Six random characters follow it.
std::string temporary_name();

/// Nothing for names of other files.
std::optional<FileWriter> writer_of(std::string_view name);

/// As far as can be seen from this process: `elsewhere` is on another machine or in another
/// container.
WriterState state_of(const FileWriter& writer);

}  // namespace weft
