#include <algorithm>
#include <cmath>
#include <limits>

#include "exchange/agreement.hpp"
#include "kind/kind.hpp"
#include "schedule/option_table.hpp"
#include "verify/exact_samples.hpp"

namespace weft {

Extents TransformDescription::spectral_shape() const {
  return weft::spectral_shape(shape, kinds, modes);
}

SampledError sampled_error(const TransformDescription& transform, Direction direction,
                           const void* in, const void* out, int samples, std::uint64_t seed) {
  collectively(Communicator::duplicate(transform.comm), [&] {
    if (samples < 1) throw Error("samples " + std::to_string(samples) + ": must be positive");
    if (transform.threads < 1 || transform.threads > most_threads) {
      throw Error("threads " + std::to_string(transform.threads) + ": must be between 1 and " +
                  std::to_string(most_threads));
    }
  });
  return ExactSamples(transform, direction, static_cast<const std::byte*>(in), samples, seed,
                      host_stream())
      .error_of(static_cast<const std::byte*>(out));
}

TransformDescription description(const Plan& plan) {
  return {plan.info().shape,        plan.info().kinds,   plan.info().norm,
          plan.info().batch,        plan.input(),        plan.output(),
          plan.communicator(),      plan.info().threads, plan.info().orthogonal,
          plan.info().input_points, plan.info().modes};
}

double rounding_error_bound(Precision precision, Index points) {
  const double epsilon = precision == Precision::f32 ? std::numeric_limits<float>::epsilon()
                                                     : std::numeric_limits<double>::epsilon();
  return 5 * epsilon * std::log2(static_cast<double>(std::max<Index>(points, 2)));
}

}  // namespace weft
