#pragma once

#include <nanobind/nanobind.h>

#include "weft/convolution.hpp"
#include "weft/halo.hpp"
#include "weft/long_transform.hpp"
#include "weft/options.hpp"
#include "weft/plan.hpp"

namespace weft::python {

namespace nb = nanobind;

/// From the keyword arguments of weft.Plan. Throws Error for what makes no sense.
Problem problem_of(const nb::dict& request);
Options options_of(const nb::dict& request);
/// The same of weft.Halo, weft.Convolution and weft.LongTransform.
HaloProblem halo_problem_of(const nb::dict& request);
ConvolutionProblem convolution_problem_of(const nb::dict& request);
LongProblem long_problem_of(const nb::dict& request);
ElementType element_type_of(const nb::dict& request);

/// From a weft.Layout, its text, or None.
LayoutSpec layout_of(nb::handle given);

/// The members of weft.Layout that a text stands for.
nb::typed<nb::dict, nb::str, nb::any> layout_members(const std::string& text);

}  // namespace weft::python
