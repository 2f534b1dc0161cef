/* Transforms ones there and back. Prints "ok" on rank 0. */
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

static int is_right(void) {
  const int64_t shape[] = {8, 6, 10};
  weft_problem problem;
  weft_plan plan = NULL;
  weft_local_array in, out;
  weft_layout pencils = weft_pencil_along(2);
  int right = 1;
  weft_problem_init(&problem, 3, shape);
  problem.kinds[1] = WEFT_KIND_R2C;
  problem.output = &pencils;
  if (weft_plan_create(MPI_COMM_WORLD, &problem, NULL, &plan) != WEFT_SUCCESS ||
      weft_plan_input(plan, &in) != WEFT_SUCCESS || weft_plan_output(plan, &out) != WEFT_SUCCESS) {
    puts(weft_error_message());
    return 0;
  }
  double* u = malloc((size_t)(in.allocation_size + 1) * sizeof *u);
  double* uh = malloc((size_t)(out.allocation_size + 1) * 2 * sizeof *uh);
  for (int64_t i = 0; i < in.allocation_size; ++i) u[i] = 1;
  right = right && weft_plan_forward(plan, u, uh) == WEFT_SUCCESS;
  right = right && weft_plan_backward(plan, uh, u) == WEFT_SUCCESS;
  for (int64_t i = 0; i < in.allocation_size; ++i)
    right = right && u[i] > 1 - 1e-14 && u[i] < 1 + 1e-14;
  for (int64_t i = 1; i < out.allocation_size; ++i)
    right = right && uh[2 * i] < 1e-12 && uh[2 * i] > -1e-12;
  right = right && weft_plan_destroy(&plan) == WEFT_SUCCESS;
  free(u);
  free(uh);
  MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return right;
}

int main(int argc, char** argv) {
  int rank = 0, right;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  right = is_right();
  if (rank == 0) puts(right ? "ok" : "wrong");
  MPI_Finalize();
  return right ? 0 : 1;
}
