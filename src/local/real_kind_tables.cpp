#include "local/real_kind_tables.hpp"

#include "kind/definition.hpp"
#include "kind/root_of_unity.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

using Wide = std::complex<long double>;

bool is_odd(Index number) {
  return number % 2 != 0;
}

/// Sine transforms are cosine transforms of the same type of numbers in reverse order or with every
/// other sign changed, and the other way round afterwards.
template <class Real>
class Tables {
 public:
  Tables(Index n, bool sine) : n_(n), sine_(sine) {}

  RealKindTables<Real> type1() { return sine_ ? odd_extension() : even_extension(); }

  /// J. Makhoul, A fast cosine transform in one and two dimensions, IEEE Transactions on Acoustics,
  /// Speech, and Signal Processing 28 (1980): numbers with even indices forward, then the others
  /// backward.
  RealKindTables<Real> type2() {
    start(Kind::r2c, Direction::forward, n_);
    for (Index j = 0; j < n_; ++j) add_input(fold(j), sine_ && is_odd(fold(j)));
    for (Index q = 0; q < n_; ++q) {
      const Index k = sine_ ? n_ - 1 - q : q;
      add_part(k, 2.0L * std::conj(root_of_unity(k, 4 * n_)), false);
    }
    return tables_;
  }

  /// The inverse of type II.
  RealKindTables<Real> type3() {
    start(Kind::r2c, Direction::backward, n_);
    // What coefficient 0 gets as imaginary part counts for nothing.
    for (Index k = 0; 2 * k <= n_; ++k) {
      add_pair(reversed(k), reversed(k == 0 ? 0 : n_ - k), root_of_unity(k, 4 * n_));
    }
    tables_.finish_plain.resize(static_cast<std::size_t>(n_));
    for (Index j = 0; j < n_; ++j) {
      const Index q = fold(j);
      tables_.finish_plain[static_cast<std::size_t>(q)] = {j, sign(sine_ && is_odd(q))};
    }
    return tables_;
  }

  RealKindTables<Real> type4() { return is_odd(n_) ? odd_type4() : even_type4(); }

 private:
  void start(Kind kind, Direction direction, Index points) {
    tables_.kind = kind;
    tables_.direction = direction;
    tables_.points = points;
  }

  /// Which number stands at place j of Makhoul's order.
  Index fold(Index j) const { return 2 * j < n_ ? 2 * j : 2 * (n_ - 1 - j) + 1; }

  Index reversed(Index j) const { return sine_ ? n_ - 1 - j : j; }

  static Real sign(bool negative) { return negative ? Real{-1} : Real{1}; }

  void add_input(Index from, bool negative) {
    tables_.prepare_plain.push_back({from, sign(negative)});
  }

  void add_pair(Index first, Index second, Wide factor) {
    tables_.prepare_pairs.push_back(
        {first, second, static_cast<Real>(factor.real()), static_cast<Real>(factor.imag())});
  }

  /// The real part of factor times coefficient k, of which a half spectrum may hold the conjugate.
  void add_part(Index k, Wide factor, bool negative) {
    if (tables_.kind == Kind::r2c && 2 * k > tables_.points) {
      k = tables_.points - k;
      factor = std::conj(factor);
    }
    if (negative) factor = -factor;
    tables_.finish_parts.push_back(
        {k, static_cast<Real>(factor.real()), static_cast<Real>(factor.imag())});
  }

  RealKindTables<Real> even_extension() {
    if (n_ < 2) throw Error("dct1 of " + std::to_string(n_) + " points; at least 2 are needed");
    const Index points = 2 * (n_ - 1);
    start(Kind::r2c, Direction::forward, points);
    for (Index j = 0; j < points; ++j) add_input(j < n_ ? j : points - j, false);
    for (Index k = 0; k < n_; ++k) add_part(k, 1, false);
    return tables_;
  }

  RealKindTables<Real> odd_extension() {
    const Index points = 2 * (n_ + 1);
    start(Kind::r2c, Direction::forward, points);
    for (Index j = 0; j < points; ++j) {
      const bool zero = j == 0 || j == n_ + 1;
      const bool mirrored = j > n_ + 1;
      tables_.prepare_plain.push_back(
          {zero ? 0 : (mirrored ? points - 1 - j : j - 1), zero ? Real{0} : sign(mirrored)});
    }
    for (Index k = 0; k < n_; ++k) add_part(k + 1, Wide(0, 1), false);
    return tables_;
  }

