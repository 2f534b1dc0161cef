#ifndef WEFT_C_HALO_H
#define WEFT_C_HALO_H

/// @file
/// Halo exchange.

#include <mpi.h>

#include "weft/c/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A distributed array, and how much of its halo is exchanged. The same layout as in a plan gives
/// the same boxes in the same memory. To be initialised by weft_halo_problem_init.
typedef struct weft_halo_problem {
  size_t struct_size;            ///< set by the function that initialises
  int axes;                      ///< 1 to 6
  int64_t shape[WEFT_MAX_AXES];  ///< lengths of the global array
  /// Which box each rank owns and how it lies in memory: its halo leaves the room; null: slabs
  /// along axis 0 without one. With explicit strides the room around the box is the caller's
  /// promise, also before the data pointer, which is that of the first owned element. So a part of
  /// any array, such as that of a plan, has the layout weft_layout_of_array and the pointer to the
  /// element at its offset.
  const weft_layout* layout;
  /// Points exchanged before the box along each axis: at most the halo of the layout,
  /// which is the default (all -1). They may be more than neighbours own, or than a periodic axis
  /// has (up to 16 times its length). With explicit strides they must be given.
  int64_t lower[WEFT_MAX_AXES];
  int64_t upper[WEFT_MAX_AXES];  ///< as many allocated but not owned elements behind the box
  /// Whether the halo of the first points of an axis are the last ones, and the other way round.
  int periodic[WEFT_MAX_AXES];
  int precision;    ///< a weft_precision of the elements; default: WEFT_PRECISION_F64
  int is_complex;   ///< elements are complex; default: real
  int64_t batch;    ///< number of fields exchanged together; default: 1
  int interleaved;  ///< fields interleaved per point, otherwise one after another
} weft_halo_problem;

/// All of the halo of an array of doubles of this shape, along no axis periodic.
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

/// The halo exchange of a distributed array, set up once and used many times: the halo of a rank
/// are the points around its box, edges and corners included, which other ranks own, or the rank
/// itself across a periodic border. Each rank sends one message to each rank that needs its points.
///
/// Making and destroying it and all its operations are collective over the communicator given,
/// which is duplicated. All arguments except explicit strides and own boxes must be equal on all
/// ranks. Ranks that own nothing take part with any pointer. An operation allocates nothing; the
/// buffers of the messages belong to the handle. It must not be used in two threads at a time.
/// Errors of an operation are told when it is complete, and then the array was not written.
typedef struct weft_halo_object* weft_halo;

/// Collective. After an error `*halo` is null.
weft_status weft_halo_create(MPI_Comm comm, const weft_halo_problem* problem, weft_halo* halo);
/// Collective. Makes the handle null; a null handle is left as it is.
weft_status weft_halo_destroy(weft_halo* halo);

/// Fills the halo with the points of their owners. All else is left as it is, also the halo beyond
/// a border that is not periodic. `data` points to the first allocated element of this rank's
/// array; with explicit strides, to the first owned one.
weft_status weft_halo_exchange(weft_halo halo, void* data);
/// The reverse, for what particles leave on points of other ranks: adds what lies in the halos to
/// the points of their owners, in the same order each time. Halos stay as they are. The halo beyond
/// a border that is not periodic is not read.
weft_status weft_halo_accumulate(weft_halo halo, void* data);

/// Starts an exchange and returns, for a caller with other work to do, such as on points that need
/// no halo. start waits for no other rank. Until wait has returned, or test has said `done`, the
/// array may be read but not be written; start_accumulate changes none of its points before that.
/// test never waits; once it has said `done` it does so until the next start, and wait returns at
/// once. Where nothing was started, test and wait are errors.
weft_status weft_halo_start_exchange(weft_halo halo, void* data);
/// Starts an accumulation and returns.
weft_status weft_halo_start_accumulate(weft_halo halo, void* data);
/// Whether the operation that was started is complete.
weft_status weft_halo_test(weft_halo halo, int* done);
/// Completes the operation that was started.
weft_status weft_halo_wait(weft_halo halo);

/// What this rank owns and how it has to lie in memory.
weft_status weft_halo_array(weft_halo halo, weft_local_array* array);
/// Widths as given or by default: writes as many numbers as there are axes to each.
weft_status weft_halo_widths(weft_halo halo, int64_t* lower, int64_t* upper);
/// Ranks that this rank sends points to in an exchange, itself not counted.
weft_status weft_halo_peers(weft_halo halo, int* peers);
/// Bytes that this rank sends to others in an exchange.
weft_status weft_halo_bytes_sent(weft_halo halo, int64_t* bytes);

#ifdef __cplusplus
}
#endif

#endif
