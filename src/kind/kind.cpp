#include "kind/kind.hpp"
#include "kind/enumerators.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace weft {

namespace {

Index same_length(Index n) {
  return n;
}
Index halved_length(Index n) {
  return n / 2 + 1;
}
Index one(Index) {
  return 1;
}
Index doubled_length(Index n) {
  return 2 * n;
}
Index dct1_length(Index n) {
  return 2 * (n - 1);
}
Index dst1_length(Index n) {
  return 2 * (n + 1);
}

double no_wavenumber(Index, Index) {
  return 0;
}
double signed_wavenumber(Index k, Index n) {
  return static_cast<double>(2 * k <= n - 1 ? k : k - n);
}
double wavenumber_from_0(Index k, Index) {
  return static_cast<double>(k);
}
double wavenumber_from_1(Index k, Index) {
  return static_cast<double>(k + 1);
}
double wavenumber_between(Index k, Index) {
  return static_cast<double>(k) + 0.5;
}

Index no_nyquist(Index) {
  return -1;
}
Index nyquist_if_even(Index n) {
  return n % 2 == 0 ? n / 2 : -1;
}
Index nyquist_last(Index n) {
  return n - 1;
}

double ratio(double part, Index whole) {
  return part / static_cast<double>(whole);
}
double point_from_0(Index j, Index n) {
  return ratio(static_cast<double>(j), n);
}
double point_to_1(Index j, Index n) {
  return ratio(static_cast<double>(j + 1), n);
}
double point_from_0_to_1(Index j, Index n) {
  return ratio(static_cast<double>(j), n - 1);
}
double point_inside(Index j, Index n) {
  return ratio(static_cast<double>(j + 1), n + 1);
}
double point_between(Index j, Index n) {
  return ratio(static_cast<double>(j) + 0.5, n);
}

}  // namespace

const std::vector<KindTraits>& kind_table() {
  static const std::vector<KindTraits> table{
      {Kind::none, "none", "the axis is left alone", false, false, true, 1, 1, 1, same_length, one,
       no_wavenumber, no_nyquist, point_from_0},
      {Kind::c2c, "c2c", "complex Fourier transform", true, false, false, 1, 1, 1, same_length,
       same_length, signed_wavenumber, nyquist_if_even, point_from_0},
      {Kind::r2c, "r2c", "Fourier transform of real data, n/2+1 coefficients kept", true, true,
       false, 1, 1, 2, halved_length, same_length, wavenumber_from_0, nyquist_if_even,
       point_from_0},
      {Kind::dct1, "dct1", "cosine transform I", true, false, true, 2, 2, 2, same_length,
       dct1_length, wavenumber_from_0, nyquist_last, point_from_0_to_1},
      {Kind::dct2, "dct2", "cosine transform II", true, false, true, 1, 1, 2, same_length,
       doubled_length, wavenumber_from_0, no_nyquist, point_between},
      {Kind::dct3, "dct3", "cosine transform III", true, false, true, 1, 2, 1, same_length,
       doubled_length, wavenumber_between, no_nyquist, point_from_0},
      {Kind::dct4, "dct4", "cosine transform IV", true, false, true, 1, 1, 1, same_length,
       doubled_length, wavenumber_between, no_nyquist, point_between},
      {Kind::dst1, "dst1", "sine transform I", true, false, true, 1, 1, 1, same_length, dst1_length,
       wavenumber_from_1, no_nyquist, point_inside},
      {Kind::dst2, "dst2", "sine transform II", true, false, true, 1, 1, 2, same_length,
       doubled_length, wavenumber_from_1, nyquist_last, point_between},
      {Kind::dst3, "dst3", "sine transform III", true, false, true, 1, 2, 1, same_length,
       doubled_length, wavenumber_between, no_nyquist, point_to_1},
      {Kind::dst4, "dst4", "sine transform IV", true, false, true, 1, 1, 1, same_length,
       doubled_length, wavenumber_between, no_nyquist, point_between},
  };
  return table;
}

const KindTraits& traits(Kind kind) {
  for (const KindTraits& row : kind_table()) {
    if (row.kind == kind) return row;
  }
  throw Error("kind number " + std::to_string(static_cast<int>(kind)) + " is unknown");
}

Axes<Kind> Kinds::resolve(int axes) const {
  if (has_list_) {
    if (given_.size() != axes) {
      throw Error("kinds '" + to_string(given_) + "' are " + std::to_string(given_.size()) +
                  ", the array has " + std::to_string(axes) + " axes");
    }
    return given_;
  }
  auto kinds = Axes<Kind>::filled(axes, traits(single_).real_to_complex ? Kind::c2c : single_);
  if (axes > 0) kinds[axes - 1] = single_;
  return kinds;
}

