#include <algorithm>

#include "geometry/unknown_name.hpp"
#include "local/local_transform.hpp"
#include "weft/error.hpp"

namespace weft {

LocalBackend fftw_backend();
LocalBackend reference_backend();
LocalBackend stockham_backend();
#ifdef WEFT_HAVE_MKL
LocalBackend mkl_backend();
#endif
#ifdef WEFT_HAVE_GPU
LocalBackend gpu_lines_backend();
LocalBackend gpu_backend();
#endif
LocalBackend emulated_lines_backend();
LocalBackend emulated_backend();

const std::vector<LocalBackend>& local_backends() {
  static const std::vector<LocalBackend> table{
      stockham_backend(),
#ifdef WEFT_HAVE_MKL
      mkl_backend(),
#endif
      fftw_backend(),
      reference_backend(),
#ifdef WEFT_HAVE_GPU
      gpu_lines_backend(),
      gpu_backend(),
#endif
      emulated_lines_backend(),
      emulated_backend(),
  };
  return table;
}

const LocalBackend& fallback_backend() {
  static const LocalBackend backend = fftw_backend();
  return backend;
}

const LocalBackend& find_local_backend(const std::string& name, const std::string& device) {
  std::vector<std::string_view> known{"auto"};
  const LocalBackend* elsewhere = nullptr;
  for (const LocalBackend& backend : local_backends()) {
    const bool works_there = backend.device == device;
    if (name == "auto" && works_there && backend.usable() && backend.recommended()) return backend;
    if (std::find(known.begin(), known.end(), backend.name) == known.end()) {
      known.push_back(backend.name);
    }
    if (name != backend.name) continue;
    if (!works_there) {
      elsewhere = &backend;
    } else if (!backend.usable()) {
      throw Error("local backend '" + name + "' is not usable here", ErrorCode::unsupported);
    } else {
      return backend;
    }
  }
  if (elsewhere != nullptr) {
    throw Error("local backend '" + name + "' works on device '" + elsewhere->device +
                "', not on '" + device + "'");
  }
  if (name == "auto") throw Error("no local backend for device '" + device + "' is usable here");
  throw unknown_name("local backend", name, known);
}

}  // namespace weft
