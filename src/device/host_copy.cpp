#include "device/host_copy.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "device/copy_loops.hpp"
#include "device/copy_streaming.hpp"
#include "device/fetch_ahead.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace weft {

namespace {

/// Elements by value: real and complex numbers of both precisions.
template <class Real>
struct Complex {
  Real re, im;
};
template <class Real>
Complex<Real> operator*(const Complex<Real>& value, Real factor) {
  return {value.re * factor, value.im * factor};
}

template <class T>
struct RealOf {
  using type = T;
};
template <class Real>
struct RealOf<Complex<Real>> {
  using type = Real;
};

/// What happens to an element while it is copied.
struct Unchanged {
  template <class T>
  const T& operator()(const T& value) const {
    return value;  // NOLINT(bugprone-return-const-ref-from-parameter): of no temporary
  }
};
template <class Real>
struct Scaled {
  Real factor;
  template <class T>
  T operator()(const T& value) const {
    return value * factor;
  }
};

#if defined(__SSE2__)
template <class T>
void store_streaming(T* to, const T& value) {
  if constexpr (sizeof(T) == 16) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(&value)));
  } else if constexpr (sizeof(T) == 8) {
    long long bits;
    std::memcpy(&bits, &value, sizeof bits);
    _mm_stream_si64(reinterpret_cast<long long*>(to), bits);
  } else {
    int bits;
    std::memcpy(&bits, &value, sizeof bits);
    _mm_stream_si32(reinterpret_cast<int*>(to), bits);
  }
}
constexpr bool have_streaming = true;
#else
template <class T>
void store_streaming(T* to, const T& value) {
  *to = value;
}
constexpr bool have_streaming = false;
#endif

constexpr std::uintptr_t line_bytes = 64;

/// The part of a line of elements that fills whole cache lines: only these are stored past the
/// cache, as a partly written cache line would cost a read and a write of its own.
struct WholeLines {
  Index first = 0;
  Index last = 0;
};

template <class T>
WholeLines whole_lines(const T* to, Index count, Store how) {
  const auto address = reinterpret_cast<std::uintptr_t>(to);
  if (!have_streaming || how != Store::streaming || address % sizeof(T) != 0) return {count, count};
  const auto per_line = static_cast<Index>(line_bytes / sizeof(T));
  const auto first = static_cast<Index>(-address % line_bytes / sizeof(T));
  if (first >= count) return {count, count};
  return {first, first + (count - first) / per_line * per_line};
}

/// A contiguous run.
template <class T, class Change>
void copy_run(T* to, const T* from, Index count, Store how, Change change) {
  if constexpr (std::is_same_v<Change, Unchanged>) {
    const Index bytes = count * static_cast<Index>(sizeof(T));
    if (how == Store::streaming) return copy_streaming(to, from, bytes);
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  } else {
    const WholeLines whole = whole_lines(to, count, how);
    for (Index i = 0; i < whole.first; ++i) to[i] = change(from[i]);
    for (Index i = whole.first; i < whole.last; ++i) store_streaming(to + i, change(from[i]));
    for (Index i = whole.last; i < count; ++i) to[i] = change(from[i]);
  }
}

/// Two axes, of which the inner one is the fastest in the target and the outer one in the source.
/// Blocks of a few whole cache lines on both sides: 8 x 16 bytes are two lines, 16 x 4 bytes one.
template <class T, class Change>
void transpose(T* to, const T* from, const CopyLoop& outer, const CopyLoop& inner, Store how,
               Change change) {
  constexpr Index block = sizeof(T) >= 8 ? 8 : 16;
  const Store store = inner.to == 1 ? how : Store::cached;
  for (Index o = 0; o < outer.count; o += block) {
    const Index o_end = std::min(o + block, outer.count);
    for (Index i = 0; i < inner.count; i += block) {
      for (Index a = o; a < o_end; ++a) {
        T* const line = to + a * outer.to;
        const T* const column = from + a * outer.from;
        // Lines start anywhere within a cache line; each one's blocks are shifted to whole ones.
        const WholeLines whole = whole_lines(line, inner.count, store);
        const Index shift = whole.first < whole.last ? whole.first : 0;
        const Index first = i == 0 ? 0 : i + shift;
        const Index last = std::min(i + block + shift, inner.count);
        Index b = first;
        const Index streamed_from = std::max(first, whole.first);
        const Index streamed_to = std::min(last, whole.last);
        for (; b < std::min(last, streamed_from); ++b) {
          line[b * inner.to] = change(column[b * inner.from]);
        }
        for (; b < streamed_to; ++b) store_streaming(line + b, change(column[b * inner.from]));
        for (; b < last; ++b) line[b * inner.to] = change(column[b * inner.from]);
      }
    }
  }
}

