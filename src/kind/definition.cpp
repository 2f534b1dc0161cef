#include "kind/definition.hpp"

#include <numbers>
#include <optional>

#include "kind/root_of_unity.hpp"

namespace weft {

namespace {

using Wide = std::complex<long double>;

/// exp(2 pi i a b / n) for any a, b >= 0
Wide root_of_product(Index a, Index b, Index n) {
  return root_of_unity(static_cast<Index>(static_cast<__int128>(a) * b % n), n);
}

/// `root(a, b, m)` is exp(2 pi i a b / m); for one kind and n, m is always the same.
template <class Root>
long double real_factor(Kind kind, Index j, Index k, Index n, const Root& root) {
  const auto once_at = [j](Index end) { return j == end ? 1 : 2; };
  switch (kind) {
    case Kind::dct1:
      if (n < 2) throw Error("dct1 of " + std::to_string(n) + " points; at least 2 are needed");
      return (j == 0 || j == n - 1 ? 1 : 2) * root(j, k, 2 * (n - 1)).real();
    case Kind::dct2:
      return 2 * root(2 * j + 1, k, 4 * n).real();
    case Kind::dct3:
      return once_at(0) * root(j, 2 * k + 1, 4 * n).real();
    case Kind::dct4:
      return 2 * root(2 * j + 1, 2 * k + 1, 8 * n).real();
    case Kind::dst1:
      return 2 * root(j + 1, k + 1, 2 * (n + 1)).imag();
    case Kind::dst2:
      return 2 * root(2 * j + 1, k + 1, 4 * n).imag();
    case Kind::dst3:
      return once_at(n - 1) * root(j + 1, 2 * k + 1, 4 * n).imag();
    case Kind::dst4:
      return 2 * root(2 * j + 1, 2 * k + 1, 8 * n).imag();
    default:
      throw Error("kind " + to_string(kind) + " has no real definition");
  }
}

/// The same of either direction, with the weights of an orthogonal transform where it is one.
template <class Root>
long double weighted_factor(Kind kind, Direction direction, Index j, Index k, Index n,
                            bool orthogonal, const Root& root) {
  const Kind applied = direction == Direction::forward ? kind : inverse(kind);
  const long double factor = real_factor(applied, j, k, n, root);
  if (!orthogonal) return factor;
  const OrthogonalWeights weights = orthogonal_weights(kind, direction);
  return weights.in(j, n) * factor * weights.out(k, n);
}

template <class Root>
Wide factor_by(Kind kind, Direction direction, Index j, Index k, Index n, bool orthogonal,
               const Root& root) {
  if (kind == Kind::none) return j == k ? 1 : 0;
  if (is_real_kind(kind)) return weighted_factor(kind, direction, j, k, n, orthogonal, root);
  const Wide power = root(j, k, n);
  if (direction == Direction::forward) return std::conj(power);
  // A kept coefficient stands for its conjugate too, but for those that are their own.
  const bool stands_for_two = kind == Kind::r2c && j > 0 && 2 * j != n;
  return stands_for_two ? 2.0L * power : power;
}

}  // namespace

bool is_real_kind(Kind kind) {
  return kind != Kind::none && kind != Kind::c2c && kind != Kind::r2c;
}

OrthogonalWeights orthogonal_weights(Kind kind, Direction direction) {
  constexpr long double root = std::numbers::sqrt2_v<long double>;
  switch (direction == Direction::forward ? kind : inverse(kind)) {
    case Kind::dct1:
      return {root, root, 1 / root, 1 / root};
    case Kind::dct2:
      return {1, 1, 1 / root, 1};
    case Kind::dct3:
      return {root, 1, 1, 1};
    case Kind::dst2:
      return {1, 1, 1, 1 / root};
    case Kind::dst3:
      return {1, root, 1, 1};
    default:
      return {};
  }
}

Wide definition_factor(Kind kind, Direction direction, Index j, Index k, Index n, bool orthogonal) {
  return factor_by(kind, direction, j, k, n, orthogonal, root_of_product);
}

std::vector<Wide> definition_factors(Kind kind, Direction direction,
                                     const std::vector<Index>& inputs, Index k, Index n,
                                     bool orthogonal) {
  std::optional<RootTable> roots;  // all of one order
  const auto root = [&roots](Index a, Index b, Index m) {
    if (!roots) roots.emplace(m);
    return (*roots)(static_cast<Index>(static_cast<__int128>(a) * b % m));
  };
  std::vector<Wide> factors;
  factors.reserve(inputs.size());
  for (const Index j : inputs) {
    factors.push_back(factor_by(kind, direction, j, k, n, orthogonal, root));
  }
  return factors;
}

std::vector<long double> definition_matrix(Kind kind, Direction direction, Index n,
                                           bool orthogonal) {
  std::vector<Wide> roots;
  const auto root = [&roots](Index a, Index b, Index m) {
    if (roots.empty()) {
      for (Index i = 0; i < m; ++i) roots.push_back(root_of_unity(i, m));
    }
    return roots[static_cast<std::size_t>(a * b % m)];
  };
  std::vector<long double> matrix;
  matrix.reserve(static_cast<std::size_t>(n * n));
  for (Index k = 0; k < n; ++k) {
    for (Index j = 0; j < n; ++j) {
      matrix.push_back(weighted_factor(kind, direction, j, k, n, orthogonal, root));
    }
  }
  return matrix;
}

}  // namespace weft
