#pragma once

#include "local/advanced_layout.hpp"
#include "local/local_transform.hpp"

namespace weft {

/// Fourier transforms on a device by libraries that have nested layouts: in one step where all of
/// the problem nests, otherwise in several. Transforms to real numbers destroy their input, and the
/// first element of all data, real data too, must be aligned to the size of a complex number. The
/// last step scales.
///
/// Not supported, so that callers gather first, are transforms to real numbers that must preserve
/// their input or leave gaps of one or two numbers untouched, real data at any alignment, and real
/// data where a call of the library would have to begin at an odd element (see advanced_layout).
bool supports_library_calls(const LocalProblem& problem);

/// Of a problem that has this layout. With preserve_input it only destroys its input if the output
/// is real.
using MakeLibraryCall = std::unique_ptr<LocalTransform> (*)(const LocalProblem& problem,
                                                            const AdvancedLayout& layout);

/// Of a supported problem.
std::unique_ptr<LocalTransform> make_library_calls(const LocalProblem& problem,
                                                   MakeLibraryCall make);
/// The same where each step is a Transform.
template <class Transform>
std::unique_ptr<LocalTransform> make_library_calls(const LocalProblem& problem) {
  return make_library_calls(problem,
                            [](const LocalProblem& part,
                               const AdvancedLayout& layout) -> std::unique_ptr<LocalTransform> {
                              return std::make_unique<Transform>(part, layout);
                            });
}

/// Whether input and output lie alike, so that a complex transform can work in place.
bool lies_alike(const AdvancedLayout& layout);

/// Multiplies the results of a problem by its scale: a pass over the output, where the library
/// cannot do that itself.
void scale_output(const LocalProblem& problem, std::byte* out);

/// Throws Error where data is at an address that no complex number of a device may have.
void check_alignment(const LocalProblem& problem, const std::byte* in, const std::byte* out);

}  // namespace weft
