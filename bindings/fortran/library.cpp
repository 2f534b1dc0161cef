#include "fortran/library.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <regex>

namespace weft::fortran {

namespace {

/// Replaces all that matches by replacement(match).
std::string replaced(const std::string& text, const std::regex& regex,
                     const std::function<std::string(const std::smatch&)>& replacement) {
  std::string result;
  auto rest = text.cbegin();
  std::smatch match;
  while (std::regex_search(rest, text.cend(), match, regex)) {
    result += match.prefix().str() + replacement(match);
    rest = match[0].second;
  }
  return result + std::string(rest, text.cend());
}

std::string next(const std::string& number) {
  return std::to_string(std::stoll(number) + 1);
}
std::string previous(const std::string& number) {
  return std::to_string(std::stoll(number) - 1);
}

/// Replaces all numbers, the first one first.
std::string with_numbers(const std::string& text,
                         const std::function<std::string(const std::string&)>& replacement) {
  static const std::regex number("-?[0-9]+");
  return replaced(text, number, [&](const std::smatch& match) { return replacement(match.str()); });
}

/// "(2,1,0)" of axes from slowest to fastest: "(1,2,3)".
std::string fortran_order(const std::string& list) {
  std::string result;
  with_numbers(list, [&](const std::string& axis) {
    result = next(axis) + (result.empty() ? "" : ",") + result;
    return "";
  });
  return "(" + result + ")";
}

}  // namespace

void check_mpi_is_there() {
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized == 0) throw Error("MPI has not been initialized: call MPI_Init first");
  if (mpi_is_finalized()) throw Error("MPI has been finalized, so nothing can be done any more");
}

MPI_Comm communicator_of(MPI_Fint comm) {
  check_mpi_is_there();
  return MPI_Comm_f2c(comm);
}

std::string in_fortran_numbers(const std::string& text) {
  static const std::regex range("\\[(-?[0-9]+),(-?[0-9]+)\\)");
  static const std::regex counted("(axis |halved axis |field |slab:|pencil:)(-?[0-9]+)");
  static const std::regex all_axes("axes 0 to (-?[0-9]+)");
  static const std::regex step("transform [0-9]+(,[0-9]+)*");
  static const std::regex order("(order[ =])(\\([-0-9,]*\\))");
  static const std::regex null_handle("the handle of the ([a-z ]+) is null");
  std::string result = replaced(text, range, [](const std::smatch& match) {
    return "[" + next(match[1]) + ":" + match[2].str() + "]";
  });
  result = replaced(result, counted,
                    [](const std::smatch& match) { return match[1].str() + next(match[2]); });
  result = replaced(result, all_axes,
                    [](const std::smatch& match) { return "axes 1 to " + next(match[1]); });
  result = replaced(result, step,
                    [](const std::smatch& match) { return with_numbers(match.str(), next); });
  result = replaced(result, order, [](const std::smatch& match) {
    return match[1].str() + fortran_order(match[2]);
  });
  return replaced(result, null_handle, [](const std::smatch& match) {
    const std::string object = match[1] == "waves" ? "wavenumbers object" : match[1].str();
    return "the " + object + " does not exist: it was not created, or has been destroyed";
  });
}

}  // namespace weft::fortran

namespace {

using weft::c::guarded;

/// Seconds that other ranks leave to the first one to tell what is wrong with all of them.
constexpr unsigned patience = 3;

/// Microseconds that launchers have to forward what was written, before they learn of the end.
constexpr unsigned forwarding = 200000;

/// A text as weft_parse_layout reads it.
std::string with_c_numbers(const std::string& text) {
  static const std::regex counted("(slab:|pencil:)([0-9]+)");
  static const std::regex ordered("order=([1-6]+)");
  const std::string shifted = weft::fortran::replaced(text, counted, [](const std::smatch& match) {
    return match[1].str() + weft::fortran::previous(match[2]);
  });
  return weft::fortran::replaced(shifted, ordered, [](const std::smatch& match) {
    std::string order = match[1];
    std::reverse(order.begin(), order.end());
    for (char& digit : order) --digit;
    return "order=" + order;
  });
}

}  // namespace

extern "C" {

/// Of the last call that did not succeed.
const char* weft_fortran_message(void) {
  static thread_local std::string message;
  message = weft::fortran::in_fortran_numbers(weft_error_message());
  return message.c_str();
}

/// The same for other texts; valid until the next call.
const char* weft_fortran_text(const char* text) {
  static thread_local std::string result;
  result = weft::fortran::in_fortran_numbers(text);
  return result.c_str();
}

/// Ends the program. Errors come on all ranks, but are told once; where the first rank has none, by
/// whoever has one.
void weft_fortran_abort(const char* text) {
  int initialized = 0, rank = 0;
  MPI_Initialized(&initialized);
  const bool parallel = initialized != 0 && !weft::mpi_is_finalized();
  if (parallel) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    std::fprintf(stderr, "weft: %s\n", text);
  } else {
    sleep(patience);
    std::fprintf(stderr, "weft, rank %d: %s\n", rank, text);
  }
  std::fflush(stderr);
  usleep(forwarding);
  if (parallel) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

// Initializers of C are inline, and have no symbols.
void weft_fortran_problem_init(weft_problem* problem, int axes, const std::int64_t* shape) {
  weft_problem_init(problem, axes, shape);
}
void weft_fortran_halo_problem_init(weft_halo_problem* problem, int axes,
                                    const std::int64_t* shape) {
  weft_halo_problem_init(problem, axes, shape);
}
void weft_fortran_convolution_problem_init(weft_convolution_problem* problem, int axes,
                                           const std::int64_t* shape) {
  weft_convolution_problem_init(problem, axes, shape);
}
void weft_fortran_long_problem_init(weft_long_problem* problem, std::int64_t length) {
  weft_long_problem_init(problem, length);
}
void weft_fortran_transform_init(weft_transform* transform, int axes, const std::int64_t* shape) {
  weft_transform_init(transform, axes, shape);
}
void weft_fortran_layout_init(weft_layout* layout, int form, int axis) {
  *layout = weft_layout_of(static_cast<weft_form>(form), axis);
}

weft_status weft_fortran_parse_layout(const char* text, weft_layout* layout) {
  *layout = weft_layout_of(WEFT_FORM_AS_INPUT, 0);
  std::string in_c;
  const weft_status read = guarded([&] { in_c = with_c_numbers(text); });
  return read == WEFT_SUCCESS ? weft_parse_layout(in_c.c_str(), layout) : read;
}

weft_status weft_fortran_plan_communicator(weft_plan plan, MPI_Fint* comm) {
  return weft::fortran::while_mpi_is_there([&] {
    MPI_Comm of_plan = MPI_COMM_NULL;
    const weft_status known = weft_plan_communicator(plan, &of_plan);
    if (known == WEFT_SUCCESS) *comm = MPI_Comm_c2f(of_plan);
    return known;
  });
}

}  // extern "C"
