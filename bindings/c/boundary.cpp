#include "c/boundary.hpp"

#include <new>

namespace weft::c {

namespace {

static_assert(static_cast<int>(ErrorCode::argument) + WEFT_ERROR_ARGUMENT == WEFT_ERROR_ARGUMENT &&
              static_cast<int>(ErrorCode::callback) + WEFT_ERROR_ARGUMENT == WEFT_ERROR_CALLBACK);

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
    return WEFT_ERROR_NULL_HANDLE;
  } catch (const Error& error) {
    keep(error.what());
    return static_cast<weft_status>(static_cast<int>(error.code()) + WEFT_ERROR_ARGUMENT);
  } catch (const std::bad_alloc&) {
    keep("out of memory");
    return WEFT_ERROR_MEMORY;
  } catch (const std::exception& error) {
    keep(error.what());
  } catch (...) {
    keep("an exception of unknown type");
  }
  return WEFT_ERROR_ARGUMENT;
}

}  // namespace weft::c

const char* weft_error_message(void) {
  return weft::c::fallback != nullptr ? weft::c::fallback : weft::c::message.c_str();
}
