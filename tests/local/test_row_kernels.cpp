// The steps of cosine and sine transforms give the same bits with every instruction set, whatever
// it leaves over that does not fill a vector.
#include <gtest/gtest.h>

#include <algorithm>

#include "local/row_kernels.hpp"
#include "verify/random.hpp"

namespace weft {
namespace {

constexpr Index n = 37, pitch = 81;

template <class Real>
std::vector<Real> random_numbers(std::size_t count) {
  std::vector<Real> numbers;
  for (std::size_t i = 0; i < count; ++i) {
    numbers.push_back(static_cast<Real>(random_value(i, 5)));
  }
  return numbers;
}

/// Lines through all steps of a kind but the Fourier transform.
template <class Real>
std::vector<Real> run(InstructionSet set, Kind kind, Index stride, Index lines) {
  const RowKernels<Real> kernels = row_kernels<Real>(set);
  const auto tables = real_kind_tables<Real>(kind, Direction::forward, n);
  const auto in = random_numbers<Real>(static_cast<std::size_t>(n * stride * lines));
  // Sine transforms of type I need twice as many rows, and four more.
  std::vector<Real> rows(static_cast<std::size_t>(n * pitch)), out(in);
  std::vector<Real> prepared(static_cast<std::size_t>((2 * n + 4) * pitch));
  std::vector<const Real*> from;
  std::vector<Real*> to;
  for (Index line = 0; line < lines; ++line) {
    from.push_back(in.data() + line * n * stride);
    to.push_back(out.data() + line * n * stride);
  }
  std::vector<RowPlace<Real>> backwards;
  for (Index e = 0; e < n; ++e) backwards.push_back({n - 1 - e, e % 2 == 0 ? Real{1} : Real{-2}});
  kernels.gather(from.data(), stride, backwards, {rows.data(), pitch}, lines);
  if (tables.prepare_plain.empty()) {
    kernels.pairs(tables.prepare_pairs, {rows.data(), pitch}, {prepared.data(), 2 * pitch}, lines);
  } else {
    kernels.plain(tables.prepare_plain, {rows.data(), pitch}, {prepared.data(), pitch}, lines);
  }
  if (tables.finish_plain.empty()) {
    std::vector<PlacedPart<Real>> parts;
    for (const PartTerm<Real>& term : tables.finish_parts) {
      parts.push_back({static_cast<Index>(parts.size()), term});
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const auto& a, const auto& b) { return a.term.from < b.term.from; });
    kernels.parts(parts, {prepared.data(), 2 * pitch}, {rows.data(), pitch}, lines);
  } else {
    kernels.plain(tables.finish_plain, {prepared.data(), pitch}, {rows.data(), pitch}, lines);
  }
  kernels.scatter({rows.data(), pitch}, backwards, to.data(), stride, lines);
  return out;
}

template <class Real>
void check_all() {
  for (const InstructionSet set : usable_instruction_sets()) {
    for (const Kind kind : {Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1, Kind::dst3}) {
      for (const Index stride : {1, 2}) {
        for (const Index lines : {1, 3, 4, 8, 15, 16, 33, 80}) {
          EXPECT_EQ(run<Real>(set, kind, stride, lines),
                    run<Real>(InstructionSet::portable, kind, stride, lines))
              << to_string(set) << " " << to_string(kind) << " " << lines;
        }
      }
    }
  }
}

TEST(RowKernels, InstructionSetsAgreeInDoublePrecision) {
  check_all<double>();
}
TEST(RowKernels, InstructionSetsAgreeInSinglePrecision) {
  check_all<float>();
}

}  // namespace
}  // namespace weft
