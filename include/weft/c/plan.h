#ifndef WEFT_C_PLAN_H
#define WEFT_C_PLAN_H

/// @file
/// Plans: problem, options, transforms, and information about plans.

#include <mpi.h>

#include "weft/c/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What is to be computed: the same on every rank. To be initialised by weft_problem_init.
typedef struct weft_problem {
  size_t struct_size;  ///< set by the function that initialises
  int axes;            ///< 1 to 6
  /// Lengths of the transforms; of the global array in physical space, unless `input_points` says
  /// less.
  int64_t shape[WEFT_MAX_AXES];
  int kinds[WEFT_MAX_AXES];   ///< a weft_kind for each axis
  const weft_layout* input;   ///< layout in physical space; null: split along axis 0
  const weft_layout* output;  ///< layout in spectral space; null: like `input`
  int precision;              ///< a weft_precision; default: WEFT_PRECISION_F64
  int numbers;                ///< a weft_numbers: real or complex, in physical space
  int64_t batch;              ///< number of fields transformed together; default: 1
  int interleaved;            ///< fields interleaved per point, otherwise one after another
  int norm;                   ///< a weft_norm; default: WEFT_NORM_BACKWARD
  /// For cosine and sine transforms, SciPy's argument of that name: with WEFT_NORM_ORTHO their
  /// matrices become orthogonal, because the elements at the ends get weights of their own. 0: no,
  /// 1: yes, -1, the default: with WEFT_NORM_ORTHO only.
  int orthogonalize;
  /// Zero padding: points along each axis that exist in physical space, the first ones. The others
  /// are zeros that are neither stored nor sent nor, as far as possible, transformed; backward
  /// drops them. All zero: all points. {n, n, n} of a shape {2n, 2n, 2n} is the doubled domain of
  /// linear convolutions.
  int64_t input_points[WEFT_MAX_AXES];
  /// Truncation: modes along each axis that exist in spectral space, the low ones. The others are
  /// dropped before they are sent or transformed further; backward takes them to be zero. All zero:
  /// all modes. Of m modes these are, with c2c, the frequencies 0 ... (m-1)/2, then -(m/2) ... -1;
  /// with r2c 0 ... m/2; with cosine and sine transforms the first m.
  int64_t modes[WEFT_MAX_AXES];
} weft_problem;

/// Complex transforms of an array of this shape along all axes, in slabs along axis 0.
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
/// layout `output`; backward the other way. Input is preserved unless the options say otherwise or
/// input and output are the same memory. The output, where it has no halo or gaps, serves as
/// workspace before the result is written. Neither allocates memory, creates communicators nor
/// plans (but for copies of arrays of the host, with a plan on a device, when the first such array
/// comes).
typedef struct weft_plan_object* weft_plan;

/// Collective. After an error `*plan` is null.
///
/// `options` tells how to carry out the transform, in the form "name=value, name=value":
///
///     weft_plan_create(comm, &problem, "exchange=p2p, chunks=4, tolerance=1e-6", &plan);
///
/// What is not named is left to its default, which is auto unless told otherwise: the library
/// chooses. Null or "" names nothing. What is unknown or out of range is an error. `weft list
/// options` shows all options with their values, and weft::Options says more of each; of `codec`
/// and `tolerance` apart, none of them changes the result beyond rounding. With a device, arrays
/// are memory of that device, and weft_functions are refused.
///
/// Ranks may differ in `device_number`, `stream`, `threads` and `stream_bytes`. A stream, of type
/// cudaStream_t or hipStream_t, is written as an address; transforms begin in it after what has
/// been put there before, and have ended when it comes to what is put there afterwards:
///
///     snprintf(text, sizeof text, "device=cuda, stream=%p", (void*)stream);
///
/// Options that are left at their defaults are taken from the environment of rank 0 where it has
/// variables for them, such as WEFT_CHUNKS=4.
weft_status weft_plan_create(MPI_Comm comm, const weft_problem* problem, const char* options,
                             weft_plan* plan);
