#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "adapter.hpp"

namespace weft::bench {

/// The field `energy` of a record: what a forward and a backward transform take, of the processors
/// of all nodes of the job and of the devices that its ranks work on; and their power without work.
/// Takes some seconds where there are counters. Destroys the arrays. Collective; the same on all
/// ranks.
nlohmann::ordered_json energy_of_pairs(Transform& transform, const Case& problem,
                                       const Library& library, const std::string& powercap);

}  // namespace weft::bench
