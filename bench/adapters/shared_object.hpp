#pragma once

#include <dlfcn.h>

#include <string>

#include "weft/error.hpp"

/// For libraries that are built once for each precision, under the same names: their builds cannot
/// be linked into one program, which loads the one that a case needs.
namespace weft::bench {

class SharedObject {
 public:
  /// Global, so that the driver finds MPI's own functions for Fortran, which come with it.
  explicit SharedObject(const std::string& path)
      : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) {
    if (handle_ == nullptr) throw Error(dlerror());
  }
  // Never unloaded: what the library registered with MPI or at exit outlives the transform.
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;

  template <class Function>
  void find(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(dlsym(handle_, name));
    if (function == nullptr) throw Error(dlerror());
  }

 private:
  void* handle_;
};

}  // namespace weft::bench
