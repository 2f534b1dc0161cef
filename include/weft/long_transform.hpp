#pragma once

#include <memory>

#include "weft/plan.hpp"

namespace weft {

/// Order of the coefficients of a long transform.
enum class LongOrder {
  natural,     ///< contiguous blocks as of the input, but not of the same sizes
  transposed,  ///< in the order they come: one redistribution less, for a product with another
               ///< spectrum
};

/// What is to be computed: the same arguments on every rank.
struct LongProblem {
  Index length = 0;  ///< any number; memory and work are shared as far as it has factors
  LongOrder order = LongOrder::natural;  ///< order of the coefficients
  Precision precision = Precision::f64;  ///< precision of the complex numbers
  Norm norm = Norm::backward;            ///< scaling
};

/// A complex Fourier transform of one long vector that is spread over all ranks: X[k] = sum over j
/// of x[j] exp(-2 pi i j k / n).
///
/// The vector is taken as a matrix of n1 rows and n2 columns, n = n1 n2 with factors as equal as
/// possible; columns are transformed, multiplied by roots of unity and rows transformed (Bailey,
/// "FFTs in external or hierarchical memory", 1990). A prime length is one row: it is transformed
/// on one rank.
///
/// Collective like Plan, and with the same promises: the input is preserved unless
/// Options::overwrite_input is set, and neither direction allocates memory.
class LongTransform {
 public:
  /// Makes the plans. Collective.
  LongTransform(MPI_Comm comm, const LongProblem& problem, const Options& options = {});
  ~LongTransform();  ///< collective
  /// The one moved from can only be assigned to or destroyed.
  LongTransform(LongTransform&&) noexcept;
  /// The one moved from can only be assigned to or destroyed. Collective, as what was here is
  /// destroyed.
  LongTransform& operator=(LongTransform&&) noexcept;

  Index begin() const;          ///< number of the first element of the vector that this rank has
  Index size() const;           ///< elements that this rank has, from begin() on
  Index spectrum_size() const;  ///< coefficients that this rank has
  /// Which coefficient lies at a position below spectrum_size() of this rank's array.
  Index frequency(Index position) const;
  int device_number() const;  ///< its number among this process's devices; -1 on the host

  /// From the vector to its coefficients: arrays of size() and spectrum_size() numbers, by pointer
  /// or as ranges.
  template <NumberArray In, NumberArray Out>
  void forward(const In& in, Out&& out) {
    static_assert(!std::is_floating_point_v<detail::NumberOf<In>>,
                  "long transforms are of complex numbers");
    run(Direction::forward, detail::any_array(in), detail::any_array(out));
  }
  /// From the coefficients to the vector.
  template <NumberArray In, NumberArray Out>
  void backward(const In& in, Out&& out) {
    static_assert(!std::is_floating_point_v<detail::NumberOf<In>>,
                  "long transforms are of complex numbers");
    run(Direction::backward, detail::any_array(in), detail::any_array(out));
  }
  /// forward and backward of arrays that know their types.
  void run(Direction direction, const detail::AnyArray& in, const detail::AnyArray& out);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace weft
