#include "files/npy_conversion.hpp"

#include <cctype>

namespace weft {

namespace {

/// A path as it may stand between quotes of Python in a word of a shell; others get a name to be
/// replaced.
std::string path_in_python(const std::string& path) {
  constexpr std::size_t longest = 200;
  constexpr std::string_view harmless = "/._-+=:, ";
  bool plain = !path.empty() && path.size() <= longest;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    plain = plain && (std::isalnum(byte) != 0 || harmless.find(c) != std::string_view::npos);
  }
  return "'" + (plain ? path : "IN.npy") + "'";
}

std::string python(const std::string& imports, const std::string& array) {
  return "python3 -c \"import " + imports + "; np.save('converted.npy', " + array + ")\"";
}

/// The type of weft that holds all values of a type of NumPy, or nearly; empty where none does.
std::string nearest_type(const std::string& dtype) {
  if (dtype.size() < 3) return {};
  const std::string bytes = dtype.substr(2);
  switch (dtype[1]) {
    case 'f':
      return bytes == "2" || bytes == "4" ? "<f4" : "<f8";
    case 'c':
      return bytes == "8" ? "<c8" : "<c16";
    case 'b':
    case 'i':
    case 'u':
      return "<f8";
    default:
      return {};
  }
}

}  // namespace

std::string other_format(std::string_view beginning, const std::string& path) {
  if (beginning.starts_with("PK\x03\x04")) {
    return "is a NumPy archive (.npz): save one of its arrays with " +
           python("numpy as np", "np.load(" + path_in_python(path) + ")['NAME']");
  }
  if (beginning.starts_with("\x89HDF\r\n")) {
    return "is an HDF5 file: save one of its data sets with " +
           python("h5py, numpy as np", "h5py.File(" + path_in_python(path) + ")['NAME'][...]");
  }
  return {};
}

std::string conversion_hint(const std::string& dtype, const std::string& path) {
  const std::string type = nearest_type(dtype);
  if (type.empty()) return {};
  return "; convert it with " +
         python("numpy as np", "np.load(" + path_in_python(path) + ").astype('" + type + "')");
}

}  // namespace weft
