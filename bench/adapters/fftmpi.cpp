// fftMPI: complex transforms between any boxes, in place. Its own processes' grids are pencils,
// whose boxes "any" and "pencil" follow, so that it needs no exchange before and after. Used
// through its C interface, for its two precisions have the same names.
#include <version.h>

#include <algorithm>
#include <array>

#include "adapters/pencils.hpp"
#include "adapters/shared_object.hpp"
#include "device/host_memory.hpp"
#include "layouts.hpp"

namespace weft::bench {

namespace {

struct Functions {
  explicit Functions(const std::string& path) : object(path) {
    object.find("fft3d_create", create);
    object.find("fft3d_destroy", destroy);
    object.find("fft3d_set", set);
    object.find("fft3d_setup", setup);
    object.find("fft3d_tune", tune);
    object.find("fft3d_compute", compute);
  }

  SharedObject object;
  void (*create)(MPI_Comm, int precision, void** fft);
  void (*destroy)(void* fft);
  void (*set)(void* fft, const char* name, int value);
  void (*setup)(void* fft, int fast, int mid, int slow, int in_ilo, int in_ihi, int in_jlo,
                int in_jhi, int in_klo, int in_khi, int out_ilo, int out_ihi, int out_jlo,
                int out_jhi, int out_klo, int out_khi, int permute, int* size, int* send,
                int* receive);
  void (*tune)(void* fft, int fast, int mid, int slow, int in_ilo, int in_ihi, int in_jlo,
               int in_jhi, int in_klo, int in_khi, int out_ilo, int out_ihi, int out_jlo,
               int out_jhi, int out_klo, int out_khi, int permute, int* size, int* send,
               int* receive, int directions, int repetitions, double seconds, int all_steps);
  void (*compute)(void* fft, void* in, void* out, int sign);
};

/// The part of this rank where each axis is cut as the library cuts it.
LayoutSpec cut_as_fftmpi(const Case& problem, const Extents& parts) {
  Index rank = rank_of(problem);
  Box own = {problem.shape, problem.shape};
  for (int axis = 2; axis >= 0; --axis) {
    const Index part = rank % parts[axis];
    rank /= parts[axis];
    own.lower[axis] = part * problem.shape[axis] / parts[axis];
    own.upper[axis] = (part + 1) * problem.shape[axis] / parts[axis];
  }
  return box(own);
}

bool takes_pencils(const std::string& asked, const char* whole) {
  return asked == "any" || asked == "pencil" || asked == whole;
}

Extents pencil_grid(const Case& problem) {
  if (!problem.grid.empty()) return asked_grid(problem);
  int square[2] = {0, 0};
  MPI_Dims_create(ranks_of(problem), 2, square);
  return {square[0], square[1]};
}

LayoutSpec input_layout(const Case& problem) {
  if (!takes_pencils(problem.in, "pencil:2")) return asked_input(problem, "any");
  const Extents grid = pencil_grid(problem);
  return cut_as_fftmpi(problem, {grid[0], grid[1], 1});
}

/// What the output's memory order is called here, how fftMPI counts it, and the axes, slowest first.
struct OutputOrder {
  const char* name;
  int permute;
  AxisList axes;
};

OutputOrder output_order(const Case& problem) {
  const std::string name = setting(problem, "output", "transposed");
  if (name == "natural") return {"natural", 0, {0, 1, 2}};
  if (name == "middle_fastest") return {"middle_fastest", 1, {2, 0, 1}};
  return {"transposed", 2, {1, 2, 0}};
}

LayoutSpec output_layout(const Case& problem) {
  const AxisList order = output_order(problem).axes;
  if (!takes_pencils(problem.out, "pencil:0")) {
    return asked_output(problem, "any").with_order(order);
  }
  const Extents grid = pencil_grid(problem);
  return cut_as_fftmpi(problem, {1, grid[0], grid[1]}).with_order(order);
}
