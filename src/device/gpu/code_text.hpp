#pragma once

namespace weft {

/// What sources that are compiled at run time begin with: weft's own headers. Made by
/// cmake/code_text.cmake.
struct CodeText {
  const char* hash;  ///< SHA-256 of the text
  const char* text;
};

extern const CodeText line_code;  ///< src/local/gpu/line_code.hpp

}  // namespace weft
