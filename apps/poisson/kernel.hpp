#pragma once

#include <string>

namespace poisson {

/// The functions that are sampled for the solution of (kappa^2 - laplacian) G = delta in free
/// space.
///
/// chat2: the exact one; the cell at its singularity takes the mean over the ball (disc, interval)
///   of the cell's volume. Second order. Chatelain and Koumoutsakos, J. Comput. Phys. 229 (2010).
/// hej4, hej6: of a Gaussian blob of width 2 h whose moments below the order vanish. Hejlesen,
///   Rasmussen, Chatelain and Walther, J. Comput. Phys. 252 (2013).
/// hej0: of the wavenumbers below pi / h only, which converges as fast as spectra decay. Hejlesen,
///   Winckelmans and Walther, Appl. Math. Lett. 89 (2019).
///
/// Names and comparison: Caprace, Gillis and Chatelain, SIAM J. Sci. Comput. 43 (2021).
enum class Kernel { chat2, hej4, hej6, hej0 };

Kernel parse_kernel(const std::string& text);
/// Order of convergence; 0: faster than any.
int order_of(Kernel kernel);

/// One kernel, for grids of a given spacing.
class FreeSpace {
 public:
  /// Of `axes` unbounded ones, 1 to 3. `volume`: of a cell; `widest`: the largest spacing.
  FreeSpace(Kernel kernel, int axes, double volume, double widest);

  /// At distance r; 0: of the cell's own source. kappa other than 0 is for chat2 only.
  double operator()(double r, double kappa) const;

 private:
  double singular(double r, double kappa) const;
  double mean_at_0(double kappa) const;
  double blob(double r) const;
  double cut_off(double r) const;

  Kernel kernel_;
  int axes_;
  double volume_;
  double widest_;
  double radius_;  ///< of the ball of the cell's volume
};

}  // namespace poisson
