#include "weft/shell_spectrum.hpp"

#include "c/element.hpp"
#include "c/plan_of.hpp"

weft_status weft_plan_shell_spectrum(weft_plan plan, size_t fields, const void* const* coefficients,
                                     const double* lengths, double width,
                                     weft_shell_spectrum* spectrum) {
  return weft::c::guarded([&] {
    const weft::Plan& of = weft::c::plan_of(plan);
    // Of what is null on any rank, the library tells all of them.
    std::vector<weft::detail::AnyArray> arrays;
    for (std::size_t i = 0; i < fields; ++i) {
      weft::detail::AnyArray& array = arrays.emplace_back(
          weft::c::array_of(coefficients == nullptr ? nullptr : coefficients[i], of.output().type));
      if (lengths == nullptr) array.refusal = "the list of lengths is null";
      if (spectrum == nullptr) array.refusal = "the pointer to the spectrum is null";
    }
    const auto axes = lengths == nullptr ? 0 : static_cast<std::size_t>(of.info().shape.size());
    plan->shells = weft::shell_spectrum(of, arrays, std::span(lengths, axes), width);
    *spectrum = {plan->shells.width, plan->shells.energy.size(), plan->shells.energy.data()};
  });
}
