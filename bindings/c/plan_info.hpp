#pragma once

#include <string>
#include <vector>

#include "weft/c/plan.h"
#include "weft/plan_info.hpp"

namespace weft::c {

/// What is told of a plan, as C sees it: most of it is in the plan, which outlives this.
struct ToldInfo {
  explicit ToldInfo(const PlanInfo& info);
  ToldInfo(const ToldInfo&) = delete;
  ToldInfo& operator=(const ToldInfo&) = delete;

  std::string text;
  std::vector<weft_plan_choice> choices;
  std::vector<weft_plan_trial> trials;
  weft_plan_info of_c{};  // refers to the others
};

}  // namespace weft::c