  /// With c = cos(pi (4j+1) (4k+1) / 4n) and s the sine, numbers 2j and n-1-2j contribute c and s
  /// to coefficient 2k, s and -c to n-1-2k: a complex transform of n/2 points.
  RealKindTables<Real> even_type4() {
    start(Kind::c2c, Direction::backward, n_ / 2);
    for (Index j = 0; j < n_ / 2; ++j) {
      add_pair(reversed(2 * j), reversed(n_ - 1 - 2 * j), root_of_unity(4 * j, 8 * n_));
    }
    for (Index q = 0; q < n_; ++q) {
      const Index k = is_odd(q) ? (n_ - 1 - q) / 2 : q / 2;
      const Wide root = 2.0L * root_of_unity(4 * k + 1, 8 * n_);
      add_part(k, is_odd(q) ? Wide(root.imag(), -root.real()) : root, sine_ && is_odd(q));
    }
    return tables_;
  }

  /// An odd multiple of a quarter of a half wave, and the sign with which it stands for another.
  struct Representative {
    Index index;
    bool negative;
  };

  /// The number j for which cos(2 pi a b / 8n) of odd b is that of 2j+1, but for sign.
  Representative representative(Index a) const {
    if (a > 4 * n_) a = 8 * n_ - a;
    const bool negative = a > 2 * n_;
    if (negative) a = 4 * n_ - a;
    return {(a - 1) / 2, negative};
  }

  /// For odd n the four odd numbers +-(2j+1) and 4n +- (2j+1) are all different modulo 8, so one of
  /// them is n + 8a. The product of two such numbers, divided by 8n, is n/8 + a + b + 8ab/n: a real
  /// transform of n points in another order, turned by n/8. That a transform of the same length
  /// does is a result of S. C. Chan and K. L. Ho, Direct methods for computing discrete sinusoidal
  /// transforms, IEE Proceedings F 137 (1990).
  RealKindTables<Real> odd_type4() {
    start(Kind::r2c, Direction::forward, n_);
    for (Index a = 0; a < n_; ++a) {
      const Representative number = representative((n_ + 8 * a) % (8 * n_));
      add_input(reversed(number.index), number.negative);
    }
    const Wide turn = 2.0L * std::conj(root_of_unity(n_ % 8, 8));
    std::vector<PartTerm<Real>> ordered(static_cast<std::size_t>(n_));
    for (Index b = 0; b < n_; ++b) {
      const Representative number = representative((n_ + 8 * b) % (8 * n_));
      add_part(8 * b % n_, turn, number.negative != (sine_ && is_odd(number.index)));
      ordered[static_cast<std::size_t>(number.index)] = tables_.finish_parts.back();
    }
    tables_.finish_parts = std::move(ordered);
    return tables_;
  }

  Index n_;
  bool sine_;
  RealKindTables<Real> tables_{};
};

template <class Real>
RealKindTables<Real> own_weights(Kind kind, Index n) {
  switch (kind) {
    case Kind::dct1:
      return Tables<Real>(n, false).type1();
    case Kind::dct2:
      return Tables<Real>(n, false).type2();
    case Kind::dct3:
      return Tables<Real>(n, false).type3();
    case Kind::dct4:
      return Tables<Real>(n, false).type4();
    case Kind::dst1:
      return Tables<Real>(n, true).type1();
    case Kind::dst2:
      return Tables<Real>(n, true).type2();
    case Kind::dst3:
      return Tables<Real>(n, true).type3();
    case Kind::dst4:
      return Tables<Real>(n, true).type4();
    default:
      throw Error("kind " + to_string(kind) + " is neither a cosine nor a sine transform");
  }
}

}  // namespace

template <class Real>
RealKindTables<Real> real_kind_tables(Kind kind, Direction direction, Index n, bool orthogonal) {
  auto tables = own_weights<Real>(direction == Direction::forward ? kind : inverse(kind), n);
  if (!orthogonal) return tables;
  const OrthogonalWeights weights = orthogonal_weights(kind, direction);
  for (PlainTerm<Real>& term : tables.prepare_plain) {
    term.factor *= static_cast<Real>(weights.in(term.from, n));
  }
  // The ends have weights in type III only, where `second` of coefficient 0 counts for nothing.
  for (PairTerm<Real>& term : tables.prepare_pairs) {
    term.re *= static_cast<Real>(weights.in(term.first, n));
    term.im *= static_cast<Real>(weights.in(term.first, n));
  }
  for (std::size_t k = 0; k < tables.finish_plain.size(); ++k) {
    tables.finish_plain[k].factor *= static_cast<Real>(weights.out(static_cast<Index>(k), n));
  }
  for (std::size_t k = 0; k < tables.finish_parts.size(); ++k) {
    const auto weight = static_cast<Real>(weights.out(static_cast<Index>(k), n));
    tables.finish_parts[k].re *= weight;
    tables.finish_parts[k].im *= weight;
  }
  return tables;
}

template RealKindTables<float> real_kind_tables(Kind, Direction, Index, bool);
template RealKindTables<double> real_kind_tables(Kind, Direction, Index, bool);

}  // namespace weft
