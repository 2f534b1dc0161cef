#include "device/code_cache.hpp"

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace weft {

namespace {

namespace fs = std::filesystem;

fs::path folder() {
  if (const char* given = std::getenv("WEFT_KERNEL_CACHE")) return given;
  return path_in_cache("kernels");
}

/// FNV-1a: D. Eastlake et al., The FNV Non-Cryptographic Hash Algorithm, draft-eastlake-fnv.
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::string hexadecimal(std::uint64_t number) {
  char digits[17];
  std::snprintf(digits, sizeof(digits), "%016llx", static_cast<unsigned long long>(number));
  return digits;
}

/// In front of the code: the key, as two of them may have the same hash, and what tells whether the
/// code is whole.
std::string head_of(const std::string& key, const std::string& code) {
  return "weft code " + std::to_string(key.size()) + " " + std::to_string(code.size()) + " " +
         hexadecimal(hash_of(code)) + "\n" + key;
}

fs::path file_of(const fs::path& folder, const std::string& key) {
  return folder / (hexadecimal(hash_of(key)) + ".code");
}

}  // namespace

std::string path_in_cache(const std::string& name) {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::string(cache) + "/weft/" + name;
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == 0) return "";
  return std::string(home) + "/.cache/weft/" + name;
}

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
