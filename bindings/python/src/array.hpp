#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>

#include "weft/plan.hpp"

namespace weft::python {

namespace nb = nanobind;

/// Types as the stubs tell them.
using TupleOfInts = nb::typed<nb::tuple, int, nb::ellipsis>;
using AnyTuple = nb::typed<nb::tuple, nb::any, nb::ellipsis>;
using Members = nb::typed<nb::dict, nb::str, nb::any>;

/// Whether and how the arrays of a side of a plan have an axis for the fields of a batch.
struct Batch {
  Index fields = 1;
  bool interleaved = false;  ///< the axis comes last, otherwise first
};

/// Where the arrays of a plan lie.
struct DeviceOfPlan {
  std::string name = "host";
  int number = -1;  ///< among the devices of this process
};

/// Lengths of this rank's array as Python sees it, with an axis for the batch if there is one.
nb::tuple shape_of(const LocalArray& planned, const Batch& batch);
/// Distances in elements, in the same order.
nb::tuple strides_of(const LocalArray& planned, const Batch& batch);
/// "complex128"
const char* dtype_name(ElementType type);

/// An array of the caller, through DLPack or the buffer protocol. It may be of any kind: what does
/// not fit is a refusal, which the plan turns into an error of all ranks.
class ForeignArray {
 public:
  /// `name` is "input" or "output"; `device` is that of the plan.
  ForeignArray(nb::handle object, const LocalArray& planned, const Batch& batch, const char* name,
               bool is_written, const DeviceOfPlan& device);

  /// Refers to this object.
  AnyArray any() const {
    return {data_, elements_, type_, refusal_.empty() ? nullptr : refusal_.c_str()};
  }

 private:
  template <class View>
  void read(nb::handle object, const LocalArray& planned, const Batch& batch, const char* name,
            bool is_written, const DeviceOfPlan& device);

  const void* data_ = nullptr;
  std::size_t elements_ = 0;
  ElementType type_;
  std::string refusal_;
};

}  // namespace weft::python
