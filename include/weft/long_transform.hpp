#pragma once

#include <memory>

#include "weft/plan.hpp"

namespace weft {

/// Order of the coefficients of a distributed 1-D transform.
enum class LongOrder {
  natural,     ///< contiguous blocks as of the input, but not of the same sizes
  transposed,  ///< in the order they come: one redistribution less, for a product with another
               ///< spectrum
};

/// The transform to compute; the same arguments on every rank.
struct LongProblem {
  Index length = 0;  ///< any; memory and work are shared as far as its factors permit
  LongOrder order = LongOrder::natural;  ///< order of the coefficients
  Precision precision = Precision::f64;  ///< precision of the complex numbers
  Norm norm = Norm::backward;            ///< scaling
};

/// A distributed 1-D FFT, a complex Fourier transform of one vector that is spread over all ranks:
/// X[k] = sum over j of x[j] exp(-2 pi i j k / n).
///
/// The vector is treated as a matrix of n1 rows and n2 columns, n = n1 n2, with factors as equal as
/// possible. Columns are transformed and multiplied by roots of unity; then rows are transformed
/// (Bailey, "FFTs in external or hierarchical memory", 1990). A prime length is a single row, which
/// one rank transforms.
///
/// Collective like Plan, with the same guarantees: the input is preserved unless
/// Options::overwrite_input is set, and neither direction allocates memory.
class LongTransform {
 public:
  /// Makes the plans. Collective.
  LongTransform(MPI_Comm comm, const LongProblem& problem, const Options& options = {});
  ~LongTransform();  ///< collective
  /// An object that was moved from can only be assigned to or destroyed.
  LongTransform(LongTransform&&) noexcept;
  /// Destroys this object first, so it is collective. An object that was moved from can only be
  /// assigned to or destroyed.
  LongTransform& operator=(LongTransform&&) noexcept;

  Index begin() const;          ///< index of the first element of the vector on this rank
  Index size() const;           ///< number of elements on this rank, from begin() on
  Index spectrum_size() const;  ///< number of coefficients on this rank
  /// The number of the coefficient at a position, below spectrum_size(), of this rank's array.
  Index frequency(Index position) const;
  int device_number() const;  ///< its number among this process's devices; -1 on the host

  /// Transforms the vector to its coefficients: arrays of size() and spectrum_size() numbers, as
  /// pointers or ranges.
  template <NumberArray In, NumberArray Out>
  void forward(const In& in, Out&& out) {
    static_assert(!std::is_floating_point_v<detail::NumberOf<In>>,
                  "long transforms are of complex numbers");
    run(Direction::forward, detail::any_array(in), detail::any_array(out));
  }
  /// Transforms the coefficients to the vector.
  template <NumberArray In, NumberArray Out>
  void backward(const In& in, Out&& out) {
    static_assert(!std::is_floating_point_v<detail::NumberOf<In>>,
                  "long transforms are of complex numbers");
    run(Direction::backward, detail::any_array(in), detail::any_array(out));
  }
  /// forward and backward of arrays whose types are known at run time.
  void run(Direction direction, const detail::AnyArray& in, const detail::AnyArray& out);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace weft
