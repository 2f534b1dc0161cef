#include "weft/verify.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "c/convert.hpp"
#include "c/plan_of.hpp"

namespace {

using weft::Direction;
using weft::c::given;
using weft::c::guarded;

/// Of enumerators that count from 0.
int known(const std::string& name, int number, int last) {
  if (number >= 0 && number <= last) return number;
  throw weft::Error(name + " " + std::to_string(number) + " is unknown");
}

/// What is wrong with the arguments of sampled_error on this rank.
void check_arguments(const weft::LocalArray& physical, const weft::LocalArray& spectral,
                     int direction, const void* in, const void* out,
                     const weft_sampled_error* error) {
  const bool forward =
      known("direction", direction, WEFT_DIRECTION_BACKWARD) == WEFT_DIRECTION_FORWARD;
  const auto check = [](const weft::LocalArray& array, const void* data, const char* name) {
    if (!array.box.empty()) given(static_cast<const char*>(data), name);
  };
  check(forward ? physical : spectral, in, "the input array");
  check(forward ? spectral : physical, out, "the output array");
  given(error, "error");
}
static_assert(static_cast<int>(Direction::forward) == WEFT_DIRECTION_FORWARD &&
              static_cast<int>(Direction::backward) == WEFT_DIRECTION_BACKWARD);

weft_sampled_error in_c(const weft::SampledError& error) {
  return {error.relative_l2, error.largest, error.samples};
}

/// Lengths of 1 to those given.
weft::Extents lengths_of(const std::string& name, const std::int64_t* numbers,
                         const weft::Extents& most) {
  const weft::Extents lengths = weft::c::extents_of(numbers, most.size());
  for (int axis = 0; axis < most.size(); ++axis) {
    if (lengths[axis] < 1 || lengths[axis] > most[axis]) {
      throw weft::Error(name + " " + to_string(lengths) + ": must be between 1 and " +
                        to_string(most));
    }
  }
  return lengths;
}

weft::LocalArray local_array_of(const weft_local_array& array, const weft::Extents& shape,
                                weft::Index batch, const std::string& name) {
  const int axes = shape.size();
  if (array.axes != axes) {
    throw weft::Error(name + " array: " + std::to_string(array.axes) + " axes, the transform has " +
                      std::to_string(axes));
  }
  weft::LocalArray result{
      {weft::c::extents_of(array.box.lower, axes), weft::c::extents_of(array.box.upper, axes)},
      weft::c::extents_of(array.strides, axes + (batch > 1 ? 1 : 0)),
      array.offset,
      array.allocation_size,
      {weft::c::precision_of(array.precision), array.is_complex != 0}};
  if (!result.box.empty() && !contains(weft::whole(shape), result.box)) {
    throw weft::Error(name + " array: box " + to_string(result.box) + " is not in an array of " +
                      to_string(shape));
  }
  return result;
}

weft::TransformDescription description_of(const weft_transform* pointer) {
  const weft_transform& transform = weft::c::initialized(pointer, "weft_transform");
  const int axes = transform.axes;
  weft::c::check_axes(axes);
  if (transform.batch < 1 || transform.threads < 1) {
    throw weft::Error("batch " + std::to_string(transform.batch) + ", threads " +
                      std::to_string(transform.threads) + ": must be positive");
  }
  weft::TransformDescription result;
  result.shape = lengths_of("shape", transform.shape,
                            weft::Extents::filled(axes, std::numeric_limits<weft::Index>::max()));
  for (int axis = 0; axis < axes; ++axis) {
    result.kinds.push_back(
        static_cast<weft::Kind>(known("kind number", transform.kinds[axis], WEFT_KIND_DST4)));
  }
  result.norm = static_cast<weft::Norm>(known("norm", transform.norm, WEFT_NORM_NONE));
  result.batch = transform.batch;
  result.threads = transform.threads;
  result.orthogonal = transform.orthogonal != 0;
  if (!weft::c::extents_or_none(transform.input_points, axes).empty()) {
    result.input_points = lengths_of("input_points", transform.input_points, result.shape);
  }
  if (!weft::c::extents_or_none(transform.modes, axes).empty()) {
    result.modes = lengths_of("modes", transform.modes, result.shape);
  }
  result.physical =
      local_array_of(transform.physical, result.physical_shape(), result.batch, "physical");
  result.spectral =
      local_array_of(transform.spectral, result.spectral_shape(), result.batch, "spectral");
  if (result.physical.type.precision != result.spectral.type.precision) {
    throw weft::Error("the physical and the spectral array have different precisions");
  }
  return result;
}

}  // namespace

weft_status weft_plan_sampled_error(weft_plan plan, int direction, const void* in, const void* out,
                                    int samples, uint64_t seed, weft_sampled_error* error) {
  return guarded([&] {
    const weft::Plan& of = weft::c::plan_of(plan);
    weft::collectively(weft::Communicator::duplicate(of.communicator()), [&] {
      check_arguments(of.input(), of.output(), direction, in, out, error);
    });
    *error =
        in_c(weft::sampled_error(of, static_cast<Direction>(direction), in, out, samples, seed));
  });
}

weft_status weft_plan_transform(weft_plan plan, weft_transform* transform) {
  return guarded([&] {
    const weft::Plan& of = weft::c::plan_of(plan);
    weft::c::initialized(transform, "weft_transform");
    weft_transform told{};
    told.struct_size = transform->struct_size;
    told.axes = of.info().shape.size();
    std::copy(of.info().shape.begin(), of.info().shape.end(), told.shape);
    std::transform(of.info().kinds.begin(), of.info().kinds.end(), told.kinds,
                   [](weft::Kind kind) { return static_cast<int>(kind); });
    told.norm = static_cast<int>(of.info().norm);
    told.batch = of.info().batch;
    told.physical = weft::c::local_array_of(of.input());
    told.spectral = weft::c::local_array_of(of.output());
    told.threads = of.info().threads;
    told.orthogonal = of.info().orthogonal ? 1 : 0;
    std::copy(of.info().input_points.begin(), of.info().input_points.end(), told.input_points);
    std::copy(of.info().modes.begin(), of.info().modes.end(), told.modes);
    *transform = told;
  });
}

weft_status weft_transform_sampled_error(MPI_Comm comm, const weft_transform* transform,
                                         int direction, const void* in, const void* out,
                                         int samples, uint64_t seed, weft_sampled_error* error) {
  return guarded([&] {
    const weft::Communicator own = weft::Communicator::duplicate(comm);
    weft::TransformDescription description;
    weft::collectively(own, [&] {
      description = description_of(transform);
      check_arguments(description.physical, description.spectral, direction, in, out, error);
    });
    description.comm = own.get();
    *error = in_c(weft::sampled_error(description, static_cast<Direction>(direction), in, out,
                                      samples, seed));
  });
}

double weft_rounding_error_bound(int precision, int64_t points) {
  if (precision != WEFT_PRECISION_F32 && precision != WEFT_PRECISION_F64) return std::nan("");
  return weft::rounding_error_bound(static_cast<weft::Precision>(precision), points);
}
