#include "local/stockham_batch.hpp"

#include <omp.h>

#include <algorithm>
#include <cstddef>

#include "device/alignment.hpp"
#include "device/copy_streaming.hpp"
#include "device/fetch_ahead.hpp"
#include "device/host_copy.hpp"

namespace weft::stockham {

namespace {

/// Buffers are on the stack, because execute runs in any number of threads and must not allocate.
/// Longer lines than fit go through the narrow kernel.
constexpr std::size_t scratch_bytes = 272 * 1024;

/// Shares of a thread that are worth starting it.
constexpr Index least_groups = 2;

}  // namespace

template <class Real>
LineBatch<Real>::LineBatch(const LocalAxis& line, Kind kind, Direction direction,
                           const Axes<LocalAxis>& loops, int threads, const Kernels<Real>& kernels,
                           LineMemory memory)
    : plan_(line, kind, direction, kernels),
      line_(line),
      loops_(loops),
      threads_(threads),
      kernels_(kernels) {
  const Line<Real> tables = plan_.line();
  in_unit_ = tables.in_real ? 1 : 2;
  out_unit_ = tables.out_real ? 1 : 2;
  const auto row_bytes = static_cast<std::size_t>(kernels.wide.lanes) * 2 * sizeof(Real);
  if (static_cast<std::size_t>(plan_.rows()) * row_bytes > scratch_bytes) {
    kernels_.wide = kernels.narrow;
    kernels_.half = kernels.narrow;
  }
  order_loops();
  for (const LocalAxis& loop : loops_) lines_ *= loop.length;
  const bool contiguous = line_.in_stride == in_unit_ && line_.out_stride == out_unit_;
  inside_ = contiguous && plan_.inside_kernel() != nullptr;
  fetches_ = memory.input && line_.in_stride == in_unit_;
  streams_ = memory.output && line_.out_stride == out_unit_;
  in_bytes_ = tables.in_elements * in_unit_ * Index{sizeof(Real)};
  out_bytes_ = tables.out_elements * out_unit_ * Index{sizeof(Real)};
  row_ = static_cast<Index>(aligned_up(static_cast<std::size_t>(out_bytes_)) / sizeof(Real));
  rows_ = inside_ ? 1 : kernels_.wide.lanes;
  groups_ = (lines_ + rows_ - 1) / rows_;
}

/// Lines side by side are neighbors in a group where that gives whole vectors on either side, if
/// lines are not contiguous there; other loops stay in the order of memory.
template <class Real>
void LineBatch<Real>::order_loops() {
  const auto score = [&](const LocalAxis& loop) {
    const bool in = line_.in_stride == in_unit_ || loop.in_stride == in_unit_;
    const bool out = line_.out_stride == out_unit_ || loop.out_stride == out_unit_;
    return int{in} + int{out};
  };
  std::stable_sort(loops_.begin(), loops_.end(), [&](const LocalAxis& a, const LocalAxis& b) {
    if (score(a) != score(b)) return score(a) < score(b);
    return a.in_stride + a.out_stride > b.in_stride + b.out_stride;
  });
}

template <class Real>
std::size_t LineBatch<Real>::work_bytes() const {
  return streams_ ? static_cast<std::size_t>(threads_ * rows_ * row_) * sizeof(Real) : 0;
}

template <class Real>
void LineBatch<Real>::execute(const Real* in, Real* out, Real* work) const {
  const Index threads = std::min<Index>(threads_, groups_ / least_groups);
  if (threads <= 1) return run_groups(0, groups_, in, out, work);
#pragma omp parallel num_threads(static_cast <int>(threads))
  {
    const Index share = omp_get_thread_num(), shares = omp_get_num_threads();
    run_groups(groups_ * share / shares, groups_ * (share + 1) / shares, in, out,
               streams_ ? work + share * rows_ * row_ : nullptr);
  }
}

template <class Real>
void LineBatch<Real>::run_groups(Index from, Index to, const Real* in, Real* out,
                                 Real* work) const {
  alignas(64) std::byte scratch[scratch_bytes];
  Real* const buffer = reinterpret_cast<Real*>(scratch);
  if (inside_) return run_inside(from, to, in, out, buffer, work);
  const int lanes = kernels_.wide.lanes;
  const Line<Real> line = plan_.line();
  LineCursor<Real> cursor(loops_, in, out, from * lanes);
  LineCursor<Real> ahead(loops_, in, out, (from + 1) * lanes);
  for (Index group = from; group < to; ++group) {
    if (fetches_ && group + 1 < to) fetch(ahead, lanes);
    Index lines = std::min<Index>(lanes, lines_ - group * lanes);
    if (2 * lines > lanes) {
      run_lines(kernels_.wide, line, cursor, lines, buffer, work);
    } else if (kernels_.half.lanes < lanes && 2 * lines > kernels_.half.lanes) {
      run_lines(kernels_.half, line, cursor, lines, buffer, work);
    } else {
      for (; lines > 0; lines -= kernels_.narrow.lanes) {
        run_lines(kernels_.narrow, line, cursor, std::min<Index>(lines, kernels_.narrow.lanes),
                  buffer, work);
      }
    }
  }
  if (streams_) finish_streaming();
}

template <class Real>
void LineBatch<Real>::run_inside(Index from, Index to, const Real* in, Real* out, Real* buffer,
                                 Real* work) const {
  const Line<Real> line = plan_.line();
  LineCursor<Real> cursor(loops_, in, out, from);
  LineCursor<Real> ahead(loops_, in, out, from + 1);
  for (Index i = from; i < to; ++i) {
    if (fetches_ && i + 1 < to) fetch(ahead, 1);
    plan_.inside_kernel()->run_inside(line, cursor.in(), streams_ ? work : cursor.out(), buffer);
    if (streams_) copy_streaming(cursor.out(), work, out_bytes_);
    cursor.advance();
  }
  if (streams_) finish_streaming();
}

template <class Real>
void LineBatch<Real>::fetch(LineCursor<Real>& ahead, Index lines) const {
  for (Index i = 0; i < lines; ++i) {
    fetch_ahead(ahead.in(), in_bytes_);
    ahead.advance();
  }
}

template <class Real>
void LineBatch<Real>::run_lines(const Kernel<Real>& kernel, const Line<Real>& line,
                                LineCursor<Real>& cursor, Index lines, Real* buffer,
                                Real* work) const {
  Group<Real> group;
  Real* to[most_lanes];
  for (int lane = 0; lane < kernel.lanes; ++lane) {
    // Lanes without a line of their own repeat the last one.
    group.in[lane] = lane < lines ? cursor.in() : group.in[lane - 1];
    to[lane] = lane < lines ? cursor.out() : to[lane - 1];
    group.out[lane] = streams_ ? work + std::min<Index>(lane, lines - 1) * row_ : to[lane];
    if (lane < lines) cursor.advance();
  }
  group.in_stride = line_.in_stride;
  group.out_stride = line_.out_stride;
  group.in_access = access(group.in, kernel.lanes, line_.in_stride, in_unit_);
  group.out_access = access(group.out, kernel.lanes, line_.out_stride, out_unit_);
  kernel.run(line, group, buffer);
  for (int lane = 0; streams_ && lane < lines; ++lane) {
    copy_streaming(to[lane], group.out[lane], out_bytes_);
  }
}

template <class Real>
Access LineBatch<Real>::access(const Real* const* lines, int lanes, Index stride,
                               Index unit) const {
  bool side_by_side = true;
  for (int lane = 1; lane < lanes; ++lane) {
    side_by_side = side_by_side && lines[lane] == lines[0] + lane * unit;
  }
  if (side_by_side) return Access::rows;
  return stride == unit ? Access::lines : Access::elements;
}

template class LineBatch<float>;
template class LineBatch<double>;

}  // namespace weft::stockham
