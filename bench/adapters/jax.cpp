// JAX, one process and one device per rank: jaxDecomp's transform of pencils, or plain JAX; on GPUs
// where JAX is installed for them, else on the host. jax_fft.py has the Python part.
#include <cstdio>
#include <cstdlib>

#include "adapters/embedded_python.hpp"
#include "adapters/pencils.hpp"
#include "layouts.hpp"

namespace weft::bench {

namespace {

/// JAX's name of the kind of device.
std::string platform() {
  const char* asked = std::getenv("JAX_PLATFORMS");
  return asked != nullptr && *asked != '\0' ? asked : JAX_PLATFORM;
}

bool has_jaxdecomp() {
  return !std::string(JAXDECOMP_VERSION).empty();
}

std::string method_of(const Case& problem) {
  return setting(problem, "method", "shard_map");
}

/// Starts JAX in all processes, which find each other at an address of rank 0.
void start_jax(const Case& problem, const Object& script) {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(problem.comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int local_rank = 0, local_ranks = 1;
  MPI_Comm_rank(node, &local_rank);
  MPI_Comm_size(node, &local_ranks);
  MPI_Comm_free(&node);
  char address[256] = "";
  if (rank_of(problem) == 0) {
    const Object one_node(PyBool_FromLong(local_ranks == ranks_of(problem)));
    const Object text =
        checked(PyObject_CallFunction(defined(script, "coordinator").get(), "O", one_node.get()));
    std::snprintf(address, sizeof address, "%s", PyUnicode_AsUTF8(text.get()));
  }
  MPI_Bcast(address, sizeof address, MPI_CHAR, 0, problem.comm);
  const Object reason =
      checked(PyObject_CallFunction(defined(script, "start").get(), "siisiii", platform().c_str(),
                                    problem.threads, problem.precision == Precision::f64 ? 1 : 0,
                                    address, ranks_of(problem), rank_of(problem), local_rank));
  const std::string why = PyUnicode_AsUTF8(reason.get());
  int fine = why.empty() ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &fine, 1, MPI_INT, MPI_MIN, problem.comm);
  require(fine == 1, "JAX on this machine: " + (why.empty() ? "not on all ranks" : why));
}

class JaxTransform : public Transform {
 public:
  JaxTransform(const Case& problem, const Extents& grid) : problem_(problem) {
    start_python(JAX_PYTHON);
    script_ = run_script(JAX_SCRIPT);
    start_jax(problem, script_);
    const bool real = is_real(problem), single = problem.precision == Precision::f32;
    const std::string method = method_of(problem);
    const Extents& n = problem.shape;
    plan_ = checked(PyObject_CallFunction(
        defined(script_, "Plan").get(), "s(LLL)(LL)si", method.c_str(),
        static_cast<long long>(n[0]), static_cast<long long>(n[1]), static_cast<long long>(n[2]),
        static_cast<long long>(grid[0]), static_cast<long long>(grid[1]),
        real ? (single ? "f" : "d") : (single ? "F" : "D"), problem.in_place ? 1 : 0));
    run_ = checked(PyObject_GetAttrString(plan_.get(), "run"));
    const AxisList natural = {0, 1, 2}, transposed = {1, 2, 0};
    in_ = placed_array(plan_, false, natural, {problem.precision, !real}, physical_);
    out_ = placed_array(plan_, true, method == "jaxdecomp" ? transposed : natural,
                        {problem.precision, true}, spectral_);
  }
  ~JaxTransform() override {
    run_.reset();
    plan_.reset();
    const Object nothing(PyObject_CallNoArgs(defined(script_, "stop").get()));
    if (!nothing) PyErr_Print();
  }

  TransformDescription layout() const override { return transform_of(problem_, in_, out_); }
  void* physical() override { return physical_; }
  void* spectral() override { return spectral_; }
  void upload(Direction direction) override {
    copy("upload", direction == Direction::forward ? Py_False : Py_True);
  }
  void download(Direction direction) override {
    copy("download", direction == Direction::forward ? Py_True : Py_False);
  }
  void forward() override { checked(PyObject_CallOneArg(run_.get(), Py_False)); }
  void backward() override { checked(PyObject_CallOneArg(run_.get(), Py_True)); }
  bool unscaled() const override { return false; }
  std::size_t device_bytes() const override {
    const Object bytes = checked(PyObject_CallMethod(plan_.get(), "device_bytes", nullptr));
    return PyLong_AsSize_t(bytes.get());
  }

 private:
  void copy(const char* method, PyObject* spectral) {
    checked(PyObject_CallMethod(plan_.get(), method, "O", spectral));
  }

  Case problem_;
  Object script_;
  Object plan_;
  Object run_;
  LocalArray in_;
  LocalArray out_;
  void* physical_ = nullptr;
  void* spectral_ = nullptr;
};

/// Throws Unsupported where devices would get parts of different sizes, which JAX does not offer.
void require_even(const Extents& shape, const Extents& parts) {
  for (int axis = 0; axis < 3; ++axis) {
    require(shape[axis] % parts[axis] == 0,
            to_string(shape) + " points in " + to_string(parts) + " unequal parts");
  }
}

}  // namespace

Library describe() {
  Setting method = {"method", {"shard_map", "partitioner"}};
  std::string version = JAX_VERSION;
  if (has_jaxdecomp()) {
    method.values.insert(method.values.begin(), "jaxdecomp");
    version += " with jaxDecomp " JAXDECOMP_VERSION;
  }
  return {"jax", version, {method}, false, platform() == "cpu" ? "host" : "cuda"};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  require_single_3d(problem);
  require(!problem.in_place || !is_real(problem), "r2c in place");
  const std::string method = method_of(problem);
  require(method == "jaxdecomp" || method == "shard_map" || method == "partitioner",
          "method " + method);
  const Extents grid = chosen_grid(problem);
  Extents after = {1, grid[0], grid[1]};
  if (method == "jaxdecomp") {
    require(has_jaxdecomp(), "jaxDecomp, which is not installed");
    require(!is_real(problem), "r2c by jaxDecomp");
    // The only exchange of its slabs is one of axis 2.
    if (grid[0] == 1 || grid[1] == 1) after = {1, 1, product(grid)};
    require(conforms(problem.out, after), "layout " + problem.out + " by jaxDecomp's slabs");
  }
  require_even(problem.shape, {grid[0], grid[1], 1});
  require_even(spectral_shape(problem), {grid[0], 1, grid[1]});
  require_even(spectral_shape(problem), after);
  return std::make_unique<JaxTransform>(problem, grid);
}

}  // namespace weft::bench
