/* Plans from C99: every function of weft/c/basics.h, layout.h, plan.h and verify.h. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "bindings/c/expect.h"

static int64_t largest(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/* A number for every point, whatever rank has it. */
static double value_at(const int64_t* index) {
  return (double)((7 * index[0] + 5 * index[1] + 3 * index[2]) % 11) - 5;
}

static void fill_real(const weft_local_array* a, double* u) {
  int64_t i[3];
  for (i[0] = a->box.lower[0]; i[0] < a->box.upper[0]; ++i[0])
    for (i[1] = a->box.lower[1]; i[1] < a->box.upper[1]; ++i[1])
      for (i[2] = a->box.lower[2]; i[2] < a->box.upper[2]; ++i[2]) {
        const int64_t at = a->offset + (i[0] - a->box.lower[0]) * a->strides[0] +
                           (i[1] - a->box.lower[1]) * a->strides[1] +
                           (i[2] - a->box.lower[2]) * a->strides[2];
        expect(weft_position(a, i[0], i[1], i[2]) == at, "position");
        expect(weft_position_of(a, 3, i) == at, "position of a list");
        u[at] = value_at(i);
      }
}

static double distance(const double* a, const double* b, int64_t count) {
  double most = 0;
  for (int64_t i = 0; i < count; ++i) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

struct Derivative {
  int axis;
  int64_t points;
  int calls;
};

static int differentiate(const weft_line* line, void* data) {
  const struct Derivative* d = data;
  double complex* value = line->values;
  int64_t k = line->index[d->axis];
  for (int64_t i = 0; i < line->count; ++i) {
    value[i * line->stride] *= I * weft_derivative_wavenumber(WEFT_KIND_C2C, k, d->points, 1);
    if (line->axis == d->axis) ++k;
  }
  return 0;
}

/* Multiplies with what lies in another array of the same layout. */
static int multiply(const weft_line* line, void* data) {
  const double* other = data;
  double* value = line->values;
  for (int64_t i = 0; i < line->count; ++i) {
    value[i * line->stride] *= other[line->offset + i * line->offset_stride];
  }
  return 0;
}

static int fail(const weft_line* line, void* data) {
  (void)line;
  (void)data;
  return 42;
}

/* Counts how often it is called; an error from the third time on. */
static int work(void* data) {
  int* calls = data;
  return ++*calls < 3 ? 0 : 42;
}

static void test_names(void) {
  int number = -1;
  succeed(weft_parse_precision("f32", &number), "parse");
  expect(number == WEFT_PRECISION_F32, "precision");
  succeed(weft_parse_numbers("complex", &number), "parse");
  expect(number == WEFT_NUMBERS_COMPLEX, "numbers");
  succeed(weft_parse_norm("ortho", &number), "parse");
  expect(number == WEFT_NORM_ORTHO, "norm");
  succeed(weft_parse_norm("none", &number), "parse");
  expect(number == WEFT_NORM_NONE, "norm");
  fails(weft_parse_norm("abnormal", &number), "'abnormal'");
  fails(weft_parse_norm(NULL, &number), "null");
  fails(weft_parse_norm("ortho", NULL), "null");
}

/* Of fewer axes, of more of them, and with a batch. */
static void test_positions(void) {
  const int64_t index[] = {4, 9, 1, 3};
  weft_local_array a;
  memset(&a, 0, sizeof a);
  a.axes = 2;
  a.box.lower[0] = 3;
  a.box.lower[1] = 7;
  a.strides[0] = 10;
  a.strides[1] = 2;
  a.strides[2] = 1000; /* from field to field */
  a.offset = 5;
  expect(weft_position(&a, 4, 9, 0) == 5 + 10 + 4, "2 axes");
  expect(weft_position(&a, 4, 9, 1) == 5 + 10 + 4 + 1000, "2 axes and a field");
  expect(weft_position_of(&a, 2, index) == 5 + 10 + 4, "2 axes of a list");
  a.axes = 4;
  a.strides[3] = 50;
  expect(weft_position_of(&a, 4, index) == 5 + 10 + 4 + 1000 + 150, "4 axes");
}

static void test_texts(void) {
  int kinds[3];
  weft_layout layout = weft_slab_split(1);
  expect(strcmp(weft_version(), WEFT_VERSION_STRING) == 0, "version");
#if WEFT_VERSION <                                                                       \
        WEFT_MAKE_VERSION(WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR, WEFT_VERSION_PATCH) || \
    WEFT_VERSION >= WEFT_MAKE_VERSION(WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR + 1, 0)
#error "versions are not in order"
#endif
  succeed(weft_parse_kinds("r2c", 3, kinds), "parse kinds");
  expect(kinds[0] == WEFT_KIND_C2C && kinds[1] == WEFT_KIND_C2C && kinds[2] == WEFT_KIND_R2C,
         "kinds");
  succeed(weft_parse_kinds("none,dct2,dst4", 3, kinds), "parse kinds");
  expect(kinds[0] == WEFT_KIND_NONE && kinds[1] == WEFT_KIND_DCT2 && kinds[2] == WEFT_KIND_DST4,
         "kinds");
  fails(weft_parse_kinds("c3c", 3, kinds), "kind 'c3c' is unknown");
  fails(weft_parse_kinds("c2c", 7, kinds), "7 axes");
  fails(weft_parse_kinds(NULL, 3, kinds), "null");
  fails(weft_parse_kinds("c2c", 3, NULL), "null");
  succeed(weft_parse_layout("grid:2x1x4,order=210,split=block", &layout), "parse layout");
  expect(layout.form == WEFT_FORM_GRID && layout.parts[0] == 2 && layout.parts[2] == 4 &&
             layout.order[0] == 2 && layout.split == WEFT_SPLIT_BLOCK,
         "layout");
  fails(weft_parse_layout("slob:0", &layout), "layout 'slob:0' is unknown");
  fails(weft_parse_layout("slab:0", NULL), "null");
  layout.struct_size = 0;
  fails(weft_parse_layout("slab:0", &layout), "struct_size");
  expect(
      weft_wavenumber(WEFT_KIND_C2C, 7, 8) == -1 && weft_grid_point(WEFT_KIND_DCT2, 0, 4) == 0.125,
      "wavenumbers");
  expect(isnan(weft_wavenumber(99, 1, 8)), "wavenumber of no kind");
  expect(weft_derivative_wavenumber(WEFT_KIND_R2C, 4, 8, 2) == 0 &&
             weft_derivative_wavenumber(WEFT_KIND_R2C, 3, 7, 2) ==
                 weft_angular_wavenumber(WEFT_KIND_R2C, 3, 7, 2) &&
             weft_derivative_wavenumber(WEFT_KIND_DST2, 7, 8, 2) == 0,
         "derivative of Nyquist modes");
  expect(isnan(weft_derivative_wavenumber(99, 1, 8, 2)), "derivative of no kind");
  fails_with(WEFT_ERROR_FILE, weft_import_fftw_wisdom("no/such/file", WEFT_PRECISION_F64),
             "no/such/file");
  fails_with(WEFT_ERROR_FILE, weft_export_fftw_wisdom("no/such/folder/file", WEFT_PRECISION_F32),
             "no/such/folder/file");
  fails(weft_import_fftw_wisdom("no/such/file", 5), "precision 5 is unknown");
}

/* A transform is checked from its description as from its plan. */
static void test_description(weft_plan plan, const void* u, const void* uh) {
  const int64_t any[] = {1};
  weft_transform transform;
  weft_sampled_error by_plan, error;
  weft_transform_init(&transform, 1, any);
  succeed(weft_plan_transform(plan, &transform), "description");
  expect(transform.axes == 3 && transform.shape[1] == 8 && transform.input_points[2] == 10 &&
             transform.modes[0] == 9 && transform.kinds[2] == WEFT_KIND_R2C &&
             transform.batch == 1 && transform.norm == WEFT_NORM_BACKWARD &&
             transform.spectral.is_complex,
         "what is described");
  succeed(weft_plan_sampled_error(plan, WEFT_DIRECTION_FORWARD, u, uh, 8, 3, &by_plan),
          "error of a plan");
  succeed(weft_transform_sampled_error(MPI_COMM_WORLD, &transform, WEFT_DIRECTION_FORWARD, u, uh, 8,
                                       3, &error),
          "error of a description");
  expect(error.relative_l2 == by_plan.relative_l2 && error.largest == by_plan.largest, "errors");
  expect(error.relative_l2 <= weft_rounding_error_bound(WEFT_PRECISION_F64, 720), "bound");
  expect(isnan(weft_rounding_error_bound(7, 720)), "bound of no precision");
  transform.norm = WEFT_NORM_NONE;
  succeed(weft_transform_sampled_error(MPI_COMM_WORLD, &transform, WEFT_DIRECTION_FORWARD, u, uh, 8,
                                       3, &error),
          "error of a transform that is not scaled");
  expect(error.relative_l2 == by_plan.relative_l2, "forward is not scaled here either");
  transform.norm = WEFT_NORM_FORWARD;
  succeed(weft_transform_sampled_error(MPI_COMM_WORLD, &transform, WEFT_DIRECTION_FORWARD, u, uh, 8,
                                       3, &error),
          "error of another transform");
  expect(error.relative_l2 > 1, "a wrong result is seen");
}

/* What a plan tells of an option can be given for another one; a misspelled name is refused. */
static void give_option(const weft_problem* problem, size_t i, const weft_plan_choice* choice) {
  char text[200];
  weft_plan plan = NULL;
  const weft_plan_info* info = NULL;
  snprintf(text, sizeof text, "%s=%s", choice->option, choice->value);
  succeed(weft_plan_create(MPI_COMM_WORLD, problem, text, &plan), text);
  succeed(weft_plan_get_info(plan, &info), text);
  expect(strcmp(info->choices[i].option, choice->option) == 0, text);
  expect(strcmp(info->choices[i].value, choice->value) == 0, text);
  succeed(weft_plan_destroy(&plan), "destroy");
  snprintf(text, sizeof text, "%sq=1", choice->option);
  char meant[200];
  snprintf(meant, sizeof meant, "mean '%s'", choice->option);
  fails(weft_plan_create(MPI_COMM_WORLD, problem, text, &plan), meant);
}

static void test_real_transform(void) {
  const int64_t shape[] = {9, 8, 10};
  weft_problem problem;
  weft_layout in = weft_slab_split(0), out = weft_pencil_along(0);
  weft_local_array u_array, uh_array;
  weft_plan plan;
  weft_sampled_error error;
  weft_problem_init(&problem, 3, shape);
  problem.kinds[2] = WEFT_KIND_R2C;
  problem.input = &in;
  problem.output = &out;
  for (int axis = 0; axis < 3; ++axis) in.halo_lower[axis] = 1;
  succeed(weft_plan_create(MPI_COMM_WORLD, &problem, "breakdown=yes", &plan), "create");
  succeed(weft_plan_input(plan, &u_array), "input");
  succeed(weft_plan_output(plan, &uh_array), "output");
  expect(u_array.axes == 3 && u_array.precision == WEFT_PRECISION_F64 && !u_array.is_complex,
         "input type");
  expect(uh_array.is_complex && uh_array.box.upper[0] == 9, "output type and box");
  double* u = calloc((size_t)u_array.allocation_size + 1, sizeof *u);
  double* back = calloc((size_t)u_array.allocation_size + 1, sizeof *back);
  double complex* uh = calloc((size_t)uh_array.allocation_size + 1, sizeof *uh);
  fill_real(&u_array, u);
  succeed(weft_plan_forward(plan, u, uh), "forward");
  succeed(weft_plan_sampled_error(plan, WEFT_DIRECTION_FORWARD, u, uh, 16, 7, &error),
          "sampled error");
  expect(error.relative_l2 < 1e-14 && error.samples == 16, "error of forward");
  fails(weft_plan_sampled_error(plan, 2, u, uh, 16, 7, &error), "direction 2 is unknown");
  fails(weft_plan_sampled_error(plan, WEFT_DIRECTION_FORWARD, u, uh, 0, 7, &error), "samples 0");
  test_description(plan, u, uh);
  succeed(weft_plan_backward(plan, uh, back), "backward");
  expect(distance(u, back, u_array.allocation_size) < 1e-13, "round trip");

  /* u squared by a callback, whose mean is that of the first coefficient. */
  const weft_functions square = {multiply, u, NULL, NULL};
  succeed(weft_plan_forward_with(plan, u, uh, &square), "forward with a function");
  double sum = 0, mean = 0;
  for (int64_t i = 0; i < u_array.allocation_size; ++i) sum += u[i] * u[i];
  if (uh_array.allocation_size > 0 && uh_array.box.lower[1] == 0 && uh_array.box.lower[2] == 0) {
    mean = creal(uh[uh_array.offset]);
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &mean, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  expect(fabs(sum - mean) < 1e-9 * sum, "sum of squares");
  const weft_functions failing = {NULL, NULL, fail, NULL};
  fails_with(WEFT_ERROR_CALLBACK, weft_plan_backward_with(plan, uh, back, &failing), "returned 42");

  /* What lies in memory of the caller's. */
  const weft_plan_info* info = NULL;
  succeed(weft_plan_get_info(plan, &info), "info");
  fails(weft_plan_get_info(plan, NULL), "null");
  expect(info->trial_count == 0, "no trials");
  fails(weft_merge_wisdom("/no/such/file", NULL), "'/no/such/file' contains no wisdom");
  fails(weft_merge_wisdom(NULL, NULL), "null");
  int64_t removed = 1;
  succeed(weft_forget_wisdom("chunks", "/no/such/file", &removed), "forget");
  expect(removed == 0, "nothing to forget");
  const size_t bytes = info->workspace_bytes;
  char* room = malloc(bytes + 64);
  fails(weft_plan_set_workspace(plan, NULL, bytes + 1), "null");
  succeed(weft_plan_set_workspace(plan, room + (64 - (uintptr_t)room % 64) % 64, bytes), "set");
  int done = 0;
  fails(weft_plan_test(plan, &done), "nothing was started");
  fails(weft_plan_wait(plan), "nothing was started");
  succeed(weft_plan_start_forward(plan, u, uh), "start");
  while (!done) succeed(weft_plan_test(plan, &done), "test");
  succeed(weft_plan_start_backward(plan, uh, back), "start");
  succeed(weft_plan_wait(plan), "wait");
  expect(distance(u, back, u_array.allocation_size) < 1e-13,
         "round trip with start, test and wait");
  int calls = 0;
  succeed(weft_plan_forward_while(plan, u, uh, work, &calls), "forward with other work");
  succeed(weft_plan_backward_while(plan, uh, back, work, &calls), "backward with other work");
  expect(calls == 2 && distance(u, back, u_array.allocation_size) < 1e-13,
         "round trip with other work");
  fails_with(WEFT_ERROR_CALLBACK, weft_plan_forward_while(plan, u, uh, work, &calls),
             "returned 42");

  const char* text;
  MPI_Comm comm = MPI_COMM_NULL;
  size_t steps = 0;
  const weft_stage_timing* timings = NULL;
  succeed(weft_plan_describe(plan, &text), "describe");
  expect(strstr(text, "workspace") != NULL, "description");
  expect(strcmp(info->device, "host") == 0 && info->device_number == -1, "device");
  expect(strlen(info->local) > 0 && strcmp(info->exchange, "auto") != 0, "names");
  expect(info->chunks == 1 && info->receive_chunks == 1 && info->threads >= 1, "numbers");
  expect(info->axes == 3 && info->kinds[2] == WEFT_KIND_R2C && info->batch == 1, "problem");
  expect(info->input.allocation_size == u_array.allocation_size, "input");
  expect(info->choice_count > 15 && strcmp(info->choices[0].option, "algorithm") == 0, "choices");
  for (size_t i = 0; i < info->choice_count; ++i) give_option(&problem, i, &info->choices[i]);
  expect(strcmp(info->choices[0].why, "default") == 0 && strlen(info->text) > 0, "why");
  succeed(weft_plan_communicator(plan, &comm), "communicator");
  expect(info->bytes_sent >= 0 && comm != MPI_COMM_NULL, "communicator");
  succeed(weft_plan_timings(plan, &steps, &timings), "timings");
  expect(steps > 0 && strlen(timings[0].name) > 0 && timings[0].seconds >= 0, "steps");
  expect(timings[0].moves_data == 0, "the first step is a pass");
  expect(timings[0].parts.transform > 0 && timings[0].parts.wait == 0, "parts of a step");
  int64_t moved = 0;
  for (size_t i = 0; i < steps; ++i) moved += timings[i].moves_data ? timings[i].bytes : 0;
  expect(moved == info->bytes_sent, "steps that move data have sent it all");
  succeed(weft_plan_destroy(&plan), "destroy");
  expect(plan == NULL, "handle is null");
  succeed(weft_plan_destroy(&plan), "destroy null");
  free(room);
  free(uh);
  free(back);
  free(u);
}

/* Three components, differentiated as they come back; sent with a tolerance. */
static void test_many_fields(void) {
  const int64_t shape[] = {12, 16};
  weft_problem problem;
  weft_layout out = weft_slab_split(1);
  weft_local_array in_array, out_array;
  weft_plan plan;
  weft_report report;
  weft_problem_init(&problem, 2, shape);
  problem.output = &out;
  succeed(weft_plan_create(MPI_COMM_WORLD, &problem,
                           "exchange=p2p, fields_in_flight=2, tolerance=1e-5", &plan),
          "create");
  succeed(weft_plan_input(plan, &in_array), "input");
  succeed(weft_plan_output(plan, &out_array), "output");
  double complex *u[3], *uh[3];
  const double pi = acos(-1.0);
  for (int field = 0; field < 3; ++field) {
    u[field] = calloc((size_t)in_array.allocation_size + 1, sizeof **u);
    uh[field] = calloc((size_t)out_array.allocation_size + 1, sizeof **uh);
    for (int64_t i = 0; i < in_array.allocation_size; ++i) {
      u[field][i] = (field + 1) * cexp(2 * pi * I * (double)(i % 16) / 16);
      u[field][i] += i % 2 == 0 ? 1 : -1;  // the Nyquist mode
    }
  }
  struct Derivative along = {1, 16, 0};
  const weft_functions derivative = {differentiate, &along, NULL, NULL};
  succeed(weft_plan_forward_many(plan, 3, (const void* const*)u, (void* const*)uh, NULL), "many");
  succeed(weft_plan_backward_many(plan, 3, (const void* const*)uh, (void* const*)u, &derivative),
          "many with a function");
  double most = 0;
  for (int field = 0; field < 3; ++field) {
    for (int64_t i = 0; i < in_array.allocation_size; ++i) {
      const double complex exact =
          2 * pi * I * (field + 1) * cexp(2 * pi * I * (double)(i % 16) / 16);
      most = fmax(most, cabs(u[field][i] - exact));
    }
  }
  expect(most < 1e-2, "derivatives of three fields");
  succeed(weft_plan_report(plan, &report), "report");
  expect(report.tolerance == 1e-5 && report.error <= 1e-5 && strlen(report.text) > 0, "report");
  for (size_t i = 0; i < report.redistribution_count; ++i) {
    expect(strlen(report.redistributions[i].codec) > 0, "report of a redistribution");
  }
  const double error = report.error;
  for (int field = 0; field < 3; ++field) {
    succeed(weft_plan_field_report(plan, field, &report), "report of a field");
    expect(report.error <= 1e-5, "error of a field");
  }
  expect(report.error == error, "report of the last field");
  fails(weft_plan_field_report(plan, 3, &report),
        "no report of field 3: the last transform was of 3 fields");
  fails(weft_plan_forward_many(plan, 2, NULL, (void* const*)uh, NULL), "input array is null");
  succeed(weft_plan_destroy(&plan), "destroy");
  for (int field = 0; field < 3; ++field) {
    free(u[field]);
    free(uh[field]);
  }
}

static void test_files(void) {
  weft_plan plan;
  succeed(
      weft_plan_create_3d(MPI_COMM_WORLD, 3, 4, 6, WEFT_KIND_R2C, WEFT_PRECISION_F64, NULL, &plan),
      "plan of files");
  weft_local_array input, output;
  succeed(weft_plan_input(plan, &input), "input");
  succeed(weft_plan_output(plan, &output), "output");
  double* u = malloc(sizeof(double) * (size_t)input.allocation_size + 1);
  double* back = malloc(sizeof(double) * (size_t)input.allocation_size + 1);
  double _Complex* uh = malloc(sizeof(double _Complex) * (size_t)output.allocation_size + 1);
  fill_real(&input, u);
  const char* const path = "weft_files_in_c.npy";
  succeed(weft_plan_write_input(plan, path, u), "write input");
  succeed(weft_plan_read_input(plan, path, back), "read input");
  expect(memcmp(u, back, sizeof(double) * (size_t)input.allocation_size) == 0, "input comes back");
  for (int64_t i = 0; i < output.allocation_size; ++i) uh[i] = 2 + 3 * I;
  succeed(weft_plan_write_output(plan, path, uh), "write output");
  memset(uh, 0, sizeof(double _Complex) * (size_t)output.allocation_size);
  succeed(weft_plan_read_output(plan, path, uh), "read output");
  for (int64_t i = 0; i < output.allocation_size; ++i)
    expect(uh[i] == 2 + 3 * I, "output comes back");
  fails(weft_plan_read_input(plan, path, back), "3x4x4 of <c16");
  fails_with(WEFT_ERROR_FILE, weft_plan_read_input(plan, "/no/such.npy", back), "/no/such.npy");
  fails_with(WEFT_ERROR_FILE, weft_plan_write_output(plan, "/no/such/file.npy", uh), "/no/such");
  fails(weft_plan_write_input(plan, NULL, u), "the path is null");
  fails(weft_plan_read_input(plan, NULL, back), "the path is null");
  fails_with(WEFT_ERROR_NULL_HANDLE, weft_plan_write_input(NULL, path, u), "plan");
  free(u);
  free(back);
  free(uh);
  succeed(weft_plan_destroy(&plan), "destroy");
}

static void test_in_place(void) {
  const int64_t shape[] = {15, 14, 9};
  weft_problem problem;
  weft_layout in = weft_slab_split(0), out = weft_slab_split(1);
  weft_local_array u, uh;
  weft_plan plan;
  in.r2c_padding = 1;
  weft_problem_init(&problem, 3, shape);
  succeed(weft_parse_kinds("r2c", 3, problem.kinds), "kinds");
  problem.input = &in;
  problem.output = &out;
  problem.precision = WEFT_PRECISION_F32;
  succeed(weft_plan_create(MPI_COMM_WORLD, &problem, NULL, &plan), "create");
  succeed(weft_plan_input(plan, &u), "input");
  succeed(weft_plan_output(plan, &uh), "output");
  const size_t bytes = (size_t)largest(4 * u.allocation_size, 8 * uh.allocation_size) + 8;
  float* memory = malloc(bytes);
  for (size_t i = 0; i < bytes / sizeof *memory; ++i) memory[i] = 1;
  succeed(weft_plan_forward_in_place(plan, memory, bytes, NULL), "forward in place");
  succeed(weft_plan_backward_in_place(plan, memory, bytes, NULL), "backward in place");
  expect(fabsf(memory[0] - 1) < 1e-5f, "round trip in place");
  fails(weft_plan_forward_in_place(plan, memory, 8, NULL), "elements");
  succeed(weft_plan_destroy(&plan), "destroy");

  /* Unpadded, on one and on two ranks: room for the input, but not for the larger output. */
  in.r2c_padding = 0;
  succeed(weft_plan_create(MPI_COMM_WORLD, &problem, NULL, &plan), "create without padding");
  succeed(weft_plan_output(plan, &uh), "output");
  fails(weft_plan_forward_in_place(plan, memory, 8 * (size_t)uh.allocation_size - 8, NULL),
        "elements");
  succeed(weft_plan_destroy(&plan), "destroy");
  free(memory);
}

/* The output of one plan is the input of another one, also where a rank owns nothing. */
static void test_array_of_another_plan(void) {
  const int64_t shape[] = {2, 5};
  weft_problem problem;
  weft_layout layout;
  weft_local_array array, u, uh;
  weft_plan first, second;
  weft_sampled_error error;
  weft_problem_init(&problem, 2, shape);
  problem.batch = 2;
  succeed(weft_plan_create(MPI_COMM_WORLD, &problem, NULL, &first), "create");
  succeed(weft_plan_output(first, &array), "output");
  layout = weft_layout_of_array(&array);
  problem.input = &layout;
  problem.output = &layout;
  succeed(weft_plan_create(MPI_COMM_WORLD, &problem, NULL, &second), "create");
  succeed(weft_plan_input(second, &u), "input");
  succeed(weft_plan_output(second, &uh), "output");
  expect(u.allocation_size == array.allocation_size && u.box.lower[0] == array.box.lower[0],
         "array");
  double complex* data = calloc((size_t)array.allocation_size + 1, sizeof *data);
  double complex* hat = calloc((size_t)uh.allocation_size + 1, sizeof *hat);
  for (int64_t i = 0; i < array.allocation_size; ++i) data[i] = (double)(i * i) + I;
  succeed(weft_plan_forward(second, data + array.offset, hat), "forward");
  succeed(weft_plan_sampled_error(second, WEFT_DIRECTION_FORWARD, data + array.offset, hat, 16, 1,
                                  &error),
          "sampled error");
  expect(error.relative_l2 < 1e-14, "error");
  succeed(weft_plan_destroy(&second), "destroy");
  succeed(weft_plan_destroy(&first), "destroy");
  free(data);
  free(hat);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  expect(strcmp(weft_error_message(), "") == 0, "no error message yet");
  test_names();
  test_texts();
  test_positions();
  test_real_transform();
  test_many_fields();
  test_files();
  test_in_place();
  test_array_of_another_plan();
  MPI_Finalize();
  weft_problem late;
  weft_plan plan;
  const int64_t shape[] = {8, 8};
  weft_problem_init(&late, 2, shape);
  fails(weft_plan_create(MPI_COMM_WORLD, &late, NULL, &plan), "MPI is finalized");
  expect(plan == NULL, "no plan after MPI_Finalize");
  return 0;
}
