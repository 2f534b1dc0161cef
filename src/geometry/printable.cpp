#include "weft/printable.hpp"

#include <cstdint>
#include <cstdio>

namespace weft {

namespace {

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

struct Character {
  std::size_t bytes;  ///< 0: no UTF-8
  std::uint32_t code;
};

/// The one with which `text` begins.
Character first_of(std::string_view text) {
  constexpr Character none{0, 0};
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {1, first};
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return none;
  std::uint32_t code = first & (0x7fu >> bytes);
  for (char c : text.substr(1, bytes - 1)) {
    if (!continues(c)) return none;
    code = code << 6 | (static_cast<unsigned char>(c) & 0x3fu);
  }
  const std::uint32_t least = bytes == 2 ? 0x80 : bytes == 3 ? 0x800 : 0x10000;
  return code < least ? none : Character{bytes, code};
}

/// Controls of terminals, and marks that show what follows in another order.
bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x200e && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

std::string escaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Character first = first_of(text);
    const std::string_view character = text.substr(0, first.bytes > 0 ? first.bytes : 1);
    if (first.bytes > 0 && !is_control(first.code)) {
      result += character;
    } else {
      for (char c : character) {
        char code[8];
        std::snprintf(code, sizeof code, "\\x%02x", static_cast<unsigned>(c) & 0xffu);
        result += code;
      }
    }
    text.remove_prefix(character.size());
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text, std::size_t longest) {
  std::string whole = escaped(text);
  if (whole.size() <= longest) return whole;
  constexpr std::string_view gap = "...";
  const std::size_t kept = longest > gap.size() ? longest - gap.size() : 0;
  // No character is cut.
  std::size_t head = kept - kept / 2, tail = whole.size() - kept / 2;
  while (head > 0 && continues(whole[head])) --head;
  while (tail < whole.size() && continues(whole[tail])) ++tail;
  return whole.substr(0, head) + std::string(gap) + whole.substr(tail);
}

}  // namespace weft
