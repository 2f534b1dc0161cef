#include "fortran/arrays.hpp"

#include <algorithm>
#include <cstdint>

namespace weft::fortran {

namespace {

struct Type {
  int precision;
  bool complex;
};

std::optional<Type> type_of(const CFI_cdesc_t& array) {
  switch (array.type) {
    case CFI_type_float:
      return Type{WEFT_PRECISION_F32, false};
    case CFI_type_double:
      return Type{WEFT_PRECISION_F64, false};
    case CFI_type_float_Complex:
      return Type{WEFT_PRECISION_F32, true};
    case CFI_type_double_Complex:
      return Type{WEFT_PRECISION_F64, true};
    default:
      return std::nullopt;
  }
}

std::string name_of(Type type) {
  return std::string(type.complex ? "complex" : "real") +
         (type.precision == WEFT_PRECISION_F32 ? "(real32)" : "(real64)");
}

/// The last extent of an array of assumed size is not known.
constexpr CFI_index_t unknown = -1;

using Shape = std::vector<CFI_index_t>;

Shape shape_of(const CFI_cdesc_t& array) {
  Shape shape;
  for (int dimension = 0; dimension < array.rank; ++dimension) {
    shape.push_back(array.dim[dimension].extent);
  }
  return shape;
}

std::string to_string(const Shape& shape) {
  std::string text = "(";
  for (const CFI_index_t extent : shape) {
    if (text.size() > 1) text += ',';
    text += extent == unknown ? "*" : std::to_string(extent);
  }
  return text + ")";
}

/// Elements of a shape, or `unknown`.
CFI_index_t count_of(const Shape& shape) {
  CFI_index_t count = 1;
  for (const CFI_index_t extent : shape) {
    if (extent == unknown) return unknown;
    count *= extent;
  }
  return count;
}

/// Whether the first dimensions lie without gaps.
bool is_contiguous(const CFI_cdesc_t& array, int dimensions) {
  auto distance = static_cast<CFI_index_t>(array.elem_len);
  for (int i = 0; i < dimensions; ++i) {
    const auto& [lower, extent, step] = array.dim[i];
    if (extent == 0) return true;
    if (extent != 1 && step != distance) return false;
    distance *= extent;
  }
  return true;
}

/// The shape that an array of all dimensions has, halo and padding included.
Shape whole_shape(const weft_local_array& needed, const weft_dimensions& dimensions) {
  Shape shape;
  for (int i = 0; i < dimensions.count; ++i) {
    const std::int64_t next =
        i + 1 < dimensions.count ? needed.strides[dimensions.axes[i + 1]] : needed.allocation_size;
    shape.push_back(next / needed.strides[dimensions.axes[i]]);
  }
  return shape;
}

std::optional<std::string> complaint_about(const CFI_cdesc_t& array, const weft_local_array& needed,
                                           const weft_dimensions& dimensions,
                                           const std::string& user, const Shape& shape) {
  const Type expected{needed.precision, needed.is_complex != 0};
  const std::optional<Type> type = type_of(array);
  if (!type) return "is neither real nor complex with kind real32 or real64";
  if (type->precision != expected.precision || type->complex != expected.complex) {
    return "is " + name_of(*type) + ", " + user + " works on " + name_of(expected);
  }
  if (array.base_addr == nullptr) return "is not allocated";
  const auto rank = static_cast<int>(shape.size());
  if (!is_contiguous(array, std::min<int>(rank, array.rank))) {
    return "is a section that is not contiguous: pass a whole array";
  }
  const Shape whole = whole_shape(needed, dimensions);
  if (rank > 1 && rank != dimensions.count && dimensions.count > 0) {
    return "has rank " + std::to_string(rank) + "; it may have " +
           std::to_string(dimensions.count) + ", or 1 with all elements";
  }
  const bool same = rank == 1 || std::equal(whole.begin(), whole.end(), shape.begin(),
                                            [](CFI_index_t extent, CFI_index_t given) {
                                              return given == unknown || given == extent;
                                            });
  if (!same) {
    return "has shape " + to_string(shape) + ", that of this rank is " + to_string(whole);
  }
  const CFI_index_t elements = count_of(shape);
  if (elements != unknown && elements < needed.allocation_size) {
    return "has " + std::to_string(elements) + " elements, " +
           std::to_string(needed.allocation_size) + " are needed";
  }
  return std::nullopt;
}

}  // namespace

Passed examine(const CFI_cdesc_t& array, const weft_local_array& needed,
               const weft_dimensions& dimensions, const std::string& name,
               const std::string& user) {
  if (needed.allocation_size == 0) return {array.base_addr, std::nullopt};
  std::optional<std::string> complaint;
  if (array.rank == 0 && dimensions.count > 0) {
    complaint = "is a single number";
  } else {
    const Shape shape = array.rank == 0 ? Shape{unknown} : shape_of(array);
    complaint = complaint_about(array, needed, dimensions, user, shape);
  }
  if (complaint) return {nullptr, name + " array " + *complaint};
  return {array.base_addr, std::nullopt};
}

PassedFields examine_fields(const CFI_cdesc_t& array, const weft_local_array& needed,
                            const weft_dimensions& dimensions, const std::string& name,
                            const std::string& user) {
  PassedFields passed;
  if (array.rank == 0) {
    passed.complaint = name + " array has no dimension for fields";
    return passed;
  }
  const auto& fields = array.dim[array.rank - 1];
  if (fields.extent == unknown) {
    passed.complaint = name + " array is of assumed size: the number of fields is unknown";
    return passed;
  }
  auto* const first = static_cast<std::byte*>(array.base_addr);
  const bool pointers = array.type == CFI_type_cptr && array.rank == 1;
  if (!pointers && needed.allocation_size > 0 && fields.extent > 0) {
    Shape shape = shape_of(array);
    shape.pop_back();
    if (shape.empty()) {
      passed.complaint = name + " array has no dimension for fields";
    } else if (auto complaint = complaint_about(array, needed, dimensions, user, shape)) {
      passed.complaint = "each field of the " + name + " array " + *complaint;
    }
  }
  for (CFI_index_t i = 0; i < fields.extent; ++i) {
    std::byte* const field = first == nullptr ? nullptr : first + i * fields.sm;
    if (passed.complaint) {
      passed.data.push_back(nullptr);
    } else {
      passed.data.push_back(pointers ? *reinterpret_cast<void**>(field) : field);
    }
  }
  return passed;
}

PassedMemory examine_memory(const CFI_cdesc_t& array, const std::string& name) {
  const Shape shape = shape_of(array);
  const CFI_index_t elements = count_of(shape);
  std::optional<std::string> complaint;
  if (!type_of(array)) {
    complaint = "is neither real nor complex with kind real32 or real64";
  } else if (!is_contiguous(array, array.rank)) {
    complaint = "is a section that is not contiguous: pass a whole array";
  } else if (elements == unknown) {
    complaint = "is of assumed size: the number of its elements is unknown";
  }
  if (complaint) return {nullptr, 0, name + " array " + *complaint};
  return {array.base_addr, static_cast<std::size_t>(elements) * array.elem_len, std::nullopt};
}

}  // namespace weft::fortran
