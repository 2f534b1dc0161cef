#pragma once

#include <vector>
#include <weft/weft.hpp>

#include "axis.hpp"
#include "kernel.hpp"

namespace poisson {

/// (lambda - laplacian) u = f in a box of 1 to 3 axes, and how to solve it.
struct Equation {
  weft::Axes<Axis> axes;
  double lambda = 0;  ///< not negative
  Stencil stencil = Stencil::spectral;
  Kernel kernel = Kernel::chat2;  ///< of unbounded axes

  weft::Extents points() const;
  int unbounded_axes() const;
  /// Whether a constant can be added to every solution. Then u has mean zero.
  bool singular() const;
};

/// Solves an equation for many right-hand sides of type Real, which is float or double.
template <class Real>
class Solver {
 public:
  /// Collective. `in` is the layout of f and u, `out` that of their transforms.
  Solver(const Equation& equation, MPI_Comm comm, const weft::LayoutSpec& in,
         const weft::LayoutSpec& out, const weft::Options& options = {});

  /// Collective. Both arrays as array() says.
  void solve(const std::vector<Real>& f, std::vector<Real>& u);

  const weft::LocalArray& array() const { return plan_.input(); }
  const weft::Plan& plan() const { return plan_; }
  /// Largest number that a mode of f is multiplied with.
  double largest_factor() const { return largest_factor_; }
  /// Of singular equations: the mean of the last f, which no u can have. On all ranks.
  double removed_mean() const { return removed_mean_; }
  /// Of the last solve(): the larger of the errors that compression made in its two transforms.
  double compression_error() const { return compression_error_; }
  /// That this rank sent to others in the last solve().
  weft::Index bytes_sent() const { return bytes_sent_; }

 private:
  void factors_of_eigenvalues(const Equation& equation);
  void factors_of_free_space(const Equation& equation, MPI_Comm comm, const weft::LayoutSpec& in,
                             const weft::LayoutSpec& out, weft::Options options);
  template <class Modes>
  void solve_with(Modes& modes, const std::vector<Real>& f, std::vector<Real>& u);

  weft::Plan plan_;
  std::vector<Real> factors_;  ///< that modes of f are multiplied with to be those of u
  // Modes are real where all axes take cosine and sine transforms. The other array is empty.
  std::vector<Real> real_modes_;
  std::vector<std::complex<Real>> complex_modes_;
  weft::Index constant_mode_ = -1;  ///< its offset, on the rank that has it; -1: on another one
  double largest_factor_ = 0;
  double removed_mean_ = 0;
  double compression_error_ = 0;
  weft::Index bytes_sent_ = 0;
};

}  // namespace poisson
