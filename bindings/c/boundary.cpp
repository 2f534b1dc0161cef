#include "c/boundary.hpp"

#include <new>

namespace weft::c {

namespace {

thread_local std::string message;
// Where there is no memory for a text.
thread_local const char* fallback = nullptr;

void keep(const char* text) noexcept {
  try {
    message = text;
    fallback = nullptr;
  } catch (const std::bad_alloc&) {
    fallback = "out of memory";
  }
}

}  // namespace

weft_status keep_exception() noexcept {
  try {
    throw;
  } catch (const NullHandle& error) {
    keep(error.what());
    return WEFT_NULL_HANDLE;
  } catch (const std::bad_alloc&) {
    keep("out of memory");
  } catch (const std::exception& error) {
    keep(error.what());
  } catch (...) {
    keep("an exception of unknown type");
  }
  return WEFT_ERROR;
}

}  // namespace weft::c

const char* weft_error_message(void) {
  return weft::c::fallback != nullptr ? weft::c::fallback : weft::c::message.c_str();
}
