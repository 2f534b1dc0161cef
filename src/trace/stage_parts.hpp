#pragma once

#include <utility>

#include "weft/timings.hpp"

namespace weft {

using StagePart = double StageParts::*;

/// All parts with their names, in the order in which they are done.
inline constexpr std::pair<const char*, StagePart> stage_parts[] = {
    {"unpack", &StageParts::unpack},       {"decode", &StageParts::decode},
    {"transform", &StageParts::transform}, {"callback", &StageParts::callback},
    {"encode", &StageParts::encode},       {"pack", &StageParts::pack},
    {"exchange", &StageParts::exchange},   {"wait", &StageParts::wait}};

/// Adds parts to others, multiplied by a factor.
inline void add_parts(StageParts& sum, const StageParts& parts, double factor = 1) {
  for (const auto& [name, part] : stage_parts) sum.*part += factor * (parts.*part);
}

}  // namespace weft
