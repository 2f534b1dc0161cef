#ifndef WEFT_C_PLAN_H
#define WEFT_C_PLAN_H

/// @file
/// Plans: problem, options, transforms, and information about plans.

#include <mpi.h>

#include "weft/c/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The transform to compute; the same on every rank. Initialize it with weft_problem_init.
typedef struct weft_problem {
  size_t struct_size;  ///< set by the initializer
  int axes;            ///< 1 to 6
  /// Lengths of the transforms. This is the shape of the global array in physical space, unless
  /// `input_points` is smaller.
  int64_t shape[WEFT_MAX_AXES];
  int kinds[WEFT_MAX_AXES];   ///< a weft_kind for each axis
  const weft_layout* input;   ///< layout in physical space; null: split along axis 0
  const weft_layout* output;  ///< layout in spectral space; null: like `input`
  int precision;              ///< a weft_precision; default: WEFT_PRECISION_F64
  int numbers;                ///< a weft_numbers: real or complex, in physical space
  int64_t batch;              ///< number of fields transformed together; default: 1
  int interleaved;            ///< fields interleaved per point, otherwise one after another
  int norm;                   ///< a weft_norm; default: WEFT_NORM_BACKWARD
  /// SciPy's argument of that name for cosine and sine transforms: their matrices become orthogonal
  /// with WEFT_NORM_ORTHO, because the elements at the ends get other weights. 0: no, 1: yes, -1,
  /// the default: with WEFT_NORM_ORTHO only.
  int orthogonalize;
  /// Zero padding: number of points along each axis that exist in physical space, the first ones.
  /// The others are zeros, which are not stored, not communicated and, where possible, not
  /// computed; backward discards them. All zero: all points. {n, n, n} of a shape {2n, 2n, 2n} is
  /// the doubled domain of linear convolutions.
  int64_t input_points[WEFT_MAX_AXES];
  /// Truncation: number of modes along each axis that exist in spectral space, the low ones. The
  /// others are dropped before they are communicated or transformed further; backward fills them
  /// with zeros. All zero: all modes. m modes are, with c2c, the frequencies 0 ... (m-1)/2, then
  /// -(m/2) ... -1; with r2c 0 ... m/2; with cosine and sine transforms the first m.
  int64_t modes[WEFT_MAX_AXES];
} weft_problem;

/// Initializes a problem: complex transforms of an array of this shape along all axes, in slabs
/// along axis 0.
static inline void weft_problem_init(weft_problem* problem, int axes, const int64_t* shape) {
  int axis;
  memset(problem, 0, sizeof *problem);
  problem->struct_size = sizeof *problem;
  problem->axes = axes;
  for (axis = 0; axis < WEFT_MAX_AXES; ++axis) {
    if (axis < axes) problem->shape[axis] = shape[axis];
    problem->kinds[axis] = WEFT_KIND_C2C;
  }
  problem->precision = WEFT_PRECISION_F64;
  problem->batch = 1;
  problem->orthogonalize = -1;
}

/// A planned distributed transform, made once and used many times.
///
/// Making a plan, running it (start, test and wait too) and destroying it are collective over the
/// communicator given, which is duplicated. All arguments except explicit strides and own boxes
/// must be equal on all ranks. A plan must not run in two threads at a time; different plans may,
/// with MPI_THREAD_MULTIPLE. (Plans whose exchange has windows should be made one after another.)
///
/// forward takes the array in physical space, in the layout `input`, to spectral space in the
/// layout `output`; backward the other way. Input is preserved unless the option `overwrite_input`
/// is set or input and output are the same memory. The output, where it has no halo or gaps, serves
/// as workspace before the result is written. Neither allocates memory, creates communicators or
/// makes plans. (Exception: with a plan on a device, memory for copies of host arrays, when the
/// first one is passed.)
typedef struct weft_plan_object* weft_plan;

/// Makes a plan. Collective. After an error `*plan` is null.
///
/// `options` are of the form "name=value, name=value":
///
///     weft_plan_create(comm, &problem, "exchange=p2p, chunks=4, tolerance=1e-6", &plan);
///
/// Options that are not named keep their defaults; most defaults are auto, and the library chooses.
/// Null or "" sets all defaults. Unknown names and values out of range are errors. `weft list
/// options` shows all options with their values, and weft::Options describes them. Except `codec`
/// and `tolerance`, no option changes the result beyond rounding. With a device, arrays are in
/// memory of that device, and weft_functions are an error.
///
/// Ranks may differ in `device_number`, `stream`, `threads` and `stream_bytes`. A stream, of type
/// cudaStream_t or hipStream_t, is written as an address. Transforms are stream-ordered: they start
/// after earlier work in it, and are complete before later work starts:
///
///     snprintf(text, sizeof text, "device=cuda, stream=%p", (void*)stream);
///
/// Options that are left at their defaults are taken from the environment of rank 0, if it has
/// variables for them, such as WEFT_CHUNKS=4.
weft_status weft_plan_create(MPI_Comm comm, const weft_problem* problem, const char* options,
                             weft_plan* plan);
