#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "weft/verify.hpp"

namespace weft::bench {

/// One problem that every library gets: a three-dimensional transform in double precision from
/// slabs along axis 0 to slabs along axis 1.
struct Case {
  Extents shape;
  bool real = false;
  MPI_Comm comm = MPI_COMM_WORLD;
  Rigor rigor = Rigor::estimate;
};

/// A library at work on a case. It owns its arrays.
class Adapter {
 public:
  virtual ~Adapter() = default;
  /// Where its input and output lie, and who shares them.
  virtual TransformDescription describe() const = 0;
  virtual void* physical() = 0;
  virtual void* spectral() = 0;
  virtual void forward() = 0;
  /// Back into physical(); may destroy spectral(). Not necessarily scaled.
  virtual void backward() = 0;
};

struct AdapterEntry {
  std::string name;
  std::function<std::unique_ptr<Adapter>(const Case& problem)> make;
};

/// The adapters that were built in.
std::vector<AdapterEntry> adapters();

}  // namespace weft::bench
