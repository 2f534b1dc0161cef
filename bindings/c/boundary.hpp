#pragma once

#include <memory>
#include <string>
#include <utility>

#include "exchange/agreement.hpp"
#include "weft/error.hpp"
#include "weft/weft.h"

namespace weft::c {

/// A handle that is null: it knows of no communicator on which to agree.
class NullHandle : public Error {
 public:
  using Error::Error;
};

/// Keeps the text of the exception that is being handled for weft_error_message.
weft_status keep_exception() noexcept;

/// Runs work of the library; what it throws becomes a status and a text.
template <class Work>
weft_status guarded(Work&& work) noexcept {
  try {
    work();
    return WEFT_SUCCESS;
  } catch (...) {
    return keep_exception();
  }
}

/// What a pointer of the caller points to, which must not be null.
template <class T>
T& given(T* pointer, const char* name) {
  if (pointer == nullptr) throw Error(std::string(name) + " is null");
  return *pointer;
}

/// Writes what query() returns where the caller wants it. The handle, which query() looks at, is
/// the first to be complained about.
template <class T, class Query>
weft_status answer(T* result, const char* name, Query&& query) noexcept {
  return guarded([&] {
    auto known = query();
    given(result, name) = std::move(known);
  });
}

/// A function of the caller was not successful.
[[noreturn]] inline void fail_with(int result) {
  throw Error("a function of the caller returned " + std::to_string(result), ErrorCode::callback);
}

/// What a handle stands for.
template <class Object>
Object& object_of(Object* handle, const char* name) {
  if (handle == nullptr) throw NullHandle(std::string("the handle of the ") + name + " is null");
  return *handle;
}

/// Collective. Makes `*handle`. `read` looks at the caller's structs, in which anything may be
/// wrong on any rank; `make` returns a std::unique_ptr from what it found.
template <class Object, class Read, class Make>
weft_status create(MPI_Comm comm, Object** handle, Read&& read, Make&& make) noexcept {
  if (handle != nullptr) *handle = nullptr;
  return guarded([&] {
    collectively(Communicator::duplicate(comm), [&] {
      given(handle, "the pointer to the new handle");
      read();
    });
    std::unique_ptr<Object> object = make();
    *handle = object.release();
  });
}

/// `release` is called before what the handle stands for is deleted, which it is in any case.
template <class Object, class Release>
weft_status destroy(Object** handle, Release&& release) noexcept {
  return guarded([&] {
    const std::unique_ptr<Object> last(
        std::exchange(given(handle, "the pointer to the handle"), nullptr));
    if (last != nullptr) release(*last);
  });
}
template <class Object>
weft_status destroy(Object** handle) noexcept {
  return destroy(handle, [](Object&) {});
}

}  // namespace weft::c
