// mpi4py-fft, a Python package: pencils in natural order. The interpreter runs inside this program,
// so that Python is measured as the rest is; mpi4py_fft.py has the Python part.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "adapters/pencils.hpp"
#include "layouts.hpp"

namespace weft::bench {

namespace {

struct Release {
  void operator()(PyObject* object) const { Py_DECREF(object); }
};
using Object = std::unique_ptr<PyObject, Release>;

[[noreturn]] void throw_python_error() {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  const Object text(PyObject_Repr(value));
  const char* bytes = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
  throw Error(bytes != nullptr ? bytes : "an exception in Python");
}

/// What a call returned, which was an exception where it is null.
Object checked(PyObject* object) {
  if (object == nullptr) throw_python_error();
  return Object(object);
}

/// Starts the interpreter as that of the virtual environment.
void start_python() {
  if (Py_IsInitialized()) return;
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  config.install_signal_handlers = 0;
  PyConfig_SetBytesString(&config, &config.program_name, MPI4PY_FFT_PYTHON);
  const PyStatus status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status))
    throw Error("Python does not start: " + std::string(status.err_msg));
}

/// The Python part, by its path: its name is that of the package too.
Object python_part() {
  start_python();
  const Object runpy = checked(PyImport_ImportModule("runpy"));
  return checked(PyObject_CallMethod(runpy.get(), "run_path", "s", MPI4PY_FFT_SCRIPT));
}

class Mpi4pyFftTransform : public Transform {
 public:
  Mpi4pyFftTransform(const Case& problem, const Extents& grid) : problem_(problem) {
    const bool real = is_real(problem), single = problem.precision == Precision::f32;
    const Object part = python_part();
    PyObject* constructor = PyDict_GetItemString(part.get(), "Plan");  // borrowed
    if (constructor == nullptr) throw Error("no Plan in " MPI4PY_FFT_SCRIPT);
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
    plan_ = checked(PyObject_Call(constructor, arguments.get(), options.get()));
    forward_ = checked(PyObject_GetAttrString(plan_.get(), "forward"));
    backward_ = checked(PyObject_GetAttrString(plan_.get(), "backward"));
    in_ = array(false, {problem.precision, !real}, physical_);
    out_ = array(true, {problem.precision, true}, spectral_);
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
  LocalArray array(bool spectral, ElementType type, void*& data) const {
    const Object place =
        checked(PyObject_CallMethod(plan_.get(), "place", "O", spectral ? Py_True : Py_False));
    long long lower[3], upper[3];
    unsigned long long address = 0;
    if (PyArg_ParseTuple(place.get(), "LLLLLLK", &lower[0], &lower[1], &lower[2], &upper[0],
                         &upper[1], &upper[2], &address) == 0) {
      throw_python_error();
    }
    data = reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
    return array_of({{lower[0], lower[1], lower[2]}, {upper[0], upper[1], upper[2]}}, {0, 1, 2},
                    type);
  }

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
