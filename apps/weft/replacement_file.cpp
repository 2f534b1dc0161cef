#include "replacement_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "first_rank.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

constexpr int ending_signals[] = {SIGHUP, SIGINT, SIGTERM};

/// What a signal handler has to remove; empty for nothing.
char pending_path[PATH_MAX] = "";

void remove_pending(int signal) {
  if (pending_path[0] != '\0') unlink(pending_path);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void set_pending(const std::string& path) {
  if (path.size() >= sizeof pending_path) return;
  std::strcpy(pending_path, path.c_str());
  for (int signal : ending_signals) std::signal(signal, path.empty() ? SIG_DFL : remove_pending);
}

[[noreturn]] void fail(const std::string& target, const std::string& why) {
  throw Error("cannot write '" + target + "': " + why);
}

[[noreturn]] void fail(const std::string& target, int error) {
  fail(target, std::strerror(error));
}

/// Where the file really lies, and the permissions it will have. Throws Error when it cannot be
/// replaced.
std::string resolve_target(const std::string& target, mode_t& mode) {
  struct stat status {};
  if (stat(target.c_str(), &status) != 0) {
    if (errno != ENOENT) fail(target, errno);
    const mode_t mask = umask(0);
    umask(mask);
    mode = 0666 & ~mask;
    return target;
  }
  if (S_ISDIR(status.st_mode)) fail(target, "is a directory");
  if (!S_ISREG(status.st_mode)) fail(target, "is no regular file");
  if (access(target.c_str(), W_OK) != 0) fail(target, errno);
  mode = status.st_mode & 07777;
  return std::filesystem::canonical(target).string();
}

/// A full disk is better noticed before the work than after it. Not all file systems can tell.
int reserve(int file, Index bytes) {
#ifdef __linux__
  if (bytes > 0 && fallocate(file, 0, 0, bytes) != 0) {
    const bool unknown = errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL;
    return unknown ? 0 : errno;
  }
#endif
  (void)file;
  (void)bytes;
  return 0;
}

std::string create_beside(const std::string& target, const std::string& shown, mode_t mode,
                          Index bytes) {
  const std::filesystem::path folder = std::filesystem::path(target).parent_path();
  std::string path = ((folder.empty() ? "." : folder) / ".weft-XXXXXX").string();
  const int file = mkstemp(path.data());
  if (file < 0) fail(shown, errno);
  set_pending(path);
  int error = fchmod(file, mode) == 0 ? 0 : errno;
  if (error == 0) error = reserve(file, bytes);
  if (close(file) != 0 && error == 0) error = errno;
  if (error != 0) {
    unlink(path.c_str());
    set_pending("");
    fail(shown, error);
  }
  return path;
}

/// Makes data or a renamed entry survive a crash of the machine.
int flush(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY);
  if (file < 0) return errno;
  const int error = fsync(file) == 0 ? 0 : errno;
  close(file);
  return error == EINVAL ? 0 : error;  // file systems that cannot flush directories
}

}  // namespace

ReplacementFile::ReplacementFile(const Communicator& comm, const std::string& target, Index bytes)
    : comm_(comm), target_(target) {
  // Only the first rank has to know the resolved name.
  path_ = on_first_rank(comm, [&] {
    mode_t mode = 0;
    target_ = resolve_target(target, mode);
    return create_beside(target_, target, mode, bytes);
  });
}

ReplacementFile::~ReplacementFile() {
  if (path_.empty() || comm_.rank() != 0) return;
  unlink(path_.c_str());
  set_pending("");
}

void ReplacementFile::commit() {
  on_first_rank(comm_, [&] {
    if (const int error = flush(path_)) fail(target_, error);
    if (rename(path_.c_str(), target_.c_str()) != 0) fail(target_, errno);
    set_pending("");
    path_.clear();
    // The file is complete whatever comes of this.
    const auto folder = std::filesystem::path(target_).parent_path();
    flush(folder.empty() ? "." : folder.string());
    return std::string();
  });
  path_.clear();
}

}  // namespace weft
