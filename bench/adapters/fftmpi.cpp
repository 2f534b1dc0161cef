// fftMPI: complex transforms between any boxes, in place. It works on pencils of its own,
// whose boxes "any" and "pencil" follow, so that it needs no exchange before and after. Used
// through its C interface, for its two precisions have the same names.
#include <version.h>

#include <algorithm>

#include "adapters/pencils.hpp"
#include "adapters/products_of_235.hpp"
#include "adapters/shared_object.hpp"
#include "device/buffer.hpp"
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
Box own_part(const Case& problem, const Extents& parts) {
  Index rank = rank_of(problem);
  Box own = {problem.shape, problem.shape};
  for (int axis = 2; axis >= 0; --axis) {
    const Index part = rank % parts[axis];
    rank /= parts[axis];
    own.lower[axis] = part * problem.shape[axis] / parts[axis];
    own.upper[axis] = (part + 1) * problem.shape[axis] / parts[axis];
  }
  return own;
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

LocalArray own_input(const Case& problem) {
  if (!takes_pencils(problem.in, "pencil:2")) {
    return input_array(problem, asked_input(problem, "slab:0"));
  }
  const Extents grid = pencil_grid(problem);
  const Box box = own_part(problem, {grid[0], grid[1], 1});
  return array_of(box, {0, 1, 2}, {problem.precision, true});
}

/// How fftMPI counts an order of the output in memory, and its axes, slowest first.
struct OutputOrder {
  int permute;
  AxisList axes;
};

OutputOrder output_order(const Case& problem) {
  const std::string name = setting(problem, "output", "transposed");
  if (name == "natural") return {0, {0, 1, 2}};
  if (name == "middle_fastest") return {1, {2, 0, 1}};
  return {2, {1, 2, 0}};
}

LocalArray own_output(const Case& problem) {
  const AxisList order = output_order(problem).axes;
  if (!takes_pencils(problem.out, "pencil:0")) {
    return output_array(problem, asked_output(problem, "slab:1").with_order(order));
  }
  const Extents grid = pencil_grid(problem);
  return array_of(own_part(problem, {1, grid[0], grid[1]}), order, {problem.precision, true});
}

/// Place of a setting's value in a list that begins with the library's 0.
int place(const Case& problem, const std::string& name, std::initializer_list<const char*> values) {
  const auto at = std::find(values.begin(), values.end(), problem.settings.at(name));
  require(at != values.end(), name + " " + problem.settings.at(name));
  return static_cast<int>(at - values.begin());
}

class FftMpiTransform : public Transform {
 public:
  FftMpiTransform(const Case& problem, const std::string& path)
      : problem_(problem), library_(path), in_(own_input(problem)), out_(own_output(problem)) {
    const int collective = place(problem, "collective", {"point", "all2all", "combination"});
    const int exchange = place(problem, "exchange", {"pencil", "brick"});
    const int pack = place(problem, "pack", {"array", "pointer", "memcpy"});
    library_.create(problem.comm, problem.precision == Precision::f32 ? 1 : 2, &fft_);
    library_.set(fft_, "scale", 0);
    library_.set(fft_, "collective", collective);
    library_.set(fft_, "exchange", exchange);
    library_.set(fft_, "pack", pack);
    const auto n = [&](int axis) { return static_cast<int>(problem.shape[axis]); };
    const auto lower = [](const Box& box, int axis) { return static_cast<int>(box.lower[axis]); };
    const auto last = [](const Box& box, int axis) {
      return static_cast<int>(box.upper[axis]) - 1;
    };
    const Box &in = in_.box, &out = out_.box;
    const int permute = output_order(problem).permute;
    int size = 0, send = 0, receive = 0;
    const auto plan = [&](auto call, auto... more) {
      call(fft_, n(2), n(1), n(0), lower(in, 2), last(in, 2), lower(in, 1), last(in, 1),
           lower(in, 0), last(in, 0), lower(out, 2), last(out, 2), lower(out, 1), last(out, 1),
           lower(out, 0), last(out, 0), permute, &size, &send, &receive, more...);
    };
    if (setting(problem, "tune", "no") == "yes") {
      constexpr int both_directions = 0, repetitions = 3, only_whole_transforms = 0;
      constexpr double no_time_limit = 0;
      plan(library_.tune, both_directions, repetitions, no_time_limit, only_whole_transforms);
    } else {
      plan(library_.setup);
    }
    const std::size_t element = problem.precision == Precision::f32 ? 8 : 16;
    data_ = Buffer(static_cast<std::size_t>(size) * element);
  }
  ~FftMpiTransform() override { library_.destroy(fft_); }

  TransformDescription layout() const override { return transform_of(problem_, in_, out_); }
  // In place always: with two arrays it copies only half of the input.
  void* physical() override { return data_.data(); }
  void* spectral() override { return data_.data(); }
  void forward() override { library_.compute(fft_, data_.data(), data_.data(), 1); }
  void backward() override { library_.compute(fft_, data_.data(), data_.data(), -1); }

 private:
  Case problem_;
  Functions library_;
  LocalArray in_;
  LocalArray out_;
  void* fft_ = nullptr;
  Buffer data_;
};

}  // namespace

Library describe() {
  return {"fftmpi",
          FFTMPI_VERSION,
          {{"output", {"transposed", "natural", "middle_fastest"}},
           {"collective", {"combination", "point", "all2all"}},
           {"exchange", {"pencil", "brick"}},
           {"pack", {"memcpy", "array", "pointer"}},
           {"tune", {"no", "yes"}}}};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  require_single_3d(problem);
  require(!is_real(problem), "r2c");
  require(problem.out.find(',') == std::string::npos, "layout " + problem.out);
  require(problem.grid.empty() ||
              (takes_pencils(problem.in, "pencil:2") && takes_pencils(problem.out, "pencil:0")),
          "a process grid for other layouts than pencils");
  for (const Index length : problem.shape) {
    // It ends the program for other lengths.
    require(length > 1 && is_product_of_235(length),
            "length " + std::to_string(length) + "; only products of 2, 3 and 5");
  }
  const std::string path = problem.precision == Precision::f32 ? FFTMPI_F32 : FFTMPI_F64;
  require(!path.empty(), "this precision: fftMPI was not built for it");
  return std::make_unique<FftMpiTransform>(problem, path);
}

}  // namespace weft::bench
