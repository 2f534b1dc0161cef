#include "support/trials.hpp"

#include <algorithm>
#include <cstdlib>

namespace weft::test {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

unsigned trials(unsigned all) {
  const std::uint64_t share = from_environment("WEFT_TEST_TRIALS", 100);
  return static_cast<unsigned>(std::max<std::uint64_t>(1, all * share / 100));
}

}  // namespace weft::test
