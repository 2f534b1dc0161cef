#include "device/code_cache.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "device/cached_file.hpp"

namespace weft {

namespace {

namespace fs = std::filesystem;

fs::path folder() {
  if (const char* given = std::getenv("WEFT_KERNEL_CACHE")) return given;
  return path_in_cache("kernels");
}

/// In front of the code: the key, as two of them may have the same checksum, and what tells whether
/// the code is whole.
std::string head_of(const std::string& key, const std::string& code) {
  return "weft code " + std::to_string(key.size()) + " " + std::to_string(code.size()) + " " +
         checksum(code) + "\n" + key;
}

fs::path file_of(const fs::path& folder, const std::string& key) {
  return folder / (checksum(key) + ".code");
}

}  // namespace

std::optional<std::string> find_code(const std::string& key) {
  const fs::path in = folder();
  if (in.empty()) return {};
  std::ifstream file(file_of(in, key), std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::size_t line = text.find('\n');
  if (line == std::string::npos || line + 1 + key.size() > text.size()) return {};
  std::string code = text.substr(line + 1 + key.size());
  const std::string head = head_of(key, code);
  if (!text.starts_with(head)) return {};
  return code;
}

void keep_code(const std::string& key, const std::string& code) {
  const fs::path in = folder();
  if (in.empty()) return;
  std::error_code failed;
  fs::create_directories(in, failed);
  std::string path = (in / ".weft-XXXXXX").string();
  const int number = mkstemp(path.data());
  if (number < 0) return;
  close(number);
  std::ofstream file(path, std::ios::binary);
  file << head_of(key, code) << code;
  file.close();
  if (file) fs::rename(path, file_of(in, key), failed);
  if (!file || failed) fs::remove(path, failed);
}

}  // namespace weft
