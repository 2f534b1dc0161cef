#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <new>

#include "layouts.hpp"

/// For libraries of Python: an interpreter inside the program, so that Python is measured as the
/// rest is.
namespace weft::bench {

struct Release {
  void operator()(PyObject* object) const { Py_DECREF(object); }
};
using Object = std::unique_ptr<PyObject, Release>;

/// Throws what Python raised; running out of memory is told of by XLA in a way of its own.
[[noreturn]] inline void throw_python_error() {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  const Object text(PyObject_Repr(value));
  const char* bytes = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
  const std::string what = bytes != nullptr ? bytes : "an exception in Python";
  if (PyErr_GivenExceptionMatches(value, PyExc_MemoryError) ||
      what.find("RESOURCE_EXHAUSTED") != what.npos) {
    throw std::bad_alloc();
  }
  throw Error(what);
}

/// What a call returned, which was an exception where it is null.
inline Object checked(PyObject* object) {
  if (object == nullptr) throw_python_error();
  return Object(object);
}

/// Starts the interpreter as that of the virtual environment with that `python`.
inline void start_python(const char* python) {
  if (Py_IsInitialized()) return;
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  config.install_signal_handlers = 0;
  PyConfig_SetBytesString(&config, &config.program_name, python);
  const PyStatus status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status))
    throw Error("Python does not start: " + std::string(status.err_msg));
}

/// What a script defines. It is read by its path, for its name may be that of a package too.
inline Object run_script(const char* script) {
  const Object runpy = checked(PyImport_ImportModule("runpy"));
  return checked(PyObject_CallMethod(runpy.get(), "run_path", "s", script));
}

/// Something that a script defines.
inline Object defined(const Object& script, const char* name) {
  PyObject* object = PyDict_GetItemString(script.get(), name);  // borrowed
  if (object == nullptr) throw Error("the script does not define " + std::string(name));
  return Object(Py_NewRef(object));
}

/// The array that the method `place` of a plan tells of: first indices, ends, and the address,
/// which goes to `data`.
inline LocalArray placed_array(const Object& plan, bool spectral, const AxisList& order,
                               ElementType type, void*& data) {
  const Object place =
      checked(PyObject_CallMethod(plan.get(), "place", "O", spectral ? Py_True : Py_False));
  long long lower[3], upper[3];
  unsigned long long address = 0;
  if (PyArg_ParseTuple(place.get(), "LLLLLLK", &lower[0], &lower[1], &lower[2], &upper[0],
                       &upper[1], &upper[2], &address) == 0) {
    throw_python_error();
  }
  data = reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
  return array_of({{lower[0], lower[1], lower[2]}, {upper[0], upper[1], upper[2]}}, order, type);
}

}  // namespace weft::bench
