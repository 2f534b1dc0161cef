#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

#include "device/cached_file.hpp"
#include "trace/whole_file.hpp"
#include "weft/error.hpp"
#include "wisdom/record.hpp"

namespace weft {

namespace {

namespace fs = std::filesystem;

Error file_error(const std::string& path, const std::string& what, int code) {
  return Error("wisdom file '" + path + "' " + what + ": " + std::strerror(code));
}

#ifdef F_OFD_SETLK
constexpr int set_lock = F_OFD_SETLK;  // of the open file, so that it excludes other threads too
#else
constexpr int set_lock = F_SETLK;
#endif

class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : path_(path), file_(::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666)) {
    if (file_ < 0) throw file_error(path, "cannot be opened", errno);
  }
  ~OpenFile() { ::close(file_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  /// A line that was torn by a crash must not swallow the next one.
  bool ends_within_line() const {
    struct stat status {};
    char last = '\n';
    if (::fstat(file_, &status) != 0 || status.st_size == 0) return false;
    return ::pread(file_, &last, 1, status.st_size - 1) == 1 && last != '\n';
  }

  void append(const std::string& text) const {
    const ssize_t written = ::write(file_, text.data(), text.size());
    if (written < 0) throw file_error(path_, "cannot be written", errno);
    if (static_cast<std::size_t>(written) < text.size()) {
      throw file_error(path_, "could be written in part only", ENOSPC);
    }
  }

  /// Waits for others; false where that is not possible. The lock ends with this.
  bool lock() const {
    constexpr auto patience = std::chrono::seconds(10);
    struct flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    const auto begin = std::chrono::steady_clock::now();
    while (::fcntl(file_, set_lock, &whole) != 0) {
      const bool is_held = errno == EACCES || errno == EAGAIN || errno == EINTR;
      if (!is_held || std::chrono::steady_clock::now() - begin > patience) return false;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return true;
  }

 private:
  std::string path_;
  int file_;
};

/// A file of its own, because a lock of a file would end when a reader of the same process closes
/// it, and would stay with the old file when that is replaced.
std::string lock_file(const std::string& path) {
  return path + ".lock";
}

/// Where a process writes if it cannot lock the file: some network file systems have no locks.
std::string own_file(const std::string& path) {
  char host[256] = "host";
  ::gethostname(host, sizeof host - 1);
  return path + "." + host + "." + std::to_string(::getpid());
}

/// The file and those that processes without locks have written beside it, by name.
std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  const fs::path file(path);
  const std::string name = file.filename().string() + ".";
  std::error_code ignored;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string other = entry.path().filename().string();
    const bool is_process = !other.empty() && other.back() >= '0' && other.back() <= '9';
    if (other.starts_with(name) && is_process) parts.push_back(entry.path().string());
  }
  std::sort(parts.begin(), parts.end());
  parts.insert(parts.begin(), path);
  return parts;
}

void read_part(const std::string& path, Wisdom& wisdom) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return;
  if (!fs::is_regular_file(path, ignored)) throw Error("wisdom file '" + path + "' is not a file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw file_error(path, "cannot be read", errno);
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty()) continue;
    if (auto record = parse_record(line)) {
      wisdom.records.push_back(std::move(*record));
    } else {
      ++wisdom.skipped_lines;
    }
  }
}

std::string text_of(const std::vector<WisdomRecord>& records) {
  std::string text;
  for (const WisdomRecord& record : records) text += line_of(record) + "\n";
  return text;
}

std::size_t keep(const std::string& path, const std::function<bool(const WisdomRecord&)>& wanted) {
  std::error_code ignored;
  if (path.empty() || !fs::exists(path, ignored)) return 0;
  const OpenFile lock(lock_file(path));
  if (!lock.lock()) {
    throw Error("wisdom file '" + path + "' cannot be locked, so others may be writing to it");
  }
  const std::vector<std::string> parts = parts_of(path);
  const std::vector<WisdomRecord> all = read_wisdom(path).records;
  std::vector<WisdomRecord> kept;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_last =
        std::none_of(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end(),
                     [&](const WisdomRecord& later) { return are_alike(later, all[i]); });
    if (is_last && wanted(all[i])) kept.push_back(all[i]);
  }
  write_whole_file(path, text_of(kept));
  for (std::size_t i = 1; i < parts.size(); ++i) fs::remove(parts[i], ignored);
  return all.size() - kept.size();
}

}  // namespace

std::string wisdom_path() {
  if (const char* given = std::getenv("WEFT_WISDOM")) return given;
  return path_in_cache("wisdom.jsonl");
}

Wisdom read_wisdom(const std::string& path) {
  Wisdom wisdom;
  if (path.empty()) return wisdom;
  for (const std::string& part : parts_of(path)) read_part(part, wisdom);
  return wisdom;
}

void add_wisdom(const std::vector<WisdomRecord>& records, const std::string& path) {
  if (path.empty() || records.empty()) return;
  std::error_code ignored;
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty()) fs::create_directories(folder, ignored);
  const std::string text = text_of(records);
  const OpenFile lock(lock_file(path));
  const OpenFile file(lock.lock() ? path : own_file(path));
  file.append((file.ends_within_line() ? "\n" : "") + text);
}

std::size_t merge_wisdom(const std::string& from, const std::string& into) {
  const Wisdom wisdom = read_wisdom(from);
  if (wisdom.records.empty()) throw Error("'" + from + "' contains no wisdom");
  add_wisdom(wisdom.records, into);
  return wisdom.records.size();
}

std::size_t forget_wisdom(const std::string& text, const std::string& path) {
  return keep(path, [&](const WisdomRecord& record) { return !has_text(record, text); });
}

std::size_t tidy_wisdom(const std::string& path) {
  return keep(path, [](const WisdomRecord&) { return true; });
}

}  // namespace weft