/// Makes a plan for the usual case: transforms of one kind along all axes of an array of n0 x n1 x
/// n2 points, in slabs along axis 0. WEFT_KIND_R2C means r2c along the last axis and c2c along the
/// others. `precision` is a weft_precision; `options` may be null. Collective, like
/// weft_plan_create.
static inline weft_status weft_plan_create_3d(MPI_Comm comm, int64_t n0, int64_t n1, int64_t n2,
                                              int kind, int precision, const char* options,
                                              weft_plan* plan) {
  const int64_t shape[3] = {n0, n1, n2};
  weft_problem problem;
  weft_problem_init(&problem, 3, shape);
  problem.kinds[0] = kind == WEFT_KIND_R2C ? WEFT_KIND_C2C : kind;
  problem.kinds[1] = problem.kinds[0];
  problem.kinds[2] = kind;
  problem.precision = precision;
  return weft_plan_create(comm, &problem, options, plan);
}
/// Destroys a plan and makes the handle null; does nothing if it is null. Collective. Ranks must
/// destroy plans in the same order. A rank waits 60 seconds for the others, or as many as the
/// environment variable WEFT_DESTROY_TIMEOUT says. Then it returns WEFT_ERROR_ARGUMENT, and memory
/// and communicators stay allocated until the program ends. After MPI_Finalize only memory is
/// freed.
weft_status weft_plan_destroy(weft_plan* plan);

/// Transforms from physical to spectral space. Collective.
///
/// Arrays are pointers to the first allocated element. weft_plan_input and weft_plan_output give
/// the type (float, double, or complex numbers of these) and the number of elements. Equal pointers
/// mean in place, which needs arrays of equal size in bytes; see r2c_padding, and
/// weft_plan_forward_in_place otherwise.
weft_status weft_plan_forward(weft_plan plan, const void* in, void* out);
/// Transforms from spectral to physical space; otherwise as weft_plan_forward. Collective.
weft_status weft_plan_backward(weft_plan plan, const void* in, void* out);

/// A line of elements along one axis, as callbacks get them. Element i is values[i * stride], where
/// `values` points to numbers of the array's type. Its global index is `index`, with i added to the
/// entry `axis`, and its place in the array that was passed to the plan is offset + i *
/// offset_stride.
typedef struct weft_line {
  void* values;                  ///< the first number
  int64_t stride;                ///< in numbers
  int64_t count;                 ///< how many numbers
  int64_t index[WEFT_MAX_AXES];  ///< global index of the first number
  int axis;                      ///< whose index grows
  int64_t field;          ///< its number in the batch; forward_many counts on from field to field
  int64_t offset;         ///< place of the first number in the array passed
  int64_t offset_stride;  ///< distance between offsets of neighbors
} weft_line;

/// A callback: changes the elements of a line, and returns 0. If it returns another value on any
/// rank, the transform is completed, and then fails on every rank with that value in the message.
typedef int (*weft_line_function)(const weft_line* line, void* user_data);

/// Load and store callbacks. They change each element after it has been loaded from the input,
/// which does not change, or before it is stored to the output, without a memory pass of their own.
/// They are called once for each element (input: again if messages are sent again), in any order,
/// and from all threads of the plan at a time. They may read other arrays of the same layout at the
/// line's offset. Null: no callback. Every rank must give callbacks for the same sides.
typedef struct weft_functions {
  weft_line_function input;   ///< callback on numbers of the input's type
  void* input_data;           ///< passed to each call
  weft_line_function output;  ///< callback on numbers of the output's type
  void* output_data;          ///< passed to each call
} weft_functions;

/// Forward with callbacks, or without if `functions` is null. Collective.
weft_status weft_plan_forward_with(weft_plan plan, const void* in, void* out,
                                   const weft_functions* functions);
/// The same for the backward transform.
weft_status weft_plan_backward_with(weft_plan plan, const void* in, void* out,
                                    const weft_functions* functions);

/// Transforms in place, from physical to spectral space, in memory of `bytes` bytes, which must be
/// large enough for the input and for the output. `functions` may be null. Collective.
weft_status weft_plan_forward_in_place(weft_plan plan, void* memory, size_t bytes,
                                       const weft_functions* functions);
/// The same for the backward transform.
weft_status weft_plan_backward_in_place(weft_plan plan, void* memory, size_t bytes,
                                        const weft_functions* functions);