/// The usual case: transforms of a kind along all axes of an array of n0 x n1 x n2 points, in slabs
/// along axis 0. WEFT_KIND_R2C stands for r2c along the last axis and c2c along the others. Needs a
/// weft_precision; `options` may be null. Collective, otherwise like weft_plan_create.
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
/// Collective. Makes the handle null; a null handle is left as it is. Ranks must destroy plans in
/// the same order. A rank waits 60 seconds for the others (or as many as the environment says in
/// WEFT_DESTROY_TIMEOUT); then the status is WEFT_ERROR_ARGUMENT, and what the plan is made of
/// stays allocated until the program ends. After MPI_Finalize only memory is freed.
weft_status weft_plan_destroy(weft_plan* plan);

/// Transforms from physical to spectral space. Collective.
///
/// Arrays are pointers to the first allocated element. What lies there, and how much, is told by
/// weft_plan_input and weft_plan_output: float, double, or complex numbers of these. Equal
/// pointers: in place, which needs arrays of equal size in bytes; see r2c_padding, and
/// weft_plan_forward_in_place otherwise.
weft_status weft_plan_forward(weft_plan plan, const void* in, void* out);
/// Transforms from spectral to physical space; otherwise as weft_plan_forward. Collective.
weft_status weft_plan_backward(weft_plan plan, const void* in, void* out);

/// Neighbouring numbers along one axis, as a callback gets them. Number i is values[i * stride], in
/// numbers of the array's type. It belongs to the point `index` of the global array, whose entry
/// `axis` counts up with i, and lies in the array that was passed to the plan at offset + i *
/// offset_stride.
typedef struct weft_line {
  void* values;                  ///< the first number
  int64_t stride;                ///< in numbers
  int64_t count;                 ///< how many numbers
  int64_t index[WEFT_MAX_AXES];  ///< global index of the first number
  int axis;                      ///< whose index grows
  int64_t field;          ///< its number in the batch; forward_many counts on from field to field
  int64_t offset;         ///< place of the first number in the array passed
  int64_t offset_stride;  ///< distance between offsets of neighbours
} weft_line;

/// Changes the numbers of a line. Returns 0 if all is well: after anything else, on any rank, the
/// transform is completed, and then fails on every rank with that number in the message.
typedef int (*weft_line_function)(const weft_line* line, void* user_data);

/// Load and store callbacks: functions that are applied to the numbers of a transform. Each number
/// is changed after it has been read from the input, which stays as it is, or before it is written
/// to the output. That costs no pass over memory of its own. Functions are called once for each
/// number (input: again where messages are sent once more), in any order and from all threads of
/// the plan at a time, and may read other arrays of the same layout at the line's offset. Null: no
/// function. Every rank must give functions for the same sides.
typedef struct weft_functions {
  weft_line_function input;   ///< callback on numbers of the input's type
  void* input_data;           ///< passed to each call
  weft_line_function output;  ///< callback on numbers of the output's type
  void* output_data;          ///< passed to each call
} weft_functions;

/// Forward with callbacks, or without if `functions` is null. Collective.
weft_status weft_plan_forward_with(weft_plan plan, const void* in, void* out,
                                   const weft_functions* functions);
/// Transforms backward, likewise.
weft_status weft_plan_backward_with(weft_plan plan, const void* in, void* out,
                                    const weft_functions* functions);

/// Forward in place, in memory of so many bytes, which must do for the input and for the output.
/// `functions` may be null.
weft_status weft_plan_forward_in_place(weft_plan plan, void* memory, size_t bytes,
                                       const weft_functions* functions);
/// Transforms backward, likewise.
weft_status weft_plan_backward_in_place(weft_plan plan, void* memory, size_t bytes,
                                        const weft_functions* functions);

/// Transforms many fields, such as the components of a velocity: in[i] to out[i]. With
/// fields_in_flight above 1 one field is worked on while messages of another are under way. A field
/// may be in place, but not in the place of another one. `functions` may be null.
weft_status weft_plan_forward_many(weft_plan plan, size_t fields, const void* const* in,
                                   void* const* out, const weft_functions* functions);
/// Transforms backward, likewise.
weft_status weft_plan_backward_many(weft_plan plan, size_t fields, const void* const* in,
                                    void* const* out, const weft_functions* functions);

