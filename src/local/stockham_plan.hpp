#pragma once

#include <vector>

#include "local/local_transform.hpp"
#include "local/stockham_line.hpp"
#include "weft/kinds.hpp"

namespace weft::stockham {

/// Whether lines of this length can be transformed: 2^a 3^b 5^c 7^d 11^e 13^f, and short enough.
bool has_plan(Index length, Kind kind);

/// The tables of all stages of a complex forward transform.
template <class Real>
class StageTables {
 public:
  StageTables() = default;
  StageTables(const std::vector<int>& radices, int points);

  Stages<Real> stages() const;
  /// Of a buffer.
  int rows() const { return rows_; }
  /// Makes room for a coefficient that only spectra of real lines have.
  void add_row();

 private:
  void add_stages();
  void add_order();

  std::vector<int> radices_;
  int points_ = 0;
  int first_leg_ = 1;  ///< rows from one element of a butterfly of the first stage to the next
  int rows_ = 0;
  std::vector<Stage<Real>> stages_;
  std::vector<std::vector<Real>> twiddles_;
  std::vector<std::int32_t> origin_, load_position_, store_position_;
};

/// The tables of a transform of lines along one axis.
template <class Real>
class LinePlan {
 public:
  /// Contiguous lines are transformed with one of the kernels if their number of points allows.
  /// Strides do not matter here.
  LinePlan(const LocalAxis& axis, Kind kind, Direction direction, const Kernels<Real>& kernels);

  /// What kernels read; valid as long as the plan.
  Line<Real> line() const;
  /// The kernel of contiguous lines; null where they go through group kernels like others.
  const Kernel<Real>* inside_kernel() const {
    return inside_lanes_ > 0 && !in_pruned_ && !out_pruned_ ? &inside_kernel_ : nullptr;
  }
  /// Rows of the buffer of a group kernel.
  int rows() const { return whole_.rows(); }

 private:
  void choose_inside(std::vector<int>& radices, const Kernels<Real>& kernels);
  void add_inside(const std::vector<int>& radices);
  void add_fold(Index length);
  void add_pruning(const LocalAxis& axis, Kind kind);

  Form form_;
  bool backward_;
  int points_;
  int in_elements_, out_elements_;
  StageTables<Real> whole_;
  std::vector<Real> fold_;
  int inside_lanes_ = 0, inside_radix_ = 0;
  Kernel<Real> inside_kernel_{};
  StageTables<Real> inside_;
  std::vector<Real> inside_twiddles_;
  bool in_pruned_ = false, out_pruned_ = false;
  std::vector<std::int32_t> load_position_, store_position_, missing_;
};

}  // namespace weft::stockham
