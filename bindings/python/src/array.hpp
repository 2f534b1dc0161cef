#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>
#include <utility>
#include <vector>

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

/// What an array of the caller has to be.
struct Side {
  LocalArray array;
  Batch batch = {};
  DeviceOfPlan device = {};
  const char* user = "the plan";  ///< who takes it, in words
};
/// A side as (lower, upper, shape, strides, offset, size, name of the dtype, axis of the batch).
AnyTuple members_of(const Side& side);

/// Entries for the axes.
template <class T>
TupleOfInts tuple_of_axes(const Axes<T>& axes) {
  nb::list entries;
  for (const T& entry : axes) entries.append(entry);
  return TupleOfInts(nb::tuple(entries));
}

/// Lengths of this rank's array as Python sees it, with an axis for the batch if there is one.
nb::tuple shape_of(const LocalArray& planned, const Batch& batch);
/// Distances in elements, in the same order.
nb::tuple strides_of(const LocalArray& planned, const Batch& batch);
/// "complex128"
const char* dtype_name(ElementType type);
nb::dlpack::dtype dtype_of(ElementType type);
std::string name_of_type(nb::handle object);

/// An array of the caller, through DLPack or the buffer protocol. It may be of any kind: what does
/// not fit is a refusal, which the plan turns into an error of all ranks.
class ForeignArray {
 public:
  /// `name` is "input" or "output".
  ForeignArray(nb::handle object, const Side& side, const std::string& name, bool is_written);
  /// In the place of one that is not there at all.
  ForeignArray(const Side& side, std::string refusal)
      : type_(side.array.type), refusal_(std::move(refusal)) {}

  /// Refers to this object.
  detail::AnyArray any() const {
    return {data_, elements_, type_, refusal_.empty() ? nullptr : refusal_.c_str()};
  }
  /// Refuses an array that may be good, for a reason that has to come on all ranks.
  void refuse(std::string why) { refusal_ = std::move(why); }

 private:
  template <class View>
  void read(nb::handle object, const Side& side, const std::string& name, bool is_written);

  const void* data_ = nullptr;
  std::size_t elements_ = 0;
  ElementType type_;
  std::string refusal_;
};

/// Arrays of the caller, from a list of as many; of others the missing ones are refused.
std::vector<ForeignArray> foreign_arrays(nb::handle list, std::size_t count, const Side& side,
                                         const std::string& name, bool is_written);
std::vector<detail::AnyArray> any_of(const std::vector<ForeignArray>& arrays);

}  // namespace weft::python
