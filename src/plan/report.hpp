#pragma once

#include <optional>

#include "plan/channel.hpp"
#include "weft/report.hpp"

namespace weft {

/// Of the last use of these channels.
Report make_report(const Channels& channels, std::optional<double> tolerance);

}  // namespace weft
