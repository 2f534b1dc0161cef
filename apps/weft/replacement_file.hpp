#pragma once

#include <optional>
#include <string>

#include "exchange/communicator.hpp"
#include "trace/whole_file.hpp"

namespace weft {

/// A new file that takes the place of `target` only when it is complete: it is written under a
/// temporary name in the same directory and renamed. Until commit() `target` is untouched; without
/// it, also when a signal ends the process, the temporary file is removed. One at a time.
class ReplacementFile {
 public:
  /// Collective. Reserves `bytes` on the disk. Throws Error on every rank when `target` cannot be
  /// written. A target that is a link stays one; its permissions are kept.
  ReplacementFile(const Communicator& comm, const std::string& target, Index bytes);

  /// Where to write.
  const std::string& path() const { return path_; }
  /// Collective. All ranks have written and closed the file.
  void commit();

 private:
  /// Lets signals that end this process remove a file first.
  class RemovedBySignals {
   public:
    RemovedBySignals() = default;
    ~RemovedBySignals();
    RemovedBySignals(const RemovedBySignals&) = delete;
    RemovedBySignals& operator=(const RemovedBySignals&) = delete;

    void set(const std::string& path);
  };

  const Communicator& comm_;
  std::string path_;
  RemovedBySignals signals_;
  std::optional<TemporaryFile> file_;  ///< of the first rank
};

}  // namespace weft
