#include "local/line_entries.hpp"

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

}  // namespace weft