/// Transforms many fields, such as the components of a velocity: in[i] to out[i]. With the option
/// fields_in_flight above 1, one field is transformed while messages of another one travel. Fields
/// may be transformed in place, but must not overlap other fields. `functions` may be null.
weft_status weft_plan_forward_many(weft_plan plan, size_t fields, const void* const* in,
                                   void* const* out, const weft_functions* functions);
/// The same for the backward transform.
weft_status weft_plan_backward_many(weft_plan plan, size_t fields, const void* const* in,
                                    void* const* out, const weft_functions* functions);

/// Starts a transform, so that the caller can do other work meanwhile. It returns once the first
/// messages have been sent. Do not access the arrays until wait has returned or test has set
/// `done`. test makes progress and never waits. Every rank must call the same sequence of starts
/// and waits, but test as often as it likes. With exchanges that block (`alltoall`, `alltoallv`,
/// `alltoallw`, `persistent`, also between nodes only) and with lossless messages, start does the
/// whole transform.
///
/// Whatever the exchange, a transform is under way until this rank has called wait, or test has set
/// `done`. Until then, all other calls that run or trace are errors on every rank if the transform
/// is under way on any rank; so is weft_plan_set_workspace. The transform can still be waited for.
/// Once test has set `done`, it does so until the next transform, and wait returns at once. If
/// nothing was started, test and wait are errors.
weft_status weft_plan_start_forward(weft_plan plan, const void* in, void* out);
/// The same for the backward transform.
weft_status weft_plan_start_backward(weft_plan plan, const void* in, void* out);
/// Makes progress, and says whether the transform that was started is complete.
weft_status weft_plan_test(weft_plan plan, int* done);
/// Completes the transform that was started.
weft_status weft_plan_wait(weft_plan plan);

/// Other work of the caller; returns 0 if it succeeds.
typedef int (*weft_work)(void* user_data);
/// Calls `work` once while messages are under way. If it does not return 0 on any rank, the
/// transform is completed, and then fails on every rank with that value in the message.
weft_status weft_plan_forward_while(weft_plan plan, const void* in, void* out, weft_work work,
                                    void* user_data);
/// The same for the backward transform.
weft_status weft_plan_backward_while(weft_plan plan, const void* in, void* out, weft_work work,
                                     void* user_data);

/// This rank's array in physical space: its box, and its place in memory.
weft_status weft_plan_input(weft_plan plan, weft_local_array* array);
/// This rank's array in spectral space: its box, and its place in memory.
weft_status weft_plan_output(weft_plan plan, weft_local_array* array);

/// The value of an option, and the reason for it.
typedef struct weft_plan_choice {
  const char* option;  ///< name, such as "exchange"
  const char* value;   ///< what the plan uses, such as "node_shared:alltoallv"
  /// "given", "default", the environment variable, such as "WEFT_EXCHANGE", or the library's
  /// reason.
  const char* why;
} weft_plan_choice;

/// Settings that were tried while a plan was created (option `tune`).
typedef struct weft_plan_trial {
  const char* settings;      ///< options as text; empty: the defaults
  double predicted_seconds;  ///< of forward and backward together, by the cost model
  double seconds;            ///< measured for both, median, slowest rank; 0: could not be tried
  double share;              ///< time relative to the defaults, which ran in turn
  const char* remark;        ///< empty, "gave up", or why it could not be tried
  int chosen;                ///< whether the plan uses them
} weft_plan_trial;

/// The properties and the cost of a plan, on this rank. They do not change while the plan exists;
/// weft_plan_report and weft_plan_timings are about the last transform. Later versions may append
/// members.
typedef struct weft_plan_info {
  int axes;                             ///< number of axes of the shape; entries past it are zero
  int64_t shape[WEFT_MAX_AXES];         ///< lengths of the transforms
  int kinds[WEFT_MAX_AXES];             ///< a weft_kind for each axis
  int64_t input_points[WEFT_MAX_AXES];  ///< along each axis, of the array in physical space
  int64_t modes[WEFT_MAX_AXES];         ///< along each axis, of the array in spectral space
  int norm;                             ///< a weft_norm
  int orthogonal;           ///< cosine and sine transforms with orthogonal matrices, up to a factor
  int64_t batch;            ///< fields transformed together
  weft_local_array input;   ///< this rank's array in physical space
  weft_local_array output;  ///< this rank's array in spectral space
  const char* exchange;     ///< name of the exchange
  const char* local;        ///< backend for 1-D FFTs
  const char* device;       ///< name of the device: "host", or what the option `device` says
  int device_number;        ///< number of the device in this process; -1 on the host
  int threads;              ///< threads of this rank
  int64_t chunks;           ///< largest number of chunks that this rank sends in forward
  int64_t receive_chunks;   ///< largest number of chunks that it receives in forward
  size_t choice_count;      ///< number of choices
  const weft_plan_choice* choices;  ///< all options, in the order of `weft list options`
  size_t workspace_bytes;           ///< exact size of this rank's workspace
  /// Additional memory that other ranks write to (exchanges `node_shared`, `peer` and
  /// `peer_packed`; the windows of `one_sided` are not counted).
  size_t shared_bytes;
  /// Bytes that this rank sends to others in one forward; compressed size if the codec has a fixed
  /// rate.
  int64_t bytes_sent;
  double predicted_seconds;  ///< time of one forward transform by the cost model
  const char* text;          ///< all of this as readable text
  size_t trial_count;        ///< number of trials; 0 unless the plan was tuned when it was created
  const weft_plan_trial* trials;  ///< the defaults first
} weft_plan_info;
/// Returns the properties and the cost of a plan. The struct belongs to the plan.
weft_status weft_plan_get_info(weft_plan plan, const weft_plan_info** info);

