#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/plan.hpp"
#include "weft/weft.h"

namespace weft::test {

/// A problem and its options, as C has them.
class Structs {
 public:
  Structs(const Problem& problem, const Options& options);
  Structs(const Structs&) = delete;
  Structs& operator=(const Structs&) = delete;

  weft_problem problem;
  std::string options;

 private:
  const weft_layout* layout_of(const LayoutSpec& spec, weft_layout& layout,
                               std::vector<weft_box>& boxes);

  weft_layout in_, out_;
  std::vector<weft_box> in_boxes_, out_boxes_;
};

/// Throws Error with the library's words where a call has failed.
void check(int status);

/// The plan's report as the C interface tells of it, or that of one field.
Report report_of(weft_plan plan, std::optional<Index> field = {});

}  // namespace weft::test
