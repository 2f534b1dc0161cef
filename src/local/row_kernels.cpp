#include "local/row_kernels.hpp"

#include <algorithm>

#include "local/stockham_transpose.hpp"

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
  [[gnu::always_inline]] static void run(const std::vector<PlacedPart<Real>>& terms,
                                         Rows<const Real> from, Rows<Real> to, Index lines) {
    const PlacedPart<Real>* const end = terms.data() + terms.size();
    for (const PlacedPart<Real>* part = terms.data(); part != end; ++part) {
      const Real* const number = from.data + part->term.from * from.stride;
      Real* const result = to.data + part->to * to.stride;
      if (part + 1 == end || part[1].term.from != part->term.from) {
        one<bytes>(part->term, number, result, lines);
        continue;
      }
      two<bytes>(part[0].term, part[1].term, number, result, to.data + part[1].to * to.stride,
                 lines);
      ++part;
    }
  }

  template <int bytes>
  [[gnu::always_inline]] static void one(const PartTerm<Real>& term, const Real* number,
                                         Real* result, Index lines) {
    constexpr int lanes = bytes / sizeof(Real);
    const Real re = term.re, im = term.im;
    Index l = 0;
    for (; l + lanes <= lines; l += lanes) {
      V<Real, lanes> a, b;
      load_parts<lanes>(number + 2 * l, a, b);
      store(result + l, re * a - im * b);
    }
    for (; l < lines; ++l) result[l] = re * number[2 * l] - im * number[2 * l + 1];
  }

  template <int bytes>
  [[gnu::always_inline]] static void two(const PartTerm<Real>& first, const PartTerm<Real>& second,
                                         const Real* number, Real* first_result,
                                         Real* second_result, Index lines) {
    constexpr int lanes = bytes / sizeof(Real);
    const Real first_re = first.re, first_im = first.im;
    const Real second_re = second.re, second_im = second.im;
    Index l = 0;
    for (; l + lanes <= lines; l += lanes) {
      V<Real, lanes> a, b;
      load_parts<lanes>(number + 2 * l, a, b);
      store(first_result + l, first_re * a - first_im * b);
      store(second_result + l, second_re * a - second_im * b);
    }
    for (; l < lines; ++l) {
      const Real a = number[2 * l], b = number[2 * l + 1];
      first_result[l] = first_re * a - first_im * b;
      second_result[l] = second_re * a - second_im * b;
    }
  }

  template <int lanes>
  [[gnu::always_inline]] static void load_parts(const Real* number, V<Real, lanes>& re,
                                                V<Real, lanes>& im) {
    re = load<V<Real, lanes>>(number);
    im = load<V<Real, lanes>>(number + lanes);
    separate<Real, lanes>(re, im, typename stockham::MakeSequence<lanes>::Type{});
  }
};

/// Square blocks of contiguous lines turn in registers; the rest goes cache line by cache line.
template <class Real>
struct Gather {
  template <int bytes>
  [[gnu::always_inline]] static void run(const Real* const* from, Index stride,
                                         const std::vector<RowPlace<Real>>& places, Rows<Real> to,
                                         Index lines) {
    constexpr int lanes = bytes / sizeof(Real);
    const auto count = static_cast<Index>(places.size());
    const RowPlace<Real>* const place = places.data();
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
          store(to.data + place[e + i].row * to.stride + l, place[e + i].factor * block[i]);
        });
      }
      one_by_one(from, stride, place, to, e, count, l, l + lanes);
    }
    one_by_one(from, stride, place, to, 0, count, l, lines);
  }

  [[gnu::always_inline]] static void one_by_one(const Real* const* from, Index stride,
                                                const RowPlace<Real>* place, Rows<Real> to,
                                                Index first, Index last, Index first_line,
                                                Index last_line) {
    constexpr Index block = 64 / sizeof(Real);
    for (Index begin = first; begin < last; begin += block) {
      const Index end = std::min(begin + block, last);
      for (Index l = first_line; l < last_line; ++l) {
        for (Index e = begin; e < end; ++e) {
          to.data[place[e].row * to.stride + l] = place[e].factor * from[l][e * stride];
        }
      }
    }
  }
};

template <class Real>
struct Scatter {
  template <int bytes>
  [[gnu::always_inline]] static void run(Rows<const Real> from,
                                         const std::vector<RowPlace<Real>>& places, Real* const* to,
                                         Index stride, Index lines) {
    constexpr int lanes = bytes / sizeof(Real);
    const auto count = static_cast<Index>(places.size());
    const RowPlace<Real>* const place = places.data();
    Index l = 0;
    for (; stride == 1 && l + lanes <= lines; l += lanes) {
      Index e = 0;
      for (; e + lanes <= count; e += lanes) {
        V<Real, lanes> block[lanes];
        unrolled<lanes>([&](auto number) __attribute__((always_inline)) {
          constexpr int i = decltype(number)::number;
          block[i] = place[e + i].factor *
                     load<V<Real, lanes>>(from.data + place[e + i].row * from.stride + l);
        });
        stockham::transpose<lanes>(block);
        unrolled<lanes>([&](auto number) __attribute__((always_inline)) {
          constexpr int i = decltype(number)::number;
          store(to[l + i] + e, block[i]);
        });
      }
      one_by_one(from, place, to, stride, e, count, l, l + lanes);
    }
    one_by_one(from, place, to, stride, 0, count, l, lines);
  }

  [[gnu::always_inline]] static void one_by_one(Rows<const Real> from, const RowPlace<Real>* place,
                                                Real* const* to, Index stride, Index first,
                                                Index last, Index first_line, Index last_line) {
    constexpr Index block = 64 / sizeof(Real);
    for (Index begin = first; begin < last; begin += block) {
      const Index end = std::min(begin + block, last);
      for (Index l = first_line; l < last_line; ++l) {
        for (Index e = begin; e < end; ++e) {
          to[l][e * stride] = place[e].factor * from.data[place[e].row * from.stride + l];
        }
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
RowKernels<Real> row_kernels([[maybe_unused]] InstructionSet set) {
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

template RowKernels<float> row_kernels(InstructionSet);
template RowKernels<double> row_kernels(InstructionSet);

}  // namespace weft
