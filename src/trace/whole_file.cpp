#include "trace/whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "trace/temporary_name.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

[[noreturn]] void fail(const std::string& target, const std::string& why) {
  throw Error("cannot write '" + target + "': " + why, ErrorCode::file);
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
  if (!S_ISREG(status.st_mode)) fail(target, "is not a regular file");
  if (access(target.c_str(), W_OK) != 0) fail(target, errno);
  mode = status.st_mode & 07777;
  return std::filesystem::canonical(target).string();
}

std::filesystem::path folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

/// Makes data or a renamed entry survive a crash of the machine.
int flush(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  const int error = fsync(file) == 0 ? 0 : errno;
  close(file);
  return error == EINVAL ? 0 : error;  // file systems that cannot flush directories
}

void write_text(const std::string& path, const std::string& shown, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) fail(shown, errno);
  int error = 0;
  for (std::size_t done = 0; done < text.size() && error == 0;) {
    const ssize_t count = write(file, text.data() + done, text.size() - done);
    if (count >= 0) {
      done += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  if (close(file) != 0 && error == 0) error = errno;
  if (error != 0) fail(shown, error);
}

bool is_special(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

}  // namespace

TemporaryFile::TemporaryFile(const std::string& target) : shown_(target) {
  mode_t mode = 0;
  target_ = resolve_target(target, mode);
  std::string path = (folder_of(target_) / (temporary_name() + "XXXXXX")).string();
  const int file = mkstemp(path.data());
  if (file < 0) fail(shown_, errno);
  int error = fchmod(file, mode) == 0 ? 0 : errno;
  if (close(file) != 0 && error == 0) error = errno;
  if (error != 0) {
    unlink(path.c_str());
    fail(shown_, error);
  }
  path_ = path;
}

TemporaryFile::~TemporaryFile() {
  if (!path_.empty()) unlink(path_.c_str());
}

void TemporaryFile::reserve(Index bytes) {
#ifdef __linux__
  if (bytes <= 0) return;
  const int file = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) fail(shown_, errno);
  const int error = fallocate(file, 0, 0, bytes) == 0 ? 0 : errno;
  close(file);
  const bool unknown = error == EOPNOTSUPP || error == ENOSYS || error == EINVAL;
  if (error != 0 && !unknown) fail(shown_, error);
#else
  (void)bytes;
#endif
}

void TemporaryFile::take_place() {
  if (const int error = flush(path_)) fail(shown_, error);
  if (rename(path_.c_str(), target_.c_str()) != 0) fail(shown_, errno);
  path_.clear();
  flush(folder_of(target_).string());  // the file is complete whatever comes of this
}

void write_whole_file(const std::string& path, const std::string& text) {
  if (is_special(path)) return write_text(path, path, text);
  TemporaryFile file(path);
  write_text(file.path(), path, text);
  file.take_place();
}

void check_whole_file(const std::string& path) {
  if (!is_special(path)) {
    TemporaryFile file(path);
  } else if (access(path.c_str(), W_OK) != 0) {
    fail(path, errno);
  }
}

}  // namespace weft
