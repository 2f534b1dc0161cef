// mpi4py-fft, a Python package: pencils in natural order; mpi4py_fft.py has the Python part.
#include "adapters/embedded_python.hpp"
#include "adapters/pencils.hpp"
#include "layouts.hpp"

namespace weft::bench {

namespace {

class Mpi4pyFftTransform : public Transform {
 public:
  Mpi4pyFftTransform(const Case& problem, const Extents& grid) : problem_(problem) {
    const bool real = is_real(problem), single = problem.precision == Precision::f32;
    start_python(MPI4PY_FFT_PYTHON);
    const Object constructor = defined(run_script(MPI4PY_FFT_SCRIPT), "Plan");
    const auto text = [&](const char* name) { return problem.settings.at(name); };
    const Extents& n = problem.shape;
    const Object arguments = checked(Py_BuildValue(
        "(i(LLL)(LLi)s)", static_cast<int>(MPI_Comm_c2f(problem.comm)),
        static_cast<long long>(n[0]), static_cast<long long>(n[1]), static_cast<long long>(n[2]),
        static_cast<long long>(grid[0]), static_cast<long long>(grid[1]), 1,
        real ? (single ? "f" : "d") : (single ? "F" : "D")));
    const Object options =
        checked(Py_BuildValue("{s:s,s:s,s:s}", "arrays", text("arrays").c_str(), "collapse",
                              text("collapse").c_str(), "backend", text("backend").c_str()));
    if (text("backend") == "fftw") {
      const Object fftw =
          checked(Py_BuildValue("{s:s,s:i}", "planner_effort", text("planner_effort").c_str(),
                                "threads", problem.threads));
      if (PyDict_Update(options.get(), fftw.get()) != 0) throw_python_error();
    }
    plan_ = checked(PyObject_Call(constructor.get(), arguments.get(), options.get()));
    forward_ = checked(PyObject_GetAttrString(plan_.get(), "forward"));
    backward_ = checked(PyObject_GetAttrString(plan_.get(), "backward"));
    in_ = placed_array(plan_, false, {0, 1, 2}, {problem.precision, !real}, physical_);
    out_ = placed_array(plan_, true, {0, 1, 2}, {problem.precision, true}, spectral_);
  }
  ~Mpi4pyFftTransform() override {
    const Object nothing(PyObject_CallMethod(plan_.get(), "destroy", nullptr));
    if (!nothing) PyErr_Print();
  }

  TransformDescription layout() const override { return transform_of(problem_, in_, out_); }
  void* physical() override { return physical_; }
  void* spectral() override { return spectral_; }
  void forward() override { checked(PyObject_CallNoArgs(forward_.get())); }
  void backward() override { checked(PyObject_CallNoArgs(backward_.get())); }

 private:
  Case problem_;
  Object plan_;
  Object forward_;
  Object backward_;
  LocalArray in_;
  LocalArray out_;
  void* physical_ = nullptr;
  void* spectral_ = nullptr;
};

}  // namespace

Library describe() {
  return {"mpi4py-fft",
          MPI4PY_FFT_VERSION,
          {// Arrays of its plan, or the caller's, from and to which it copies.
           {"arrays", {"planned", "caller"}},
           {"planner_effort", {"FFTW_MEASURE", "FFTW_ESTIMATE", "FFTW_PATIENT"}},
           {"collapse", {"no", "yes"}},
           {"backend", {"fftw", "numpy"}}}};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  require_single_3d(problem);
  require(!problem.in_place, "in place");
  const Extents grid = chosen_grid(problem);
  require_fitting(problem, grid);
  return std::make_unique<Mpi4pyFftTransform>(problem, grid);
}

}  // namespace weft::bench