/// Replaces the workspace by memory of the caller, aligned to 64 bytes and of the plan's device.
/// The old workspace is freed. Not collective; the memory must stay valid as long as the plan runs.
weft_status weft_plan_set_workspace(weft_plan plan, void* memory, size_t bytes);

// Texts and lists below belong to the plan. They are valid until the same function is called again
// or the plan is destroyed.

/// The schedule of both directions in words: stages, axes, layouts, peers, bytes.
weft_status weft_plan_describe(weft_plan plan, const char** text);
/// The plan's own communicator. Use it only for collective operations between runs of the plan.
weft_status weft_plan_communicator(weft_plan plan, MPI_Comm* comm);

/// The parts of the time of a step, in seconds; all zero without the option "breakdown". For a pass
/// with several threads they are means over the threads. The copies also scale and transpose.
typedef struct weft_stage_parts {
  double unpack;     ///< copies from messages, or the input, into tiles
  double decode;     ///< copies from compressed messages into tiles
  double transform;  ///< transforms of tiles; it may read the input and write the result itself
  double callback;   ///< callbacks
  double encode;     ///< copies of tiles into compressed messages
  double pack;       ///< copies of tiles into messages, or the result
  double exchange;   ///< calls that start messages, or keep them moving between tiles
  double wait;       ///< for messages; packing again those whose error was too large
} weft_stage_parts;

/// Time and traffic of one step of a plan, on this rank.
typedef struct weft_stage_timing {
  const char* name;  ///< such as "unpack, transform 1, pack", or the name of the exchange
  double seconds;    ///< in the last run
  int64_t bytes;     ///< read and written by a pass over memory; sent to others by an exchange
  /// Whether it moves data between ranks: 1 for an exchange, 0 for a pass over memory. With
  /// `node_shared` the pass before an exchange stores straight into the memory of ranks on the same
  /// node, and the exchange only waits for them.
  int moves_data;
  weft_stage_parts parts;  ///< the parts of `seconds`
} weft_stage_timing;
/// Times of the steps of the last forward or backward on this rank.
weft_status weft_plan_timings(weft_plan plan, size_t* count, const weft_stage_timing** timings);

/// The effect of compression on one redistribution of the last transform. Errors are relative L2
/// errors over all ranks, bytes those that this rank sent to others.
typedef struct weft_redistribution_report {
  const char* codec;       ///< name of the codec; "none" if the data was sent uncompressed
  double predicted_error;  ///< relative error that the model predicts for white data
  double error;            ///< measured while encoding
  int64_t bytes;           ///< sent, all attempts together
  int64_t plain_bytes;     ///< size without compression
  int repeated;  ///< attempts that exceeded this stage's share of the error, or could not be
                 ///< encoded
  int broken;    ///< data had Inf or NaN, or more range than the codec
} weft_redistribution_report;
/// The effect of compression in the last transform (of forward_many: on the last field). With
/// unbiased rounding and unitary stages the squares of the errors of all redistributions add up.
/// Rounding errors of the transforms are not included.
typedef struct weft_report {
  double tolerance;             ///< 0: none
  double predicted_error;       ///< relative error that the model predicts for white data
  double error;                 ///< measured while encoding
  int64_t bytes;                ///< sent by this rank
  int64_t plain_bytes;          ///< size without compression
  size_t redistribution_count;  ///< number of redistributions
  const weft_redistribution_report* redistributions;  ///< in the order in which they ran
  const char* text;  ///< a line for each redistribution, and one for all
} weft_report;
/// The report of the last transform.
weft_status weft_plan_report(weft_plan plan, weft_report* report);
/// The report of one field of the last transform: fields of forward_many and backward_many are
/// numbered from 0; otherwise the field is 0. Texts and lists are valid until this function or
/// weft_plan_report is called again.
weft_status weft_plan_field_report(weft_plan plan, int64_t field, weft_report* report);

#ifdef __cplusplus
}
#endif

#endif
