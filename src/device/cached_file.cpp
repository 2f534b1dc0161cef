#include "device/cached_file.hpp"

#include <cstdint>
#include <cstdlib>

namespace weft {

std::string path_in_cache(const std::string& name) {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::string(cache) + "/weft/" + name;
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == 0) return "";
  return std::string(home) + "/.cache/weft/" + name;
}

/// FNV-1a of 64 bits (G. Fowler, L. C. Noll, K.-P. Vo).
std::string checksum(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char letter : text) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3u;
  }
  std::string digits(16, '0');
  for (std::size_t i = digits.size(); i-- > 0; hash >>= 4)
    digits[i] = "0123456789abcdef"[hash & 15];
  return digits;
}

}  // namespace weft
