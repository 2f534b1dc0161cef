#include "array.hpp"

#include <nanobind/stl/string.h>

#include <cstdint>
#include <exception>
#include <vector>

namespace weft::python {

namespace {

/// Entries for the axes, and the one of the batch where it belongs.
nb::tuple with_batch(const std::vector<Index>& axes, Index of_batch, const Batch& batch) {
  nb::list entries;
  if (batch.fields > 1 && !batch.interleaved) entries.append(of_batch);
  for (Index entry : axes) entries.append(entry);
  if (batch.fields > 1 && batch.interleaved) entries.append(of_batch);
  return nb::tuple(entries);
}

/// The axis of the batch, as Python counts: first or last; None where there is none.
nb::object axis_of(const Batch& batch) {
  if (batch.fields <= 1) return nb::none();
  return nb::int_(batch.interleaved ? -1 : 0);
}

/// What an array says of itself, in the same words as what is expected of it.
template <class View>
nb::tuple tuple_of(const View& view, Index (*entry)(const View&, std::size_t)) {
  nb::list entries;
  for (std::size_t axis = 0; axis < view.ndim(); ++axis) entries.append(entry(view, axis));
  return nb::tuple(entries);
}

std::string text_of(nb::handle object) {
  return nb::cast<std::string>(nb::str(object));
}

std::string dtype_text(const nb::dlpack::dtype& dtype) {
  using Code = nb::dlpack::dtype_code;
  constexpr std::pair<Code, const char*> names[] = {{Code::Int, "int"},
                                                    {Code::UInt, "uint"},
                                                    {Code::Float, "float"},
                                                    {Code::Bfloat, "bfloat"},
                                                    {Code::Complex, "complex"}};
  for (const auto& [code, name] : names) {
    if (static_cast<Code>(dtype.code) == code) return name + std::to_string(dtype.bits);
  }
  return static_cast<Code>(dtype.code) == Code::Bool ? "bool" : "another type";
}

/// Devices whose memory a plan on `device` works on or copies from.
bool is_reached(int device_type, const std::string& device) {
  switch (device_type) {
    case nb::device::cpu::value:
    case nb::device::cuda_host::value:
    case nb::device::rocm_host::value:
      return true;
    case nb::device::cuda::value:
    case nb::device::cuda_managed::value:
      return device == "cuda";
    case nb::device::rocm::value:
      return device == "hip";
    default:
      return false;
  }
}

/// Memory that belongs to one of several devices, rather than to the host or to all of them.
bool is_of_one_device(int device_type) {
  return device_type == nb::device::cuda::value || device_type == nb::device::rocm::value;
}

/// What numpy.ndarray.dtype is like, but not the dtype of PyTorch and others.
bool is_numpy_dtype(nb::handle dtype) {
  return nb::hasattr(dtype, "isnative");
}

/// What becomes of an object that offers DLPack, but not for what it holds.
std::string unusable_numbers(nb::handle object, const Side& side) {
  const nb::object dtype = nb::getattr(object, "dtype", nb::none());
  if (is_numpy_dtype(dtype)) {
    const std::string name = text_of(dtype);
    if (!nb::cast<bool>(dtype.attr("isnative"))) {
      return "is of dtype " + name +
             ", not in this machine's byte order: convert it with "
             "a.astype(a.dtype.newbyteorder('='))";
    }
    if (name != dtype_name(side.array.type)) {
      return "is of dtype " + name + ", " + side.user + " works on " + dtype_name(side.array.type);
    }
  }
  try {
    object.attr("__dlpack__")();
  } catch (const nb::python_error& error) {
    return "cannot be used: " + text_of(error.value());
  }
  return "cannot be used: '" + name_of_type(object) + "'";
}

/// Why neither the buffer protocol nor DLPack gave numbers.
std::string why_no_array(nb::handle object, const Side& side) {
  const std::string type = name_of_type(object), generic = "is not a usable array: '" + type + "'";
  try {
    if (nb::hasattr(object, "__dlpack__")) return unusable_numbers(object, side);
  } catch (const std::exception&) {
    // The object cannot tell.
  }
  if (type == "list" || type == "tuple") return generic + "; numpy.asarray makes one of it";
  if (type == "DistArray") return generic + "; what this rank has of it is its local";
  return generic;
}

}  // namespace

std::string name_of_type(nb::handle object) {
  return nb::cast<std::string>(nb::str(object.type().attr("__name__")));
}

nb::dlpack::dtype dtype_of(ElementType type) {
  const bool single = type.precision == Precision::f32;
  if (type.complex) {
    return single ? nb::dtype<std::complex<float>>() : nb::dtype<std::complex<double>>();
  }
  return single ? nb::dtype<float>() : nb::dtype<double>();
}

nb::tuple shape_of(const LocalArray& planned, const Batch& batch) {
  const Extents extents = planned.box.extents();
  return with_batch({extents.begin(), extents.end()}, batch.fields, batch);
}

nb::tuple strides_of(const LocalArray& planned, const Batch& batch) {
  const Index* const first = planned.strides.begin();
  return with_batch({first, first + planned.box.axes()}, planned.strides.back(), batch);
}

const char* dtype_name(ElementType type) {
  const bool single = type.precision == Precision::f32;
  if (type.complex) return single ? "complex64" : "complex128";
  return single ? "float32" : "float64";
}

AnyTuple members_of(const Side& side) {
  const LocalArray& array = side.array;
  return AnyTuple(nb::make_tuple(tuple_of_axes(array.box.lower), tuple_of_axes(array.box.upper),
                                 shape_of(array, side.batch), strides_of(array, side.batch),
                                 array.offset, array.allocation_size, dtype_name(array.type),
                                 axis_of(side.batch)));
}

ForeignArray::ForeignArray(nb::handle object, const Side& side, const std::string& name,
                           bool is_written)
    : type_(side.array.type) {
  if (is_written) {
    read<nb::ndarray<>>(object, side, name, is_written);
  } else {
    read<nb::ndarray<nb::ro>>(object, side, name, is_written);
  }
}

template <class View>
void ForeignArray::read(nb::handle object, const Side& side, const std::string& name,
                        bool is_written) {
  const LocalArray& planned = side.array;
  const std::string user = side.user;
  const auto refuse = [&](const std::string& why) { refusal_ = name + " array " + why; };
  View view;
  if (!nb::try_cast(object, view, false)) {
    nb::ndarray<nb::ro> readable;
    const bool is_array = is_written && nb::try_cast(object, readable, false);
    return refuse(is_array ? "is read-only" : why_no_array(object, side));
  }
  if (view.dtype() != dtype_of(planned.type)) {
    return refuse("is of " + dtype_text(view.dtype()) + ", " + user + " works on " +
                  dtype_name(planned.type));
  }
  if (!is_reached(view.device_type(), side.device.name)) {
    return refuse("is not memory of " + user + "'s device '" + side.device.name + "'");
  }
  if (is_of_one_device(view.device_type()) && view.size() > 0 &&
      view.device_id() != side.device.number) {
    return refuse("is memory of device " + std::to_string(view.device_id()) + ", " + user +
                  " works on device " + std::to_string(side.device.number));
  }
  const nb::tuple shape = tuple_of<View>(
      view, [](const View& of, std::size_t axis) { return static_cast<Index>(of.shape(axis)); });
  const nb::tuple planned_shape = shape_of(planned, side.batch);
  if (!shape.equal(planned_shape)) {
    return refuse("has shape " + text_of(shape) + ", but that of this rank is " +
                  text_of(planned_shape));
  }
  if (planned.allocation_size == 0) return;
  const nb::tuple planned_strides = strides_of(planned, side.batch);
  for (std::size_t axis = 0; axis < view.ndim(); ++axis) {
    if (view.shape(axis) > 1 && view.stride(axis) != nb::cast<Index>(planned_strides[axis])) {
      const nb::tuple strides = tuple_of<View>(
          view, [](const View& of, std::size_t i) { return static_cast<Index>(of.stride(i)); });
      return refuse("has strides " + text_of(strides) + " in elements, but the layout is " +
                    text_of(planned_strides));
    }
  }
  const std::size_t bytes = view.itemsize();
  const std::size_t alignment = planned.type.complex ? bytes / 2 : bytes;
  if (reinterpret_cast<std::uintptr_t>(view.data()) % alignment != 0) {
    return refuse("is not aligned to " + std::to_string(alignment) + " bytes");
  }
  data_ = static_cast<const std::byte*>(static_cast<const void*>(view.data())) -
          planned.offset * static_cast<Index>(bytes);
  elements_ = static_cast<std::size_t>(planned.allocation_size);
}

std::vector<ForeignArray> foreign_arrays(nb::handle list, std::size_t count, const Side& side,
                                         const std::string& name, bool is_written) {
  std::vector<ForeignArray> arrays;
  for (nb::handle object : list) {
    arrays.emplace_back(object, side, name + " " + std::to_string(arrays.size()), is_written);
  }
  const std::size_t given = arrays.size();
  if (given == count) return arrays;
  arrays.assign(count, ForeignArray(side, std::to_string(given) + " " + name + " arrays, " +
                                              std::to_string(count) + " are needed"));
  return arrays;
}

std::vector<detail::AnyArray> any_of(const std::vector<ForeignArray>& arrays) {
  std::vector<detail::AnyArray> all;
  for (const ForeignArray& array : arrays) all.push_back(array.any());
  return all;
}

}  // namespace weft::python
