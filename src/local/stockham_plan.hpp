#pragma once

#include <vector>

#include "local/stockham_line.hpp"
#include "weft/kinds.hpp"

namespace weft::stockham {

/// Whether lines of this length can be transformed: 2^a 3^b 5^c 7^d 11^e 13^f, and short enough.
bool has_plan(Index length, Kind kind);

/// The tables of a transform of lines along one axis.
template <class Real>
class LinePlan {
 public:
  LinePlan(Index length, Kind kind, Direction direction);

  /// What kernels read; valid as long as the plan.
  Line<Real> line() const;
  /// Rows of a buffer that a group of lines needs.
  Index rows() const { return rows_; }

 private:
  void add_stages();
  void add_order();
  void add_fold(Index length);

  Form form_ = Form::complex;
  bool forward_;
  int points_;
  int in_elements_, out_elements_;
  int first_leg_ = 1;  ///< rows from one element of a butterfly of the first stage to the next
  Index rows_ = 0;
  std::vector<int> radices_;
  std::vector<Stage<Real>> stages_;
  std::vector<std::vector<Real>> twiddles_;
  std::vector<std::int32_t> origin_, load_position_, store_position_;
  std::vector<Real> fold_;
};

}  // namespace weft::stockham
