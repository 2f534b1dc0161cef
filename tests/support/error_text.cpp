#include "support/error_text.hpp"

#include "weft/error.hpp"

namespace weft::test {

std::string error_text(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace weft::test