/// Starts a transform, for a caller with other work to do meanwhile: it returns once the first
/// messages have set out, and the arrays must be left alone until wait has returned or test has
/// said `done`. test never waits; it goes on with what has arrived. Every rank must call the same
/// sequence of starts and waits, but test as often as it likes. With exchanges that block
/// (`alltoall`, `alltoallv`, `alltoallw`, `persistent`, and what goes by them between nodes) and
/// with lossless messages start does all of the transform.
///
/// Whatever the exchange, a transform is under way until this rank has called wait, or test has
/// said `done`. Meanwhile all other calls that run or trace are errors on every rank where the
/// transform is under way on any, and it can be waited for all the same; so is
/// weft_plan_set_workspace. Once test has said `done` it does so until the next transform, and wait
/// returns at once. Where nothing was started, test and wait are errors.
weft_status weft_plan_start_forward(weft_plan plan, const void* in, void* out);
/// Transforms backward, likewise.
weft_status weft_plan_start_backward(weft_plan plan, const void* in, void* out);
/// Whether the transform that was started is complete; goes on with it.
weft_status weft_plan_test(weft_plan plan, int* done);
/// Completes the transform that was started.
weft_status weft_plan_wait(weft_plan plan);

/// Other work of the caller. Returns 0 if all is well.
typedef int (*weft_work)(void* user_data);
/// Calls `work` once while messages are under way. After anything but 0, on any rank, the transform
/// is completed all the same, and then fails on every rank with that number in the message.
weft_status weft_plan_forward_while(weft_plan plan, const void* in, void* out, weft_work work,
                                    void* user_data);
/// Transforms backward, likewise.
weft_status weft_plan_backward_while(weft_plan plan, const void* in, void* out, weft_work work,
                                     void* user_data);

/// What this rank owns in physical space, and how it has to lie in memory.
weft_status weft_plan_input(weft_plan plan, weft_local_array* array);
/// What this rank owns in spectral space, and how it has to lie in memory.
weft_status weft_plan_output(weft_plan plan, weft_local_array* array);

/// What was chosen for one of the options, and by whom.
typedef struct weft_plan_choice {
  const char* option;  ///< name, such as "exchange"
  const char* value;   ///< what the plan uses, such as "node_shared:alltoallv"
  /// Who chose: "given", "WEFT_EXCHANGE" where the environment said so, "default", or the library's
  /// reason.
  const char* why;
} weft_plan_choice;

/// Settings that were tried while a plan was created (option `tune`).
typedef struct weft_plan_trial {
  const char* settings;      ///< options as text; empty: the defaults
  double predicted_seconds;  ///< of forward and backward together, by the cost model
  double seconds;      ///< of both, measured: a median, of the slowest rank; 0: could not be tried
  double share;        ///< time as a share of that of the defaults, from runs in turn
  const char* remark;  ///< empty, "gave up", or why it could not be tried
  int chosen;          ///< whether the plan uses them
} weft_plan_trial;

/// What a plan is and what it takes, on this rank. Nothing in it changes while the plan lives; what
/// the last transform did is told by weft_plan_report and weft_plan_timings. Later versions may
/// append members.
typedef struct weft_plan_info {
  int axes;                             ///< number of axes of the shape; entries past it are zero
  int64_t shape[WEFT_MAX_AXES];         ///< lengths of the transforms
  int kinds[WEFT_MAX_AXES];             ///< a weft_kind for each axis
  int64_t input_points[WEFT_MAX_AXES];  ///< along each axis, of the array in physical space
  int64_t modes[WEFT_MAX_AXES];         ///< along each axis, of the array in spectral space
  int norm;                             ///< a weft_norm
  int orthogonal;           ///< cosine and sine transforms with orthogonal matrices, up to a factor
  int64_t batch;            ///< fields transformed together
  weft_local_array input;   ///< what this rank owns in physical space, and how it lies in memory
  weft_local_array output;  ///< this rank's part in spectral space
  const char* exchange;     ///< how messages travel
  const char* local;        ///< library of local transforms
  const char* device;       ///< name of the device: "host", or what the option `device` says
  int device_number;        ///< its number among this process's devices; -1 on the host
  int threads;              ///< threads of this rank
  int64_t chunks;           ///< parts in which what this rank sends leaves in forward, at most
  int64_t receive_chunks;   ///< parts in which what it receives arrives in forward, at most
  size_t choice_count;      ///< number of choices
  const weft_plan_choice* choices;  ///< all options, in the order of `weft list options`
  size_t workspace_bytes;           ///< exact size of this rank's workspace
  /// Beside it, memory that other ranks write to (exchanges `node_shared`, `peer` and
  /// `peer_packed`; the windows of `one_sided` are not counted).
  size_t shared_bytes;
  /// That this rank sends to others in one forward; with a codec of fixed rate as compressed.
  int64_t bytes_sent;
  double predicted_seconds;  ///< time of one forward transform by the cost model
  const char* text;          ///< all of this for people
  size_t trial_count;        ///< number of trials; 0 unless the plan was tuned when it was created
  const weft_plan_trial* trials;  ///< the defaults first
} weft_plan_info;
/// What a plan is and what it takes. It belongs to the plan.
weft_status weft_plan_get_info(weft_plan plan, const weft_plan_info** info);

