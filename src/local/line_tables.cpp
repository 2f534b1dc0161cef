#include "local/line_tables.hpp"

#include <algorithm>

namespace weft {

namespace {

std::int32_t narrow(Index place) {
  return static_cast<std::int32_t>(place);
}

/// Makes their number even.
template <class Real>
void complete(std::vector<PlainEntry<Real>>& entries) {
  if (entries.size() % 2 != 0) entries.push_back({no_place, no_place, 0});
}

template <class Real>
std::vector<PlainEntry<Real>> prepared_plain(const std::vector<PlainTerm<Real>>& terms,
                                             Index in_points) {
  std::vector<PlainEntry<Real>> entries;
  for (std::size_t to = 0; to < terms.size(); ++to) {
    const PlainTerm<Real>& term = terms[to];
    const bool zero = term.factor == 0 || term.from >= in_points;
    entries.push_back(
        {zero ? no_place : narrow(term.from), static_cast<std::int32_t>(to), term.factor});
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const auto& a, const auto& b) { return a.from < b.from; });
  // Zeros first, two and two.
  const auto zeros = std::count_if(entries.begin(), entries.end(),
                                   [](const auto& entry) { return entry.from == no_place; });
  if (zeros % 2 != 0) entries.insert(entries.begin(), {no_place, no_place, 0});
  complete(entries);
  return entries;
}

template <class Real>
std::vector<PairEntry<Real>> prepared_pairs(const std::vector<PairTerm<Real>>& terms,
                                            Index in_points) {
  std::vector<PairEntry<Real>> entries;
  const auto place = [in_points](Index from) { return from < in_points ? narrow(from) : no_place; };
  for (const PairTerm<Real>& term : terms) {
    entries.push_back({place(term.first), place(term.second), term.re, term.im});
  }
  return entries;
}

template <class Real>
std::vector<PlainEntry<Real>> finished_plain(const std::vector<PlainTerm<Real>>& terms,
                                             Real scale) {
  std::vector<PlainEntry<Real>> entries;
  for (std::size_t to = 0; to < terms.size(); ++to) {
    entries.push_back(
        {narrow(terms[to].from), static_cast<std::int32_t>(to), scale * terms[to].factor});
  }
  complete(entries);
  return entries;
}

/// Results that are made of the same number share an entry.
template <class Real>
std::vector<PartsEntry<Real>> finished_parts(const std::vector<PartTerm<Real>>& terms, Real scale) {
  std::vector<std::int32_t> order;
  for (std::size_t to = 0; to < terms.size(); ++to) order.push_back(static_cast<std::int32_t>(to));
  const auto term_of = [&](std::int32_t to) { return terms[static_cast<std::size_t>(to)]; };
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return term_of(a).from < term_of(b).from;
  });
  std::vector<PartsEntry<Real>> entries;
  for (const std::int32_t to : order) {
    const PartTerm<Real> term = term_of(to);
    const bool shared =
        !entries.empty() && entries.back().from == term.from && entries.back().to[1] == no_place;
    if (!shared) entries.push_back({narrow(term.from), {no_place, no_place}, {}, {}});
    PartsEntry<Real>& entry = entries.back();
    const int which = shared ? 1 : 0;
    entry.to[which] = to;
    entry.re[which] = scale * term.re;
    entry.im[which] = scale * term.im;
  }
  return entries;
}

/// So many complex lines side by side make long enough rows for kernels.
constexpr std::uint32_t least_row = 16;

/// The loop whose first half goes with its second half: the slowest one of even length, so that
/// rows stay long, otherwise the longest one.
int paired_loop(const Axes<LocalAxis>& loops) {
  int longest = 0;
  for (int i = 0; i < loops.size(); ++i) {
    if (loops[i].length % 2 == 0) return i;
    if (loops[i].length > loops[longest].length) longest = i;
  }
  return longest;
}

}  // namespace

template <class Real>
LineEntries<Real> line_entries(const RealKindTables<Real>& tables, Index in_points,
                               Index out_points, double scale) {
  const auto kept = [out_points](auto terms) {
    terms.resize(std::min(terms.size(), static_cast<std::size_t>(out_points)));
    return terms;
  };
  // Steps find twice the numbers of joined lines.
  const double of_parts = tables.kind == Kind::r2c ? scale / 2 : scale;
  return {prepared_plain(tables.prepare_plain, in_points),
          prepared_pairs(tables.prepare_pairs, in_points),
          finished_plain(kept(tables.finish_plain), static_cast<Real>(scale)),
          finished_parts(kept(tables.finish_parts), static_cast<Real>(of_parts))};
}

template LineEntries<float> line_entries(const RealKindTables<float>&, Index, Index, double);
template LineEntries<double> line_entries(const RealKindTables<double>&, Index, Index, double);

Lines real_lines(const LocalProblem& problem, Index points, bool joined) {
  Lines lines{problem.transform[0], problem.batch, !problem.real_data, joined, points};
  if (!lines.of_complex) return lines;
  const auto in_reals = [](LocalAxis& axis) {
    axis.in_stride *= 2;
    axis.out_stride *= 2;
  };
  in_reals(lines.line);
  for (LocalAxis& loop : lines.loops) in_reals(loop);
  return lines;
}

LinePairs line_pairs(const Lines& lines, const Axes<LocalAxis>& loops, bool input) {
  const auto stride = [input](const LocalAxis& axis) {
    return input ? axis.in_stride : axis.out_stride;
  };
  LinePairs pairs;
  pairs.number_step = stride(lines.line);
  Axes<LocalAxis> halved = loops;
  if (lines.of_complex) {
    pairs.second = 1;
  } else {
    // A single line is the first one of a pair.
    if (halved.empty()) halved.push_back({1, 0, 0});
    const int paired = paired_loop(halved);
    const Index length = halved[paired].length, half = (length + 1) / 2;
    halved[paired].length = half;
    pairs.second = half * stride(halved[paired]);
    if (length % 2 != 0) {
      pairs.odd_loop = static_cast<std::uint32_t>(paired);
      pairs.odd_place = static_cast<std::uint32_t>(half - 1);
    }
  }
  Index count = 1, inner = 1;
  bool inside = true;
  for (int i = halved.size() - 1; i >= 0; --i) {
    count *= halved[i].length;
    inside = inside && stride(halved[i]) < pairs.number_step;
    if (inside) inner = count;
    pairs.loop_step[i] = stride(halved[i]);
    pairs.loop[i] = make_divisor(static_cast<std::uint32_t>(halved[i].length));
  }
  pairs.loops = static_cast<std::uint32_t>(halved.size());
  pairs.count = static_cast<std::uint32_t>(count);
  pairs.inner = static_cast<std::uint32_t>(inner);
  pairs.complex_points = static_cast<std::uint32_t>(lines.points);
  const bool side_by_side = pairs.inner >= least_row && lines.points > 1;
  const Index complex_lines = lines.joined ? count : 2 * count;
  pairs.complex_step = side_by_side ? complex_lines : 1;
  pairs.complex_pair = side_by_side ? 1 : lines.points;
  pairs.complex_second = lines.joined ? 0 : count * pairs.complex_pair;
  return pairs;
}

}  // namespace weft
