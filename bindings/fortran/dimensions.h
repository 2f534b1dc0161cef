#ifndef WEFT_FORTRAN_DIMENSIONS_H
#define WEFT_FORTRAN_DIMENSIONS_H

#include "weft/c/basics.h"

/// What the dimensions of an array stand for, from the first to the last: axes, and the number of
/// axes for fields of a batch. None: the layout has strides of its own, so that the first element
/// owned stands for an array, and an array may have any rank.
typedef struct weft_dimensions {
  int count;
  int axes[WEFT_MAX_AXES + 1];
} weft_dimensions;

#endif
