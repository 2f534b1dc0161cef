#include "local/row_kernels.hpp"

#include <algorithm>

#include "local/stockham_vector.hpp"

namespace weft {

namespace {

using stockham::load;
using stockham::store;
using stockham::unrolled;

template <class Real, int lanes>
using V = stockham::Vector<Real, lanes>;

/// What a step does, for vectors of any number of bytes. Lines that do not fill a vector go one by
/// one.
template <class Real>
struct Plain {
  template <int bytes>
  [[gnu::always_inline]] static void run(const std::vector<PlainTerm<Real>>& terms,
                                         Rows<const Real> from, Rows<Real> to, Index lines) {
    constexpr int lanes = bytes / sizeof(Real);
    Real* result = to.data;
    for (const PlainTerm<Real>& term : terms) {
      const Real* number = from.data + term.from * from.stride;
      const Real factor = term.factor;
      Index l = 0;
      for (; l + lanes <= lines; l += lanes) {
        store(result + l, factor * load<V<Real, lanes>>(number + l));
      }
      for (; l < lines; ++l) result[l] = factor * number[l];
      result += to.stride;
    }
  }
};

template <class Real, int lanes, int... i>
[[gnu::always_inline]] inline void interleave(V<Real, lanes>& a, V<Real, lanes>& b,
                                              stockham::Sequence<i...>) {
  const auto low = __builtin_shufflevector(a, b, (i % 2 * lanes + i / 2)...);
  const auto high = __builtin_shufflevector(a, b, (i % 2 * lanes + lanes / 2 + i / 2)...);
  a = low;
  b = high;
}

template <class Real, int lanes, int... i>
[[gnu::always_inline]] inline void separate(V<Real, lanes>& a, V<Real, lanes>& b,
                                            stockham::Sequence<i...>) {
  const auto even = __builtin_shufflevector(a, b, (2 * i)...);
  const auto odd = __builtin_shufflevector(a, b, (2 * i + 1)...);
  a = even;
  b = odd;
}

template <class Real>
struct Pairs {
  template <int bytes>
  [[gnu::always_inline]] static void run(const std::vector<PairTerm<Real>>& terms,
                                         Rows<const Real> from, Rows<Real> to, Index lines) {
    constexpr int lanes = bytes / sizeof(Real);
    using Numbers = V<Real, lanes>;
    using All = typename stockham::MakeSequence<lanes>::Type;
    Real* result = to.data;
    for (const PairTerm<Real>& term : terms) {
      const Real* first = from.data + term.first * from.stride;
      const Real* second = from.data + term.second * from.stride;
      const Real re = term.re, im = term.im;
      Index l = 0;
      for (; l + lanes <= lines; l += lanes) {
        const Numbers a = load<Numbers>(first + l), b = load<Numbers>(second + l);
        Numbers low = re * a + im * b, high = im * a - re * b;
        interleave<Real, lanes>(low, high, All{});
        store(result + 2 * l, low);
        store(result + 2 * l + lanes, high);
      }
      for (; l < lines; ++l) {
        result[2 * l] = re * first[l] + im * second[l];
        result[2 * l + 1] = im * first[l] - re * second[l];
      }
      result += to.stride;
    }
  }
};

template <class Real>
struct Parts {
  template <int bytes>
  [[gnu::always_inline]] static void run(const std::vector<PartTerm<Real>>& terms,
                                         Rows<const Real> from, Rows<Real> to, Index lines) {
    constexpr int lanes = bytes / sizeof(Real);
    using Numbers = V<Real, lanes>;
    using All = typename stockham::MakeSequence<lanes>::Type;
    Real* result = to.data;
    for (const PartTerm<Real>& term : terms) {
      const Real* number = from.data + term.from * from.stride;
      const Real re = term.re, im = term.im;
      Index l = 0;
      for (; l + lanes <= lines; l += lanes) {
        Numbers a = load<Numbers>(number + 2 * l), b = load<Numbers>(number + 2 * l + lanes);
        separate<Real, lanes>(a, b, All{});
        store(result + l, re * a - im * b);
      }
      for (; l < lines; ++l) result[l] = re * number[2 * l] - im * number[2 * l + 1];
      result += to.stride;
    }
  }
};

/// Square blocks of contiguous lines turn in registers; the rest goes cache line by cache line.
template <class Real>
struct Gather {
  template <int bytes>
  [[gnu::always_inline]] static void run(const Real* const* from, Index stride, Rows<Real> to,
                                         Index count, Index lines) {
    constexpr int lanes = bytes / sizeof(Real);
    Index l = 0;
    for (; stride == 1 && l + lanes <= lines; l += lanes) {
      Index e = 0;
      for (; e + lanes <= count; e += lanes) {
        V<Real, lanes> block[lanes];
        unrolled<lanes>([&](auto number) __attribute__((always_inline)) {
          constexpr int i = decltype(number)::number;
          block[i] = load<V<Real, lanes>>(from[l + i] + e);
        });
        stockham::transpose<lanes>(block);
        unrolled<lanes>([&](auto number) __attribute__((always_inline)) {
          constexpr int i = decltype(number)::number;
          store(to.data + (e + i) * to.stride + l, block[i]);
        });
      }
      one_by_one(from, stride, to, e, count, l, l + lanes);
    }
    one_by_one(from, stride, to, 0, count, l, lines);
  }

