#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>

#include "array.hpp"
#include "callbacks.hpp"
#include "collective.hpp"
#include "weft/plan.hpp"

namespace weft::python {

/// What weft.Plan is made of. Errors of collective calls come on every rank; Python's lock is not
/// held while ranks wait for each other.
class CorePlan : public Collective<Plan> {
 public:
  /// Collective. `comm` is Fortran's handle. `refusal` says why the arguments could not be brought
  /// into `request`; empty where they could.
  CorePlan(int comm, const Members& request, const std::string& refusal);

  /// With callbacks, or None.
  void run(bool forward, nb::handle in, nb::handle out, nb::handle on_input, nb::handle on_output);
  void run_many(bool forward, nb::handle in, nb::handle out, nb::handle on_input,
                nb::handle on_output);
  void start(bool forward, nb::handle in, nb::handle out);
  /// Not collective.
  void set_workspace(nb::handle memory);
  /// (relative_l2, largest, samples) of a transform that was run.
  AnyTuple sampled_error(bool forward, nb::handle in, nb::handle out, nb::handle sample_count,
                         nb::handle given_seed) const;
  /// (width, energies) of fields in spectral space; `refusal` as above.
  AnyTuple shell_spectrum(const nb::list& fields, const std::vector<double>& lengths, double width,
                          const std::string& refusal) const;

  /// In physical or in spectral space.
  const Side& side(bool input) const { return input ? input_ : output_; }

 private:
  ForeignArray read(nb::handle array, bool forward, bool is_written) const;
  GivenCallbacks functions(bool forward, nb::handle on_input, nb::handle on_output) const;

  Side input_, output_;
  nb::object workspace_;  // of the caller
};

}  // namespace weft::python
