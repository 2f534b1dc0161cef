#pragma once

#include <string>
#include <vector>

namespace weft::test {

/// Exchanges that a plan on the host can be run with, some of them with a parameter.
std::vector<std::string> plan_exchanges();
/// Those for plans on a kind of device.
std::vector<std::string> device_exchanges(const std::string& device);

/// The name as part of the name of a test.
std::string as_test_name(std::string exchange);

}  // namespace weft::test