/// Uses the caller's memory, aligned to 64 bytes and of the plan's device, instead of the plan's
/// own, which is freed. Not collective; the memory must stay valid as long as the plan runs.
weft_status weft_plan_set_workspace(weft_plan plan, void* memory, size_t bytes);

// Texts and lists below belong to the plan. They are valid until the same function is called again
// or the plan is destroyed.

/// The schedule of both directions in words: stages, axes, layouts, peers, bytes.
weft_status weft_plan_describe(weft_plan plan, const char** text);
/// The plan's own communicator; only for collective operations between runs of the plan.
weft_status weft_plan_communicator(weft_plan plan, MPI_Comm* comm);

/// What a step of a plan spends its time on, in seconds; all zero without the option "breakdown".
/// Of a pass with several threads the mean of these. The copies also scale and transpose.
typedef struct weft_stage_parts {
  double unpack;     ///< copies from messages, or the input, into tiles
  double decode;     ///< copies from compressed messages into tiles
  double transform;  ///< transforms of tiles; it may read the input and write the result itself
  double callback;   ///< functions of the caller
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
  /// Whether it moves data between ranks: 1 of an exchange, 0 of a pass over memory. With
  /// `node_shared` the pass before an exchange stores straight into the memory of ranks of the same
  /// node; of those the wait is all that is left.
  int moves_data;
  weft_stage_parts parts;  ///< what the seconds were spent on
} weft_stage_timing;
/// Steps of the last forward or backward on this rank.
weft_status weft_plan_timings(weft_plan plan, size_t* count, const weft_stage_timing** timings);

/// What compression did to one redistribution of the last transform. Errors are relative L2 errors
/// over all ranks, bytes those that this rank sent to others.
typedef struct weft_redistribution_report {
  const char* codec;       ///< name of the codec; "none" where the data went uncompressed
  double predicted_error;  ///< relative error that the model expects of white data
  double error;            ///< measured while encoding
  int64_t bytes;           ///< sent, all attempts together
  int64_t plain_bytes;     ///< what they would have been uncompressed
  int repeated;            ///< attempts that erred more than this stage's share, or were broken
  int broken;              ///< data had Inf or NaN, or more range than the codec
} weft_redistribution_report;
/// What compression did in the last transform (of forward_many: in the last field). With unbiased
/// rounding and unitary stages the squares of the errors of all redistributions add up. Rounding of
/// the transforms is not included.
typedef struct weft_report {
  double tolerance;             ///< 0: none
  double predicted_error;       ///< relative error that the model expects of white data
  double error;                 ///< measured while encoding
  int64_t bytes;                ///< sent by this rank
  int64_t plain_bytes;          ///< what they would have been uncompressed
  size_t redistribution_count;  ///< number of redistributions
  const weft_redistribution_report* redistributions;  ///< in the order in which they ran
  const char* text;  ///< a line for each redistribution, and one for all
} weft_report;
/// The report of the last transform.
weft_status weft_plan_report(weft_plan plan, weft_report* report);
/// That of one field of the last transform: of forward_many and backward_many from 0, otherwise 0.
/// Its texts and lists are those of weft_plan_report: each is valid until either is called again.
weft_status weft_plan_field_report(weft_plan plan, int64_t field, weft_report* report);

#ifdef __cplusplus
}
#endif

#endif
