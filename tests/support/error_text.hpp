#pragma once

#include <functional>
#include <string>

namespace weft::test {

/// The text of the weft::Error that `work` throws; "" when it throws none.
std::string error_text(const std::function<void()>& work);

}  // namespace weft::test
