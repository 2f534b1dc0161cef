#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weft {

/// Bytes of a whole message, as of an Error, that are worth showing.
inline constexpr std::size_t printable_message = 2000;
/// Bytes of a text out of a file that are worth showing within a message.
inline constexpr std::size_t printable_excerpt = 200;

/// Text of files, of command lines or of an Error that repeats them, as it may be written to a
/// terminal: control characters, those that change the direction of text and bytes that are not
/// UTF-8 are escaped as in "\x1b", and where it is then longer than `longest` bytes, "..." stands
/// for its middle.
std::string printable(std::string_view text, std::size_t longest = printable_message);

}  // namespace weft