  [[gnu::always_inline]] static void one_by_one(const Real* const* from, Index stride,
                                                Rows<Real> to, Index first, Index last,
                                                Index first_line, Index last_line) {
    constexpr Index block = 64 / sizeof(Real);
    for (Index begin = first; begin < last; begin += block) {
      const Index end = std::min(begin + block, last);
      for (Index l = first_line; l < last_line; ++l) {
        for (Index e = begin; e < end; ++e) to.data[e * to.stride + l] = from[l][e * stride];
      }
    }
  }
};

template <class Real>
struct Scatter {
  template <int bytes>
  [[gnu::always_inline]] static void run(Rows<const Real> from, Real* const* to, Index stride,
                                         Index count, Index lines) {
    constexpr int lanes = bytes / sizeof(Real);
    Index l = 0;
    for (; stride == 1 && l + lanes <= lines; l += lanes) {
      Index e = 0;
      for (; e + lanes <= count; e += lanes) {
        V<Real, lanes> block[lanes];
        unrolled<lanes>([&](auto number) __attribute__((always_inline)) {
          constexpr int i = decltype(number)::number;
          block[i] = load<V<Real, lanes>>(from.data + (e + i) * from.stride + l);
        });
        stockham::transpose<lanes>(block);
        unrolled<lanes>([&](auto number) __attribute__((always_inline)) {
          constexpr int i = decltype(number)::number;
          store(to[l + i] + e, block[i]);
        });
      }
      one_by_one(from, to, stride, e, count, l, l + lanes);
    }
    one_by_one(from, to, stride, 0, count, l, lines);
  }

  [[gnu::always_inline]] static void one_by_one(Rows<const Real> from, Real* const* to,
                                                Index stride, Index first, Index last,
                                                Index first_line, Index last_line) {
    constexpr Index block = 64 / sizeof(Real);
    for (Index begin = first; begin < last; begin += block) {
      const Index end = std::min(begin + block, last);
      for (Index l = first_line; l < last_line; ++l) {
        for (Index e = begin; e < end; ++e) to[l][e * stride] = from.data[e * from.stride + l];
      }
    }
  }
};

template <class Step, class... Arguments>
void portable(Arguments... arguments) {
  Step::template run<16>(arguments...);
}

#if defined(__x86_64__)
template <class Step, class... Arguments>
[[gnu::target("avx2")]] void with_avx2(Arguments... arguments) {
  Step::template run<32>(arguments...);
}

template <class Step, class... Arguments>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")]] void with_avx512(
    Arguments... arguments) {
  Step::template run<64>(arguments...);
}
#endif

}  // namespace

template <class Real>
RowKernels<Real> row_kernels([[maybe_unused]] stockham::InstructionSet set) {
  using stockham::InstructionSet;
#if defined(__x86_64__)
  if (set == InstructionSet::avx512) {
    return {with_avx512<Plain<Real>>, with_avx512<Pairs<Real>>, with_avx512<Parts<Real>>,
            with_avx512<Gather<Real>>, with_avx512<Scatter<Real>>};
  }
  if (set == InstructionSet::avx2) {
    return {with_avx2<Plain<Real>>, with_avx2<Pairs<Real>>, with_avx2<Parts<Real>>,
            with_avx2<Gather<Real>>, with_avx2<Scatter<Real>>};
  }
#endif
  return {portable<Plain<Real>>, portable<Pairs<Real>>, portable<Parts<Real>>,
          portable<Gather<Real>>, portable<Scatter<Real>>};
}

template RowKernels<float> row_kernels(stockham::InstructionSet);
template RowKernels<double> row_kernels(stockham::InstructionSet);

}  // namespace weft
