#include "files/npy_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "files/first_rank.hpp"
#include "files/npy.hpp"
#include "files/npy_conversion.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

/// Longer headers belong to types of elements that weft does not work on.
constexpr Index longest_header = Index{1} << 20;

/// Reads up to `bytes` from the beginning of a file.
std::string read_beginning(int file, std::size_t bytes) {
  std::string text(bytes, '\0');
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t count = pread(file, text.data() + done, bytes - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Error(std::string("cannot be read: ") + std::strerror(errno));
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  text.resize(done);
  return text;
}

/// The text of the header of a file whose size agrees with it.
std::string read_header(int file, const std::string& path) {
  struct stat status {};
  if (fstat(file, &status) != 0) throw Error(std::strerror(errno));
  if (S_ISDIR(status.st_mode)) throw Error("is a directory");
  if (!S_ISREG(status.st_mode)) throw Error("is not a regular file");
  const Index size = status.st_size;
  const std::string beginning = read_beginning(file, npy_preamble_bytes);
  if (const std::string other = other_format(beginning, path); !other.empty()) throw Error(other);
  const Index length = npy_header_bytes(beginning);
  if (length > size) throw Error("is truncated within its header");
  if (length > longest_header) {
    throw Error("has a header of " + std::to_string(length) + " bytes; at most " +
                std::to_string(longest_header) + " are supported");
  }
  const std::string text = read_beginning(file, static_cast<std::size_t>(length));
  const NpyHeader header = parse_npy_header(text);
  const Index expected = length + header.data_bytes();
  if (size != expected) {
    throw Error(std::string(size < expected ? "is truncated" : "is too long") + ": it has " +
                std::to_string(size) + " bytes, its header " + to_string(header.shape) + " " +
                header.dtype() + " needs " + std::to_string(expected));
  }
  return text;
}

}  // namespace

std::string read_npy_header(const Communicator& comm, const std::string& path) {
  return on_first_rank(comm, [&] {
    const int file = open(path.c_str(), O_RDONLY);
    if (file < 0)
      throw Error("cannot read '" + path + "': " + std::strerror(errno), ErrorCode::file);
    try {
      const std::string text = read_header(file, path);
      close(file);
      return text;
    } catch (const UnsupportedType& error) {
      close(file);
      throw Error("'" + path + "' " + error.what() + conversion_hint(error.dtype, path),
                  error.code());
    } catch (const Error& error) {
      close(file);
      throw Error("'" + path + "' " + error.what(), ErrorCode::file);
    }
  });
}

}  // namespace weft
