#pragma once

#include <cstdint>

namespace weft::test {

/// The number in an environment variable, or `otherwise` where it is not set.
std::uint64_t from_environment(const char* name, std::uint64_t otherwise);

/// How many random cases a test tries that would try `all`: WEFT_TEST_TRIALS per cent of them, as
/// the default tier does where they take long; all of them where that is not set. At least one.
unsigned trials(unsigned all);

}  // namespace weft::test
