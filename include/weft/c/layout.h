#ifndef WEFT_C_LAYOUT_H
#define WEFT_C_LAYOUT_H

/// @file
/// Which part of an array each rank owns, and how it lies in memory.

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "weft/c/basics.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Half-open index range [lower, upper) per axis of the global array. May be empty. Entries beyond
/// the number of axes are ignored.
typedef struct weft_box {
  int64_t lower[WEFT_MAX_AXES];  ///< first coordinate along each axis
  int64_t upper[WEFT_MAX_AXES];  ///< one past the last
} weft_box;

/// Which points each rank owns.
typedef enum weft_form {
  WEFT_FORM_AS_INPUT,  ///< for outputs: like the input
  WEFT_FORM_SLAB,      ///< `axis` is split over all ranks
  /// `axis` is whole; the first two other axes are split over a near-square grid of ranks (the
  /// smaller factor first). A 2-D array has one other axis to split, and a 1-D array none: it is
  /// then on rank 0.
  WEFT_FORM_PENCIL,
  WEFT_FORM_BRICK,   ///< the first three axes are split over a near-cubic grid of ranks
  WEFT_FORM_GRID,    ///< parts[a] parts along axis a; ranks numbered with the last axis varying
                     ///< fastest
  WEFT_FORM_BOXES,   ///< boxes[r] is the box of rank r; together they must tile the array
  WEFT_FORM_OWN_BOX  ///< `own` is the box of the calling rank; together they must tile the array
} weft_form;

/// How one axis is divided into parts.
typedef enum weft_split {
  WEFT_SPLIT_BALANCED,  ///< part sizes differ by at most one, larger parts first
  WEFT_SPLIT_BLOCK      ///< FFTW's rule: every part ceil(n/p) long, the last ones shorter or empty
} weft_split;

/// Which part of the global array each rank owns, and how that part lies in the rank's memory: by
/// default in C order (the last axis contiguous) without gaps. A rank's array is passed as a
/// pointer to its first allocated element, halo included. Members that are zero (all entries of an
/// array) mean the default. Entries beyond the number of axes are ignored.
typedef struct weft_layout {
  size_t struct_size;  ///< set by the initializer
  int form;            ///< a weft_form
  int axis;            ///< slab: the axis that is split; pencil: the axis that stays whole
  int64_t parts[WEFT_MAX_AXES];  ///< grid: parts of each axis; their product is the number of ranks
  const weft_box* boxes;         ///< one for each rank, read when a plan is made
  int64_t box_count;             ///< number of boxes
  weft_box own;                  ///< the box of the calling rank
  int split;                     ///< a weft_split
  int order[WEFT_MAX_AXES];      ///< axes from slowest to fastest in memory: {2, 1, 0} is Fortran's
  /// Room for a halo before the box. Plans neither read nor write it.
  int64_t halo_lower[WEFT_MAX_AXES];
  int64_t halo_upper[WEFT_MAX_AXES];  ///< room for a halo behind the box
  /// Distance in elements between neighbors along each axis, followed by the distance between
  /// fields when there is a batch. The data pointer is then that of the first owned element.
  /// Strides may differ between ranks, but either all ranks give them or none; ranks that own
  /// nothing may give any positive numbers. Strides exclude halo and order.
  int64_t strides[WEFT_MAX_AXES + 1];
  /// Pads the halved axis of the real array, which must be the contiguous one and whole, to
  /// 2*(n/2+1) elements, so that the half spectrum fits in the same memory (in-place r2c).
  int r2c_padding;
} weft_layout;

/// Makes a layout of this form; `axis` is 0 if the form has none.
static inline weft_layout weft_layout_of(weft_form form, int axis) {
  weft_layout layout;
  memset(&layout, 0, sizeof layout);
  layout.struct_size = sizeof layout;
  layout.form = form;
  layout.axis = axis;
  return layout;
}
/// `axis` is split over all ranks.
static inline weft_layout weft_slab_split(int axis) {
  return weft_layout_of(WEFT_FORM_SLAB, axis);
}
/// `axis` is whole; see WEFT_FORM_PENCIL.
static inline weft_layout weft_pencil_along(int axis) {
  return weft_layout_of(WEFT_FORM_PENCIL, axis);
}
/// The first three axes are split over a near-cubic grid of ranks.
static inline weft_layout weft_brick(void) {
  return weft_layout_of(WEFT_FORM_BRICK, 0);
}

/// Reads a layout: "slab:0", "pencil:2", "brick", "grid:2x1x4", optionally followed by ",order=210"
/// and
/// ",split=block". Changes form, axis, parts, split and order of a layout that has been
/// initialized.
weft_status weft_parse_layout(const char* text, weft_layout* layout);

/// Where the part of an array that this rank owns lies in its memory: the element at global index i
/// is at offset + sum over axes of (i[a] - box.lower[a]) * strides[a]; with a batch, strides has
/// one entry more, the distance between fields. Unused entries are zero.
typedef struct weft_local_array {
  int axes;                            ///< 1 to 6
  weft_box box;                        ///< points that this rank owns
  int64_t strides[WEFT_MAX_AXES + 1];  ///< distances in elements
  int64_t offset;                      ///< elements from the first allocated to the first owned one
  int64_t allocation_size;  ///< elements to allocate, halo included; 0 where the box is empty
  int precision;            ///< WEFT_PRECISION_F32: float, WEFT_PRECISION_F64: double
  int is_complex;           ///< elements are pairs of these, as float complex and double complex
} weft_local_array;

/// Where the element at a global index lies in the array: `index` has a number for each axis, and
/// with a batch one more, the field. Not checked.
static inline int64_t weft_position_of(const weft_local_array* array, int numbers,
                                       const int64_t* index) {
  int64_t position = array->offset;
  int axis;
  for (axis = 0; axis < numbers; ++axis) {
    position +=
        (index[axis] - (axis < array->axes ? array->box.lower[axis] : 0)) * array->strides[axis];
  }
  return position;
}
/// The same for an array of up to 3 axes, including that of a batch; missing indices are 0:
///
///     u[weft_position(&mine, i, j, k)] = f(i, j, k);
static inline int64_t weft_position(const weft_local_array* array, int64_t i, int64_t j,
                                    int64_t k) {
  const int64_t index[3] = {i, j, k};
  return weft_position_of(array, 3, index);
}

/// The layout of an existing array, such as a plan's: its own box and its strides. Use it with a
/// pointer to the element at the array's offset.
static inline weft_layout weft_layout_of_array(const weft_local_array* array) {
  weft_layout layout = weft_layout_of(WEFT_FORM_OWN_BOX, 0);
  int axis;
  layout.own = array->box;
  for (axis = 0; axis <= WEFT_MAX_AXES; ++axis) {
    // Those of ranks that own nothing are zero.
    layout.strides[axis] = array->strides[axis] > 0 ? array->strides[axis] : 1;
  }
  return layout;
}

#ifdef __cplusplus
}
#endif

#endif
