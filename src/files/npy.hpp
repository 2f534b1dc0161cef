#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "weft/error.hpp"
#include "weft/kinds.hpp"

namespace weft {

/// Elements of a type that weft does not work on.
struct UnsupportedType : Error {
  UnsupportedType(const std::string& text, std::string type)
      : Error(text, ErrorCode::unsupported), dtype(std::move(type)) {}
  std::string dtype;  ///< as the file names it
};

/// What the header of a NumPy file says. The elements follow it without gaps.
/// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
struct NpyHeader {
  Precision precision = Precision::f64;
  bool complex = false;
  bool fortran_order = false;
  Extents shape;

  Index element_bytes() const;
  /// Bytes of all elements. Throws Error when they do not fit in 63 bits.
  Index data_bytes() const;
  /// "<c16"
  std::string dtype() const;
  /// Axes from slowest to fastest in the file.
  AxisList order() const;
};

/// Bytes at the beginning of a file that tell how long its header is.
inline constexpr std::size_t npy_preamble_bytes = 12;

/// Length of the whole header, where the elements begin, from the first npy_preamble_bytes of a
/// file (or all of it, if it is shorter). Throws Error unless it is a NumPy file of version 1 to 3.
Index npy_header_bytes(std::string_view preamble);
/// `header` has npy_header_bytes(header) bytes. Throws Error when it is malformed or says something
/// that weft does not work on: other types of elements than little-endian floating point and
/// complex numbers of 32 and 64 bits (UnsupportedType), other than 1 to 6 axes, lengths that are
/// not positive.
NpyHeader parse_npy_header(std::string_view header);
/// A header of version 1, padded as NumPy does.
std::string npy_header_text(const NpyHeader& header);

}  // namespace weft
