#pragma once

#include <optional>

#include "redistribution/redistribution.hpp"
#include "weft/report.hpp"

namespace weft {

/// What the redistributions of one direction did for each field of a transform of many.
class FieldReports {
 public:
  /// By redistribution, then by chunk.
  using Uses = std::vector<std::vector<Redistribution::Use>>;

  /// Makes room for so many fields; the other functions allocate nothing.
  void reserve(std::size_t fields, const Redistributions& redistributions);
  /// Of the transform that follows.
  void begin(std::size_t fields) { count_ = fields; }
  /// Remembers their last run as that for one field.
  void keep(std::size_t field, const Redistributions& redistributions);

  std::size_t count() const { return count_; }
  const Uses& operator[](std::size_t field) const { return uses_[field]; }

 private:
  std::vector<Uses> uses_;
  std::size_t count_ = 0;
};

Report make_report(const FieldReports::Uses& uses, std::optional<double> tolerance);

/// Of the last run.
Report make_report(const Redistributions& redistributions, std::optional<double> tolerance);

}  // namespace weft
