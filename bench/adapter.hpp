#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "weft/verify.hpp"

/// What the harness asks of a library. An adapter is one program: the two functions at the end of
/// this file, in bench/adapters/NAME.cpp, linked with the driver, which measures and checks.
namespace weft::bench {

/// An option of a library that may change its speed.
struct Setting {
  std::string name;
  std::vector<std::string> values;  ///< the library's default first
  /// A value with which threads of the library call MPI, which is then asked to allow it.
  std::string threaded = {};
};

/// A library as such.
struct Library {
  std::string name;
  std::string version;
  std::vector<Setting> settings;
  /// Runs in one process, with as many threads as other libraries have ranks x threads.
  bool shared_memory = false;
  std::string device = "host";
};

/// What a library has to compute. The same on all ranks.
struct Case {
  Extents shape;
  Axes<Kind> kinds;
  Precision precision = Precision::f64;
  Index batch = 1;  ///< fields, one after another in memory
  bool in_place = false;
  /// Decompositions: "any" (what suits the library best), "slab", "pencil", "brick", or a layout
  /// as parse_layout reads it, such as "pencil:2".
  std::string in = "any";
  std::string out = "any";
  Extents grid;  ///< process grid of pencils; empty: the library's own choice
  int threads = 1;
  std::map<std::string, std::string> settings;  ///< by name, a value for each of Library::settings
  MPI_Comm comm = MPI_COMM_WORLD;
};

/// Thrown by plan(), on all ranks, where the library does not offer what the case asks for.
class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A library's plan of a case, with its arrays.
class Transform {
 public:
  Transform() = default;
  Transform(const Transform&) = delete;
  Transform& operator=(const Transform&) = delete;
  virtual ~Transform() = default;

  /// Which part of input and output this rank owns, and where it lies in physical() and
  /// spectral(). The norm is `backward`.
  virtual TransformDescription layout() const = 0;
  /// Arrays in host memory, from which upload() and to which download() copy where the library
  /// works in the memory of a device. Equal when the transform is in place.
  virtual void* physical() = 0;
  virtual void* spectral() = 0;
  virtual void upload(Direction /*of the transform that follows*/) {}
  virtual void download(Direction /*of the transform that was made*/) {}

  /// From physical() to spectral(), and back; both may destroy their input. They return when the
  /// result is complete.
  virtual void forward() = 0;
  virtual void backward() = 0;
  /// Whether backward leaves out the factor 1/N.
  virtual bool unscaled() const { return true; }
  /// Multiplies the physical array by a factor in the memory of a device: of unscaled libraries
  /// many pairs would overflow. Returns false where the library works on physical() itself, or
  /// cannot.
  virtual bool scale_on_device(double /*factor*/) { return false; }

  /// Relative L2 error that the last transform may have beyond that of rounding, by the library's
  /// own word: of what was compressed.
  virtual double promised_error() const { return 0; }
  /// Steps of the last transform, where the library tells, with `moves_data` of its exchanges.
  virtual std::vector<StageTiming> stages() const { return {}; }
  /// The device that this rank works on, as NVML finds it: its PCI bus id ("0000:3B:00.0") or its
  /// UUID ("GPU-..."). Empty: on none, or the library does not tell.
  virtual std::string device_id() const { return {}; }
  /// Memory of the device in use by this rank.
  virtual std::size_t device_bytes() const { return 0; }
};

/// The functions of an adapter. plan() is collective over the communicator of the case.
Library describe();
std::unique_ptr<Transform> plan(const Case& problem);

}  // namespace weft::bench