/// Goes through all positions of some loops, the last one fastest. Offsets are in elements.
class Positions {
 public:
  explicit Positions(const Axes<CopyLoop>& loops)
      : loops_(loops), at_(Axes<Index>::filled(loops.size(), 0)) {}

  Index to() const { return to_; }
  Index from() const { return from_; }
  bool is_end() const { return is_end_; }

  void advance() {
    for (int axis = loops_.size() - 1; axis >= 0; --axis) {
      to_ += loops_[axis].to;
      from_ += loops_[axis].from;
      if (++at_[axis] < loops_[axis].count) return;
      to_ -= loops_[axis].to * loops_[axis].count;
      from_ -= loops_[axis].from * loops_[axis].count;
      at_[axis] = 0;
    }
    is_end_ = true;
  }

 private:
  const Axes<CopyLoop>& loops_;
  Axes<Index> at_;
  Index to_ = 0;
  Index from_ = 0;
  bool is_end_ = false;
};

/// Contiguous runs, each of which is fetched while those before it are copied: processors follow a
/// run that they have seen begin, but do not know where the next one is.
template <class T, class Change>
void copy_runs(const Axes<CopyLoop>& runs, T* to, const T* from, Index count, Store store,
               Load load, Change change) {
  constexpr Index bytes_ahead = 2048, long_run = 8192;
  const Index bytes_each = count * static_cast<Index>(sizeof(T));
  const bool fetches = load == Load::ahead && bytes_each <= long_run;
  Positions ahead(runs);
  for (Index bytes = 0; fetches && bytes < bytes_ahead && !ahead.is_end(); bytes += bytes_each) {
    ahead.advance();
  }
  for (Positions run(runs); !run.is_end(); run.advance()) {
    if (fetches && !ahead.is_end()) {
      fetch_ahead(from + ahead.from(), bytes_each);
      ahead.advance();
    }
    copy_run(to + run.to(), from + run.from(), count, store, change);
  }
}

template <class T, class Change>
void copy_loops(const Axes<CopyLoop>& loops, std::byte* to_bytes, const std::byte* from_bytes,
                Store how, Load load, Change change) {
  auto* to = reinterpret_cast<T*>(to_bytes);
  const auto* from = reinterpret_cast<const T*>(from_bytes);
  if (loops.empty()) {
    *to = change(*from);
    return;
  }
  const int last = loops.size() - 1;
  const CopyLoop inner = loops[last];
  const bool run = inner.to == 1 && inner.from == 1;
  // The axis that goes with the inner one: where data is transposed, the source's fastest.
  int partner = last - 1;
  if (!run) {
    for (int i = 0; i < last; ++i) {
      if (partner < 0 || loops[i].from < loops[partner].from) partner = i;
    }
  }
  const CopyLoop outer = partner >= 0 && !run ? loops[partner] : CopyLoop{1, 0, 0};
  Axes<CopyLoop> rest;
  for (int i = 0; i < last; ++i) {
    if (run || i != partner) rest.push_back(loops[i]);
  }
  if (run) return copy_runs(rest, to, from, inner.count, how, load, change);
  for (Positions at(rest); !at.is_end(); at.advance()) {
    transpose(to + at.to(), from + at.from(), outer, inner, how, change);
  }
}

template <class T>
void copy_typed(const Axes<CopyLoop>& loops, std::byte* to, const std::byte* from, Store how,
                double scale, Load load) {
  using Real = typename RealOf<T>::type;
  if (scale == 1) {
    copy_loops<T>(loops, to, from, how, load, Unchanged{});
  } else {
    copy_loops<T>(loops, to, from, how, load, Scaled<Real>{static_cast<Real>(scale)});
  }
}

}  // namespace

void copy_block(const Extents& extents, const MutableBlock& to, const ConstBlock& from,
                CopyElement element, Store how, double scale, Load load) {
  if (is_empty(extents)) return;
  const Axes<CopyLoop> loops = ordered_loops(extents, to.stride, from.stride);
  const auto copy = [&]<class T>(T) { copy_typed<T>(loops, to.data, from.data, how, scale, load); };
  const bool single = element.precision == Precision::f32;
  if (element.complex) return single ? copy(Complex<float>{}) : copy(Complex<double>{});
  return single ? copy(0.0F) : copy(0.0);
}

void clear_block(const Extents& extents, const MutableBlock& to, CopyElement element) {
  alignas(16) static constexpr std::byte zero[16]{};
  copy_block(extents, to, {zero, Strides::filled(extents.size(), 0)}, element, Store::cached);
}

void finish_streaming() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace weft
