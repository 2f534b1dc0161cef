#include "result_check.hpp"

#include <algorithm>
#include <cmath>

#include "kind/kind.hpp"
#include "weft/verify.hpp"

namespace weft {

namespace {

/// Root mean square of all numbers of a distributed array without gaps.
template <class Real>
double root_mean_square(const Communicator& comm, std::span<const std::byte> memory,
                        Index all_elements) {
  const auto* numbers = reinterpret_cast<const Real*>(memory.data());
  double sum = 0;
  for (std::size_t i = 0; i < memory.size() / sizeof(Real); ++i) {
    sum += static_cast<double>(numbers[i]) * static_cast<double>(numbers[i]);
  }
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, comm.get()), "MPI_Allreduce");
  return std::sqrt(sum / static_cast<double>(all_elements));
}

/// Whether messages may be compressed with an error.
bool loses_digits(const Plan& plan) {
  const auto value = [&](const char* option) {
    const auto& choices = plan.info().choices;
    return std::find_if(choices.begin(), choices.end(),
                        [&](const PlanChoice& choice) { return choice.option == option; })
        ->value;
  };
  const std::string codec = value("codec");
  return codec == "auto" ? value("tolerance") != "auto" : codec != "none" && codec != "lossless";
}

}  // namespace

double error_bound(const Plan& plan, const Report& report) {
  constexpr double room = 1.5;
  return rounding_error_bound(plan.input().type.precision,
                              transformed_points(plan.info().shape, plan.info().kinds)) +
         report.tolerance.value_or(room * report.error);
}

int sample_count(const Plan& plan) {
  constexpr double most_terms = 2e9;  // of all sums; a few seconds
  constexpr double least = 32, most = 1024;
  if (!loses_digits(plan)) return static_cast<int>(least);
  const double points = static_cast<double>(product(plan.info().shape));
  return static_cast<int>(std::clamp(most_terms / points, least, most));
}

double checked_error(const Communicator& comm, const Plan& plan, Direction direction,
                     const std::byte* in, std::span<const std::byte> out) {
  const SampledError error = sampled_error(plan, direction, in, out.data(), sample_count(plan));
  const bool forward = direction == Direction::forward;
  const Index elements =
      product(forward ? spectral_shape(plan.info().shape, plan.info().kinds) : plan.info().shape);
  const double scale = plan.input().type.precision == Precision::f32
                           ? root_mean_square<float>(comm, out, elements)
                           : root_mean_square<double>(comm, out, elements);
  if (!std::isfinite(error.relative_l2) || !std::isfinite(scale)) return std::nan("");
  return scale > 0 ? std::min(error.relative_l2, error.largest / scale) : error.relative_l2;
}

}  // namespace weft
