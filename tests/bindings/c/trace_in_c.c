/* Timelines from C99: the spans that are told, and errors. What a file has is tested from C++. */
#include "bindings/c/expect.h"

#define FIELDS 3

static int rank, ranks;

/* Begins and ends, names and numbers of the spans of a forward, a forward_many and a backward. */
static void check_spans(const weft_trace* trace, int64_t chunks) {
  int runs = 0, many = 0, back = 0, messages = 0, chunk_seen = 0;
  double exchanged = 0;
  for (size_t i = 0; i < trace->span_count; ++i) {
    const weft_trace_span* span = &trace->spans[i];
    expect(span->rank >= 0 && span->rank < ranks, "rank");
    expect(span->begin >= 0 && span->begin <= span->end, "begin and end");
    expect(span->run >= 0 && span->run < 3, "run");
    expect(span->place >= 0 && span->place < 2, "place");
    expect(span->field >= 0 && span->field < (span->run == 1 ? FIELDS : 1), "field");
    expect(span->chunk >= 0 && span->chunk < chunks, "chunk");
    expect(span->direction == (span->run == 2 ? WEFT_DIRECTION_BACKWARD : WEFT_DIRECTION_FORWARD),
           "direction");
    if (span->lane == WEFT_LANE_RUN) {
      expect(strcmp(span->name, span->run == 2 ? "backward" : "forward") == 0, "name of a run");
      if (span->run == 0) ++runs;
      if (span->run == 1) many += 1 + (int)span->field;
      if (span->run == 2) ++back;
    } else if (span->lane == WEFT_LANE_COMPUTE) {
      expect(strstr(span->name, "transform") != NULL, "name of a pass");
    } else {
      expect(strcmp(span->name, "p2p") == 0, "name of an exchange");
      exchanged += span->end - span->begin;
    }
    if (span->lane == WEFT_LANE_MESSAGES) ++messages;
    if (span->chunk == chunks - 1) chunk_seen = 1;
  }
  const int all = rank == 0 ? ranks : 0;
  expect(runs == all && back == all, "a run of each rank");
  expect(many == all * FIELDS * (FIELDS + 1) / 2, "each field of each rank");
  const int exchanges = ranks > 1 ? (FIELDS + 2) * (int)chunks : 0;
  expect(messages == all * exchanges, "messages");
  expect(chunk_seen == (rank == 0), "the last chunk");
  expect((trace->exchange_seconds > 0) == (exchanged > 0), "exchanges take time");
  expect(trace->exchange_seconds <= exchanged + 1e-9, "no more than their spans");
  expect(trace->hidden_seconds >= 0 && trace->hidden_seconds <= trace->exchange_seconds,
         "what is hidden");
}

static weft_plan make_plan(void) {
  const int64_t shape[] = {12, 12, 9};
  const weft_layout out = weft_slab_split(1);
  weft_problem problem;
  weft_plan plan;
  weft_problem_init(&problem, 3, shape);
  problem.output = &out;
  succeed(weft_plan_create(MPI_COMM_WORLD, &problem,
                           "exchange=p2p, chunks=2, fields_in_flight=2, threads=1", &plan),
          "create");
  return plan;
}

static void test_timeline(void) {
  const char* path = "trace_in_c.json";
  weft_plan plan = make_plan();
  weft_local_array mine, spectrum;
  succeed(weft_plan_input(plan, &mine), "input");
  succeed(weft_plan_output(plan, &spectrum), "output");
  double *u[FIELDS], *uh[FIELDS];
  for (int field = 0; field < FIELDS; ++field) {
    u[field] = calloc((size_t)(2 * mine.allocation_size) + 1, sizeof **u);
    uh[field] = calloc((size_t)(2 * spectrum.allocation_size) + 1, sizeof **uh);
  }
  const weft_plan_info* info = NULL;
  succeed(weft_plan_get_info(plan, &info), "info");
  expect(info->chunks == (ranks > 1 ? 2 : 1), "two chunks where there is an exchange");
  fails(weft_plan_stop_trace(plan, NULL), "no trace is being recorded");
  fails(weft_plan_write_trace(plan, path), "no trace has been recorded");
  succeed(weft_plan_start_trace(plan), "start");
  fails(weft_plan_start_trace(plan), "a trace is being recorded already");
  fails(weft_plan_write_trace(plan, path), "no trace has been recorded");
  succeed(weft_plan_forward(plan, u[0], uh[0]), "forward");
  succeed(weft_plan_forward_many(plan, FIELDS, (const void* const*)u, (void* const*)uh, NULL),
          "many");
  succeed(weft_plan_backward(plan, uh[0], u[0]), "backward");
  weft_trace trace;
  memset(&trace, 0xff, sizeof trace);
  succeed(weft_plan_stop_trace(plan, &trace), "stop");
  expect(trace.ranks == ranks && trace.uncertainty >= 0 && trace.uncertainty < 1, "trace");
  expect((trace.span_count > 0) == (rank == 0), "spans are on rank 0");
  check_spans(&trace, info->chunks);

  /* The others need no path. */
  succeed(weft_plan_write_trace(plan, rank == 0 ? path : NULL), "write");
  if (rank == 0) {
    FILE* file = fopen(path, "r");
    expect(file != NULL && fgetc(file) == '{', "a file of JSON");
    fclose(file);
    remove(path);
  }
  fails_with(
      WEFT_ERROR_FILE, weft_plan_write_trace(plan, rank == 0 ? "no/such/folder/t.json" : path),
      ranks > 1 ? "rank 0: cannot write 'no/such/folder/t.json'" : "cannot write 'no/such/folder");
  fails(weft_plan_write_trace(plan, rank == 0 ? NULL : path), "the path is null");

  /* The next one begins anew. */
  succeed(weft_plan_start_trace(plan), "start");
  succeed(weft_plan_stop_trace(plan, NULL), "stop without a trace");
  succeed(weft_plan_start_trace(plan), "start");
  succeed(weft_plan_stop_trace(plan, &trace), "stop");
  expect(trace.span_count == 0 && trace.exchange_seconds == 0, "nothing has been done");
  expect(weft_plan_start_trace(NULL) == WEFT_ERROR_NULL_HANDLE, "null handle");
  expect(weft_plan_stop_trace(NULL, &trace) == WEFT_ERROR_NULL_HANDLE, "null handle");
  expect(weft_plan_write_trace(NULL, path) == WEFT_ERROR_NULL_HANDLE, "null handle");
  succeed(weft_plan_destroy(&plan), "destroy");
  for (int field = 0; field < FIELDS; ++field) {
    free(u[field]);
    free(uh[field]);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  test_timeline();
  MPI_Finalize();
  return 0;
}
