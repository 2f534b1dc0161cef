#include "planning.hpp"

#include <algorithm>
#include <exception>
#include <functional>

#include "genuine.hpp"
#include "live_plans.hpp"
#include "mode.hpp"
#include "planner_threads.hpp"
#include "problem.hpp"
#include "shared_plans.hpp"
#include "sizes.hpp"

namespace weft::fftw_mpi {

namespace {

/// Null, and why in `refusal`, where weft does not serve the request.
std::unique_ptr<LivePlan> plan_of_weft(const Request& request, std::string& refusal) {
  int ranks = 1, rank = 0;
  MPI_Comm_size(request.comm, &ranks);
  MPI_Comm_rank(request.comm, &rank);
  try {
    const Translation translation = translate(request, ranks, rank);
    refusal = translation.refusal;
    if (!refusal.empty()) return nullptr;
    const PlanningOfWeft planning(request.precision);
    Options options = options_of(request);
    options.threads = planning.threads();
    std::function<std::shared_ptr<Plan>()> make;
    if ((request.flags & wisdom_only) == 0) {
      make = [&] { return std::make_shared<Plan>(request.comm, translation.problem, options); };
    }
    const std::shared_ptr<Plan> shared =
        shared_plan(request.comm, key_of(request, translation, options), make);
    if (shared != nullptr) {
      return std::make_unique<LivePlan>(
          LivePlan{shared, translation.direction, request.in, request.out, to_string(request)});
    }
    refusal = "plans from FFTW's wisdom alone";
  } catch (const std::exception& error) {
    refusal = error.what();
  }
  return nullptr;
}

/// Collective: the genuine library if all ranks have it.
const GenuineMpi* genuine_of_all(Precision precision, MPI_Comm comm) {
  const GenuineMpi* const library = genuine_mpi(precision);
  int here = library != nullptr ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &here, 1, MPI_INT, MPI_MIN, comm);
  return here == 1 ? library : nullptr;
}

}  // namespace

ClientPlan plan(const Request& request, const void* caller) {
  const bool is_inner = is_genuine(request.precision, caller);
  std::string refusal = is_inner ? "called by FFTW-MPI itself" : "WEFT_FFTW=off";
  if (!mode().off && !is_inner) {
    std::unique_ptr<LivePlan> made = plan_of_weft(request, refusal);
    if (made != nullptr) {
      const std::string text = made->text();
      const ClientPlan handle = enter(std::move(made));
      if (mode().verbose) report(request.comm, text);
      return handle;
    }
    if (mode().strict && (request.flags & wisdom_only) == 0) {
      abort_program(request.comm, "no plan of weft for " + to_string(request) + ": " + refusal);
    }
  }
  const GenuineMpi* const library = genuine_of_all(request.precision, request.comm);
  const ClientPlan made = library != nullptr ? make_plan(*library, request) : nullptr;
  if (mode().verbose) {
    report(request.comm, std::string(made != nullptr ? "FFTW: " : "no plan: ") +
                             to_string(request) + " (" + refusal +
                             (library == nullptr ? "; FFTW-MPI is not there)" : ")"));
  }
  return made;
}

Size local_size_many_transposed(Precision precision, int axes, const Size* n, Size howmany,
                                Size block0, Size block1, MPI_Comm comm, Size* local_n0,
                                Size* local_0_start, Size* local_n1, Size* local_1_start) {
  const GenuineMpi* const library = genuine_mpi(precision);
  if (library != nullptr && (mode().off || axes < 2)) {
    return library->local_size_many_transposed(axes, n, howmany, block0, block1, comm, local_n0,
                                               local_0_start, local_n1, local_1_start);
  }
  int ranks = 1, rank = 0;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  if (axes < 1) {
    *local_n0 = *local_n1 = rank == 0 ? 1 : 0;
    *local_0_start = *local_1_start = 0;
    return std::max<Size>(howmany, 1);
  }
  const LocalSize own = local_size({n, n + axes}, howmany, block0, block1, ranks, rank);
  *local_n0 = own.n0;
  *local_0_start = own.start0;
  *local_n1 = own.n1;
  *local_1_start = own.start1;
  if (library == nullptr) return own.allocation;
  Size ignored[4];
  const Size needed = library->local_size_many_transposed(
      axes, n, howmany, block0, block1, comm, &ignored[0], &ignored[1], &ignored[2], &ignored[3]);
  return std::max(own.allocation, needed);
}

Size local_size_many_1d(Precision precision, Size n, Size howmany, MPI_Comm comm, int sign,
                        unsigned flags, Size* local_ni, Size* local_i_start, Size* local_no,
                        Size* local_o_start) {
  if (const GenuineMpi* const library = genuine_mpi(precision)) {
    return library->local_size_many_1d(n, howmany, comm, sign, flags, local_ni, local_i_start,
                                       local_no, local_o_start);
  }
  // There will be no plan either.
  return local_size_many_transposed(precision, 1, &n, howmany, 0, 0, comm, local_ni, local_i_start,
                                    local_no, local_o_start);
}

}  // namespace weft::fftw_mpi
