#ifndef WEFT_C_HALO_H
#define WEFT_C_HALO_H

/// @file
/// Halo exchange.

#include <mpi.h>

#include "weft/c/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A distributed array, and how much of its halo is exchanged. With the layout of a plan, boxes and
/// memory are the same as in that plan. Initialize it with weft_halo_problem_init.
typedef struct weft_halo_problem {
  size_t struct_size;            ///< set by the initializer
  int axes;                      ///< 1 to 6
  int64_t shape[WEFT_MAX_AXES];  ///< lengths of the global array
  /// Which box each rank owns and how it lies in memory; its halo leaves the room. Null: slabs
  /// along axis 0 without a halo. With explicit strides the caller guarantees that there is room
  /// around the box, also before the data pointer, which points to the first owned element. So an
  /// existing array, such as a plan's, has the layout weft_layout_of_array and a pointer to the
  /// element at its offset.
  const weft_layout* layout;
  /// Width of the halo before the box along each axis: at most the halo of the layout, which is the
  /// default (all -1). It may exceed the box of the neighbor, and even the length of a periodic
  /// axis (up to 16 times). It must be given with explicit strides.
  int64_t lower[WEFT_MAX_AXES];
  int64_t upper[WEFT_MAX_AXES];  ///< width of the halo behind the box
  /// Whether the halo wraps around, per axis.
  int periodic[WEFT_MAX_AXES];
  int precision;    ///< a weft_precision of the elements; default: WEFT_PRECISION_F64
  int is_complex;   ///< elements are complex; default: real
  int64_t batch;    ///< number of fields exchanged together; default: 1
  int interleaved;  ///< fields interleaved per point, otherwise one after another
} weft_halo_problem;

/// Initializes a problem: the whole halo of an array of doubles of this shape, not periodic.
static inline void weft_halo_problem_init(weft_halo_problem* problem, int axes,
                                          const int64_t* shape) {
  int axis;
  memset(problem, 0, sizeof *problem);
  problem->struct_size = sizeof *problem;
  problem->axes = axes;
  for (axis = 0; axis < WEFT_MAX_AXES; ++axis) {
    if (axis < axes) problem->shape[axis] = shape[axis];
    problem->lower[axis] = -1;
    problem->upper[axis] = -1;
  }
  problem->precision = WEFT_PRECISION_F64;
  problem->batch = 1;
}

/// The halo exchange of a distributed array, set up once and used many times. The halo of a rank
/// consists of the points around its box, including edges and corners, that other ranks own, or the
/// rank itself across a periodic border. Each rank sends one message to each rank that needs its
/// points.
///
/// Making and destroying it and all its operations are collective over the communicator given,
/// which is duplicated. All arguments except explicit strides and own boxes must be equal on all
/// ranks. Ranks that own nothing take part and pass any pointer. Operations allocate nothing; the
/// message buffers belong to the handle. Do not use one in two threads at a time. Operations return
/// errors when they are complete; the array was not written then.
typedef struct weft_halo_object* weft_halo;

/// Makes a halo exchange. Collective. After an error `*halo` is null.
weft_status weft_halo_create(MPI_Comm comm, const weft_halo_problem* problem, weft_halo* halo);
/// Destroys the object and makes the handle null; does nothing if it is null. Collective.
weft_status weft_halo_destroy(weft_halo* halo);

/// Fills the halo with the values of the owners. Nothing else changes, including the halo beyond
/// borders that are not periodic. `data` points to the first allocated element of this rank's
/// array; with explicit strides, to the first owned one.
weft_status weft_halo_exchange(weft_halo halo, void* data);
/// The reverse, for example to collect the charge of particles: adds the values in the halos to the
/// points of their owners, in the same order each time. Halos do not change. The halo beyond
/// borders that are not periodic is not read.
weft_status weft_halo_accumulate(weft_halo halo, void* data);

/// Starts an exchange and returns, so that the caller can do other work, for example on points that
/// need no halo. It does not wait for other ranks. Until wait has returned, or test has set `done`,
/// the array may be read but not written; start_accumulate does not change it before that. test
/// never waits; once it has set `done`, it does so until the next start, and wait returns at once.
/// If nothing was started, test and wait are errors.
weft_status weft_halo_start_exchange(weft_halo halo, void* data);
/// Starts an accumulation and returns.
weft_status weft_halo_start_accumulate(weft_halo halo, void* data);
/// Whether the operation that was started is complete.
weft_status weft_halo_test(weft_halo halo, int* done);
/// Completes the operation that was started.
weft_status weft_halo_wait(weft_halo halo);

/// This rank's array: its box, and its place in memory.
weft_status weft_halo_array(weft_halo halo, weft_local_array* array);
/// The widths of the halo, as given or by default: writes one number per axis to each array.
weft_status weft_halo_widths(weft_halo halo, int64_t* lower, int64_t* upper);
/// Number of other ranks that this rank sends points to in an exchange.
weft_status weft_halo_peers(weft_halo halo, int* peers);
/// Number of bytes that this rank sends to others in an exchange.
weft_status weft_halo_bytes_sent(weft_halo halo, int64_t* bytes);

#ifdef __cplusplus
}
#endif

#endif
