#pragma once

#include <string>
#include <vector>

namespace weft::test {

/// Exchanges that a plan can be run with, some of them with a parameter.
std::vector<std::string> plan_exchanges();

/// The name as part of the name of a test.
std::string as_test_name(std::string exchange);

}  // namespace weft::test
