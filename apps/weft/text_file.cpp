#include "text_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "files/first_rank.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

void write_text(const Communicator& comm, const std::string& path, const std::string& text,
                int mode) {
  if (path.empty()) return;
  on_first_rank(comm, [&] {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | mode, 0666);
    int error = file < 0 ? errno : 0;
    if (error == 0 && !text.empty()) {
      const ssize_t written = write(file, text.data(), text.size());
      if (written < 0) error = errno;
      if (written >= 0 && static_cast<std::size_t>(written) < text.size()) error = ENOSPC;
    }
    if (file >= 0 && close(file) != 0 && error == 0) error = errno;
    if (error != 0) throw Error("cannot write '" + path + "': " + std::strerror(error));
    return std::string();
  });
}

}  // namespace

void begin_file(const Communicator& comm, const std::string& path) {
  write_text(comm, path, "", O_TRUNC);
}

void append_to_file(const Communicator& comm, const std::string& path, const std::string& text) {
  write_text(comm, path, text, O_APPEND);
}

}  // namespace weft
