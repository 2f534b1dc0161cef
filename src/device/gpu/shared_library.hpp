#pragma once

#include <dlfcn.h>

#include <string>

namespace weft {

/// The file of the library that has a function, which this one is linked with.
template <class Function>
std::string library_of(Function* function) {
  Dl_info found;
  return dladdr(reinterpret_cast<const void*>(function), &found) != 0 ? found.dli_fname : "";
}

/// A library that is loaded when it is first wanted, and stays. Names are tried in turn.
class SharedLibrary {
 public:
  template <class... Names>
  explicit SharedLibrary(const Names&... names) {
    (try_name(names), ...);
  }

  bool is_there() const { return handle_ != nullptr; }
  /// Null: it has no such function.
  template <class Function>
  void find(const char* name, Function*& function) const {
    function = is_there() ? reinterpret_cast<Function*>(dlsym(handle_, name)) : nullptr;
  }

 private:
  void try_name(const std::string& name) {
    if (!is_there()) handle_ = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
  }

  void* handle_ = nullptr;
};

}  // namespace weft
