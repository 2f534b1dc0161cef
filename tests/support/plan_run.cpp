#include "support/plan_run.hpp"

#include <cmath>

#include "device/device.hpp"
#include "kind/kind.hpp"
#include "weft/verify.hpp"

namespace weft::test {

namespace {

template <class In, class Out>
void execute_as(Plan& plan, Direction direction, const std::byte* in, std::byte* out) {
  if (direction == Direction::forward) {
    plan.forward(reinterpret_cast<const In*>(in), reinterpret_cast<Out*>(out));
  } else {
    plan.backward(reinterpret_cast<const In*>(in), reinterpret_cast<Out*>(out));
  }
}

template <class Real>
void execute_real(Plan& plan, Direction direction, const std::byte* in, std::byte* out) {
  using Cplx = std::complex<Real>;
  const bool real_source = !source_of(plan, direction).type.complex;
  const bool real_sink = !sink_of(plan, direction).type.complex;
  if (real_source && real_sink) {
    execute_as<Real, Real>(plan, direction, in, out);
  } else if (real_source) {
    execute_as<Real, Cplx>(plan, direction, in, out);
  } else if (real_sink) {
    execute_as<Cplx, Real>(plan, direction, in, out);
  } else {
    execute_as<Cplx, Cplx>(plan, direction, in, out);
  }
}

}  // namespace

const LocalArray& source_of(const Plan& plan, Direction direction) {
  return direction == Direction::forward ? plan.input() : plan.output();
}

const LocalArray& sink_of(const Plan& plan, Direction direction) {
  return direction == Direction::forward ? plan.output() : plan.input();
}

void execute(Plan& plan, Direction direction, const std::byte* in, std::byte* out) {
  if (plan.input().type.precision == Precision::f32) {
    execute_real<float>(plan, direction, in, out);
  } else {
    execute_real<double>(plan, direction, in, out);
  }
}

GlobalArray given_array(const Plan& plan, Direction direction, std::uint64_t seed) {
  const Extents shape =
      direction == Direction::forward
          ? plan.info().input_points
          : spectral_shape(plan.info().shape, plan.info().kinds, plan.info().modes);
  return random_array(shape, plan.info().batch, source_of(plan, direction).type.complex, seed);
}

GlobalArray exact_array(const Plan& plan, Direction direction, std::uint64_t seed) {
  return exact_transform(given_array(plan, direction, seed), plan.info().shape, plan.info().kinds,
                         direction, plan.info().norm, plan.info().orthogonal,
                         plan.info().input_points, plan.info().modes);
}

Bytes given_bytes(const Plan& plan, Direction direction, std::uint64_t seed) {
  Bytes bytes = poisoned(source_of(plan, direction));
  store(given_array(plan, direction, seed), source_of(plan, direction), bytes.data());
  return bytes;
}

double error_of(const Plan& plan, Direction direction, const std::byte* out, std::uint64_t seed) {
  GlobalArray exact = exact_array(plan, direction, seed);
  const Difference difference = compare(exact, sink_of(plan, direction), out);
  double sums[2] = {difference.squared, difference.norm};
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, plan.communicator());
  return std::sqrt(sums[0] / (sums[1] > 0 ? sums[1] : 1));
}

double run_error(Plan& plan, Direction direction, std::uint64_t seed) {
  const Bytes in = given_bytes(plan, direction, seed);
  Bytes out = poisoned(sink_of(plan, direction));
  execute(plan, direction, in.data(), out.data());
  return error_of(plan, direction, out.data(), seed);
}

double error_bound(const Plan& plan) {
  return rounding_error_bound(plan.input().type.precision,
                              transformed_points(plan.info().shape, plan.info().kinds));
}

bool equal_everywhere(const Bytes& a, const Bytes& b, MPI_Comm comm) {
  int equal = a == b ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &equal, 1, MPI_INT, MPI_MIN, comm);
  return equal == 1;
}

std::vector<std::string> usable_devices() {
  std::vector<std::string> names;
  for (const DeviceMethod& method : device_methods()) {
    if (method.count() > 0) names.push_back(method.name);
  }
  return names;
}

std::vector<std::string> tested_devices() {
  if (const char* name = std::getenv("WEFT_TEST_DEVICE")) return {name};
  std::vector<std::string> names = usable_devices();
  names.push_back("host");
  return names;
}

int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int world_size() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

}  // namespace weft::test
