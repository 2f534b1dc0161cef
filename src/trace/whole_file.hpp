#pragma once

#include <string>

#include "weft/axes.hpp"

namespace weft {

/// A new file beside `target`, whose place it takes when it is complete; until then `target` is as
/// it was. Its name tells who writes it (see trace/temporary_name.hpp).
class TemporaryFile {
 public:
  /// Throws Error where `target` cannot be replaced. A target that is a link stays one; its
  /// permissions are kept.
  explicit TemporaryFile(const std::string& target);
  /// Removes it, unless it has taken the place of its target.
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  /// Where to write.
  const std::string& path() const { return path_; }
  /// Throws Error where the disk has no room for so many bytes. Not all file systems can tell.
  void reserve(Index bytes);
  /// Throws Error where what was written cannot be brought to the disk or renamed.
  void take_place();

 private:
  std::string shown_;   ///< the target as the user calls it
  std::string target_;  ///< and where it lies
  std::string path_;    ///< empty once it is renamed
};

/// Writes a file that is there as a whole or not at all; devices and pipes are written as they are.
/// Throws Error with the system's reason.
void write_whole_file(const std::string& path, const std::string& text);
/// Throws Error where that is not possible, as far as can be told before, and changes nothing.
void check_whole_file(const std::string& path);

}  // namespace weft
