#include "local/local_transform.hpp"
#include "weft/error.hpp"

namespace weft {

LocalBackend fftw_backend();
LocalBackend reference_backend();
LocalBackend stockham_backend();
#ifdef WEFT_HAVE_MKL
LocalBackend mkl_backend();
#endif

const std::vector<LocalBackend>& local_backends() {
  static const std::vector<LocalBackend> table{
      stockham_backend(),
#ifdef WEFT_HAVE_MKL
      mkl_backend(),
#endif
      fftw_backend(),
      reference_backend(),
  };
  return table;
}

const LocalBackend& fallback_backend() {
  static const LocalBackend backend = fftw_backend();
  return backend;
}

const LocalBackend& find_local_backend(const std::string& name) {
  std::string known = "auto";
  for (const LocalBackend& backend : local_backends()) {
    if (name == "auto" && backend.usable() && backend.recommended()) return backend;
    if (name == backend.name) {
      if (!backend.usable()) throw Error("local backend '" + name + "' is not usable here");
      return backend;
    }
    known += std::string(", ") + backend.name;
  }
  throw Error("local backend '" + name + "' is unknown; known: " + known);
}

}  // namespace weft
