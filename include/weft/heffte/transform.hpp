#pragma once

#include <mpi.h>

#include <array>
#include <memory>

// The compiled part of the interface of heFFTe, whose headers must do without C++20.
namespace weft {
namespace detail {

/// heffte::scale
enum class HeffteScale { none, full, symmetric };
/// What is done along all three axes; of r2c, along the two that are not halved, c2c.
enum class HeffteKind { c2c, r2c, dct1, dct2, dst1, dst2 };
/// The type of the numbers of an array.
enum class HeffteNumber { f32, f64, complex_f32, complex_f64 };

/// An array of that type; what is read only is not written.
struct HeffteArray {
  void* data;           ///< its first number
  HeffteNumber number;  ///< their type
};

/// The box of this rank on one side of the transform, dimensions counted as heFFTe does.
struct HeffteBox {
  std::array<long long, 3> low;   ///< the first index of each dimension
  std::array<long long, 3> high;  ///< the last one; below `low` where the box is empty
  std::array<int, 3> order;       ///< dimensions from the fastest to the slowest in memory
};

/// What is to be transformed. All but the boxes is equal on all ranks, and so are their orders.
struct HeffteProblem {
  MPI_Comm comm;                    ///< must exist as long as transforms of new types are made
  HeffteKind kind;                  ///< of transform
  int halved;                       ///< of r2c, the dimension that is halved
  double backward_factor;           ///< what backward gives, as a multiple of FFTW's transforms
  std::array<long long, 3> points;  ///< along each dimension, of real numbers with r2c
  HeffteBox inbox;                  ///< in physical space
  HeffteBox outbox;                 ///< in spectral space
  bool equal_sizes;                 ///< on every rank both boxes have as many points
  bool on_gpu;                      ///< arrays are the current GPU's, rather than the host's
  void* stream;                     ///< of that GPU, where there is one
};

/// Plans for one problem, for whatever types, batches and scales programs come with: each is made
/// when it is first used. Everything is collective; errors are weft::Error on every rank.
class HeffteTransform {
 public:
  explicit HeffteTransform(const HeffteProblem& problem);  ///< makes no plan yet
  ~HeffteTransform();                                      ///< destroys them
  HeffteTransform(HeffteTransform&&) noexcept;             ///< leaves nothing behind
  HeffteTransform& operator=(HeffteTransform&&) noexcept;  ///< leaves nothing behind

  /// Transforms `batch` fields, one after another in memory. Real input of a c2c problem has zero
  /// imaginary parts. Both arrays may be one; the input is preserved if they are not.
  void forward(int batch, const HeffteArray& in, const HeffteArray& out, HeffteScale scale) const;
  /// Transforms backward, likewise. Of a c2c problem real output drops imaginary parts.
  void backward(int batch, const HeffteArray& in, const HeffteArray& out, HeffteScale scale) const;

  /// 1/N, where a transform and its inverse, neither scaled, make N of 1.
  double full_scale() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace detail
}  // namespace weft