Kinds parse_kinds(const std::string& text) {
  const auto parse_one = [&](const std::string& name) {
    std::vector<std::string_view> known;
    for (const KindTraits& row : kind_table()) {
      if (name == row.name) return row.kind;
      known.push_back(row.name);
    }
    throw unknown_name("kind", name, known);
  };
  if (text.find(',') == std::string::npos) return parse_one(text);
  Axes<Kind> kinds;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    kinds.push_back(parse_one(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return kinds;
}

Kind inverse(Kind kind) {
  switch (kind) {
    case Kind::dct2:
      return Kind::dct3;
    case Kind::dct3:
      return Kind::dct2;
    case Kind::dst2:
      return Kind::dst3;
    case Kind::dst3:
      return Kind::dst2;
    default:
      return kind;
  }
}

std::string to_string(Kind kind) {
  return traits(kind).name;
}

std::string to_string(const Axes<Kind>& kinds) {
  std::string text;
  for (Kind kind : kinds) text += (text.empty() ? "" : ",") + to_string(kind);
  return text;
}

Precision parse_precision(const std::string& text) {
  return parse_enumerator<Precision>("precision", text);
}

Norm parse_norm(const std::string& text) {
  return parse_enumerator<Norm>("norm", text);
}

Numbers parse_numbers(const std::string& text) {
  return parse_enumerator<Numbers>("numbers", text);
}

std::string to_string(Numbers numbers) {
  return name_of(numbers);
}

std::string to_string(Precision precision) {
  return name_of(precision);
}

std::string to_string(Norm norm) {
  return name_of(norm);
}

double wavenumber(Kind kind, Index k, Index n) {
  return traits(kind).wavenumber(k, n);
}

double grid_point(Kind kind, Index j, Index n) {
  return traits(kind).grid_point(j, n);
}

double angular_wavenumber(Kind kind, Index k, Index n, double length) {
  return (traits(kind).keeps_real ? 1 : 2) * std::numbers::pi * wavenumber(kind, k, n) / length;
}

double derivative_wavenumber(Kind kind, Index k, Index n, double length) {
  return k == traits(kind).nyquist(n) ? 0 : angular_wavenumber(kind, k, n, length);
}

Extents spectral_shape(const Extents& shape, const Axes<Kind>& kinds, const Extents& keep) {
  Extents result = keep.empty() ? shape : keep;
  for (int axis = 0; axis < kinds.size(); ++axis) {
    result[axis] = traits(kinds[axis]).output_length(result[axis]);
  }
  return result;
}

int halved_axis(const Axes<Kind>& kinds) {
  int halved = -1;
  for (int axis = 0; axis < kinds.size(); ++axis) {
    if (!traits(kinds[axis]).real_to_complex) continue;
    if (halved >= 0) {
      throw Error("kinds '" + to_string(kinds) +
                  "': only one axis can be r2c, as the data is "
                  "complex afterwards");
    }
    halved = axis;
  }
  return halved;
}

bool is_real(Numbers numbers, const Axes<Kind>& kinds) {
  const auto any = [&](auto&& is) { return std::any_of(kinds.begin(), kinds.end(), is); };
  const bool halved = halved_axis(kinds) >= 0;
  const bool complex_only = any([](Kind kind) { return kind == Kind::c2c; }) && !halved;
  if (numbers == Numbers::complex && halved) {
    throw Error("kinds '" + to_string(kinds) + "': r2c needs real numbers, complex ones are given");
  }
  if (numbers == Numbers::real && complex_only) {
    throw Error("kinds '" + to_string(kinds) +
                "': c2c needs complex numbers, real ones are given; one axis may be r2c");
  }
  if (numbers != Numbers::automatic) return numbers == Numbers::real;
  const bool cosines = any([](Kind kind) { return kind != Kind::none && traits(kind).keeps_real; });
  return halved || (cosines && !complex_only);
}

double noise_growth(const Axes<Kind>& kinds, Direction direction, bool orthogonal) {
  double growth = 1;
  for (Kind kind : kinds) {
    const KindTraits& row = traits(kind);
    if (orthogonal && row.keeps_real) continue;
    growth *= direction == Direction::forward ? row.noise_forward : row.noise_backward;
  }
  return growth;
}

Index transformed_points(const Extents& shape, const Axes<Kind>& kinds) {
  Index points = 1;
  for (int axis = 0; axis < kinds.size(); ++axis) {
    if (traits(kinds[axis]).transforms) points *= shape[axis];
  }
  return points;
}

Index logical_points(const Extents& shape, const Axes<Kind>& kinds) {
  Index points = 1;
  for (int axis = 0; axis < kinds.size(); ++axis) {
    points *= traits(kinds[axis]).logical_length(shape[axis]);
  }
  return points;
}

double scale_factor(Norm norm, Direction direction, Index points) {
  const double count = static_cast<double>(points);
  if (norm == Norm::none) return 1;
  if (norm == Norm::ortho) return 1 / std::sqrt(count);
  const bool scaled = (norm == Norm::forward) == (direction == Direction::forward);
  return scaled ? 1 / count : 1;
}

}  // namespace weft
