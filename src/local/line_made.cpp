#include "local/line_made.hpp"

#include <algorithm>

#include "kind/definition.hpp"
#include "kind/root_of_unity.hpp"
#include "local/line_sides.hpp"
#include "local/line_tables.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

/// How a pass transforms lines of a kind.
struct Treatment {
  LineForm form;
  LineNumbers in, out;
  Index points;
  Direction direction;
};

/// Whether neighboring numbers of all real lines, which are stored as a whole, are complex ones.
bool can_be_packed(const LocalProblem& problem) {
  const bool input = problem.real_input();
  const LocalAxis& line = problem.transform[0];
  const auto stride = [input](const LocalAxis& axis) {
    return input ? axis.in_stride : axis.out_stride;
  };
  return line.length % 2 == 0 && stride(line) == 1 && !problem.any_alignment &&
         stored_points(problem, 0, input) == line.length &&
         std::all_of(problem.batch.begin(), problem.batch.end(),
                     [&](const LocalAxis& axis) { return stride(axis) % 2 == 0; });
}

Treatment treatment_of(const LocalProblem& problem) {
  const Kind kind = problem.kinds[0];
  const Index n = problem.transform[0].length;
  const bool forward = problem.direction == Direction::forward;
  if (kind == Kind::c2c) {
    return {is_pruned(problem) ? LineForm::complex : LineForm::whole, LineNumbers::complex,
            LineNumbers::complex, n, problem.direction};
  }
  if (kind == Kind::r2c && can_be_packed(problem)) {
    return {forward ? LineForm::from_packed : LineForm::to_packed,
            forward ? LineNumbers::packed : LineNumbers::spectrum,
            forward ? LineNumbers::spectrum : LineNumbers::packed, n / 2, problem.direction};
  }
  if (kind == Kind::r2c) {
    return {forward ? LineForm::from_reals : LineForm::to_reals,
            forward ? LineNumbers::reals : LineNumbers::hermitian,
            forward ? LineNumbers::hermitian : LineNumbers::reals, n, problem.direction};
  }
  const RealKindTables<double> tables =
      real_kind_tables<double>(kind, problem.direction, n, problem.orthogonal);
  if (tables.kind == Kind::c2c) {
    return {LineForm::real_pairs, LineNumbers::pairs, LineNumbers::pairs, tables.points,
            tables.direction};
  }
  return {tables.direction == Direction::forward ? LineForm::from_reals : LineForm::to_reals,
          LineNumbers::reals, LineNumbers::reals, tables.points, tables.direction};
}

/// Pieces must be of complex numbers that are all stored.
bool suits_pieces(const LocalProblem& problem, const Treatment& treatment) {
  const auto suits = [&](const LocalPieces& pieces, LineNumbers numbers) {
    return pieces.empty() ||
           (pieces.pieces.size() <= SidePieces::most &&
            pieces.sums <= static_cast<int>(SidePieces::most_sums) &&
            (numbers == LineNumbers::spectrum ||
             (numbers == LineNumbers::complex && treatment.form == LineForm::whole)));
  };
  return suits(problem.in_pieces, treatment.in) && suits(problem.out_pieces, treatment.out);
}

/// Sides in pieces need some of it.
stockham::BlockMemory memory_of_block(const LineRunner& runner, const LocalProblem& problem) {
  const std::size_t all = runner.shared_bytes();
  if (!problem.has_pieces()) return {all};
  const std::size_t places = pieces_of(problem.in_pieces) + pieces_of(problem.out_pieces);
  const std::size_t sums = static_cast<std::size_t>(problem.out_pieces.sums) * sizeof(EncodingSums);
  // Each number has its piece, and threads are whole warps.
  const auto numbers =
      static_cast<std::size_t>(stored_points(problem, 0, true) + stored_points(problem, 0, false));
  const std::size_t of_block = numbers + sizeof(PiecePlace) + PieceLines::warp * sums;
  return {all - std::min(all, of_block), places * sizeof(PiecePlace), sums};
}

/// Entries in the order of the numbers that a pass has.
template <class Entry>
std::vector<Entry> by_number(const std::vector<Entry>& entries, Index count, Entry none,
                             std::int32_t Entry::*number) {
  std::vector<Entry> result(static_cast<std::size_t>(count), none);
  for (const Entry& entry : entries) {
    if (entry.*number != no_place) result[static_cast<std::size_t>(entry.*number)] = entry;
  }
  return result;
}

/// The tables of a cosine or sine transform, where they will be.
template <class Real>
void add_real_kind(const LocalProblem& problem, Index points, LineTables& tables, std::size_t& in,
                   std::size_t& out) {
  const auto entries =
      line_entries(real_kind_tables<Real>(problem.kinds[0], problem.direction,
                                          problem.transform[0].length, problem.orthogonal),
                   stored_points(problem, 0, true), stored_points(problem, 0, false), 1);
  const PlainEntry<Real> plain{no_place, no_place, 0};
  const PartsEntry<Real> parts{no_place, {no_place, no_place}, {}, {}};
  in = entries.prepare_pairs.empty()
           ? tables.add(by_number(entries.prepare_plain, points, plain, &PlainEntry<Real>::to))
           : tables.add(entries.prepare_pairs);
  out = entries.finish_parts.empty()
            ? tables.add(by_number(entries.finish_plain, points, plain, &PlainEntry<Real>::from))
            : tables.add(by_number(entries.finish_parts, points, parts, &PartsEntry<Real>::from));
}

/// exp(-2 pi i k / n) for the first half of the numbers of a packed line.
template <class Real>
std::size_t add_turns(Index n, LineTables& tables) {
  std::vector<Real> table;
  for (Index k = 0; 4 * k <= n; ++k) {
    const auto root = root_of_unity(k, n);
    table.push_back(static_cast<Real>(root.real()));
    table.push_back(static_cast<Real>(-root.imag()));
  }
  return tables.add(table);
}

template <class Real>
MadePass make_pass_of(const LineRunner& runner, const LocalProblem& problem, bool in_planes) {
  problem.stream->device().use();
  const Treatment treatment = treatment_of(problem);
  MadePass made;
  LinePass& pass = made.pass;
  pass.form = treatment.form;
  enter_lines(problem, treatment.in, treatment.out, pass);
  if (problem.has_pieces()) {
    made.pieces = std::make_unique<PieceSides>();
    enter_pieces(problem, pass, *made.pieces);
  }
  pass.backward = treatment.direction == Direction::backward;
  pass.scale = problem.scale;
  pass.in.stored = static_cast<std::uint32_t>(stored_points(problem, 0, true));
  pass.out.stored = static_cast<std::uint32_t>(stored_points(problem, 0, false));
  const Index lasting = runner.lasting_blocks();
  const bool may_last =
      !in_planes && !problem.has_pieces() && lasting > 0 && pass.in.across && pass.out.across;
  LinePlan plan(treatment.points, problem.precision, pass.form, memory_of_block(runner, problem),
                may_last ? pass.lines / lasting : 0);
  plan.add_to(made.tables);
  std::size_t in = 0, out = 0;
  const bool is_packed = pass.form == LineForm::from_packed || pass.form == LineForm::to_packed;
  const bool has_tables =
      is_packed || pass.form == LineForm::complex || is_real_kind(problem.kinds[0]);
  if (pass.form == LineForm::complex) {
    in = made.tables.add(stored_places(problem, true));
    out = made.tables.add(stored_places(problem, false));
  } else if (is_packed) {
    in = out = add_turns<Real>(problem.transform[0].length, made.tables);
  } else if (has_tables) {
    add_real_kind<Real>(problem, treatment.points, made.tables, in, out);
  }
  const std::size_t taken = plan.is_wide() ? made.tables.add(std::vector<std::uint32_t>{0}) : 0;
  if (plan.is_wide()) pass.lasting_blocks = static_cast<std::uint32_t>(lasting);
  made.complete(runner, problem, plan);
  if (plan.is_wide()) {
    pass.taken = const_cast<std::uint32_t*>(made.tables.at<std::uint32_t>(taken));
  }
  if (!problem.out_pieces.empty()) {
    const PieceLines lines{pass, *made.pieces};
    made.warp_sums =
        Buffer(problem.stream->device(), static_cast<std::size_t>(problem.out_pieces.sums) *
                                             lines.warps() * sizeof(EncodingSums));
  }
  if (has_tables) {
    pass.in.table = made.tables.at(in);
    pass.out.table = made.tables.at(out);
  }
  return made;
}

/// Pieces with the same sums share them.
void enter_sums(const FusedSides::Side& side, int planned, SidePieces& to) {
  for (std::size_t i = 0; i < side.pieces.size(); ++i) {
    EncodingSums* const sums = side.pieces[i].sums;
    EncodingSums** const end = to.sums + to.sum_count;
    EncodingSums** const found = std::find(to.sums, end, sums);
    if (sums == nullptr) {
      to.piece[i].sums = SidePieces::most_sums;
    } else {
      to.piece[i].sums = static_cast<std::uint8_t>(found - to.sums);
      if (found != end) continue;
      if (static_cast<int>(to.sum_count) == planned) throw Error("more sums than were planned");
      to.sums[to.sum_count++] = sums;
    }
  }
}

}  // namespace

void MadePass::complete(const LineRunner& runner, const LocalProblem& problem,
                        const LinePlan& plan) {
  tables.load(*problem.stream);
  plan.enter(tables, pass.lines, pass);
  if (pieces) {
    kernel = runner.prepare_pieces(problem.precision, PieceLines{pass, *pieces});
  } else {
    kernel = runner.prepare(problem.precision, pass);
  }
}

void MadePass::run(const LineRunner& runner, const LocalProblem& problem, const std::byte* in,
                   std::byte* out, const FusedSides& sides) const {
  LinePass placed = pass;
  placed.in.data = const_cast<std::byte*>(in);
  placed.out.data = out;
  if (pieces) return run_pieces(runner, problem, placed, sides);
  if (sides.empty()) return runner.run(*problem.stream, problem.precision, kernel, placed);
  const FusedSides::Side& side = sides.only();
  runner.run_fused(*problem.stream, *side.function, {&placed, sides.on_input(), side.places});
}

void MadePass::run_pieces(const LineRunner& runner, const LocalProblem& problem,
                          const LinePass& placed, const FusedSides& sides) const {
  PieceLines lines{placed, *pieces};
  const auto enter = [](SidePieces& to, const FusedSides::Side& side, std::byte* array) {
    to.piece[0].data = array;
    for (std::size_t i = 0; i < side.pieces.size(); ++i) {
      to.piece[i].data = side.pieces[i].data;
      to.piece[i].is_short = side.pieces[i].is_short;
    }
  };
  enter(lines.sides.in, sides.input, placed.in.data);
  enter(lines.sides.out, sides.output, placed.out.data);
  enter_sums(sides.output, problem.out_pieces.sums, lines.sides.out);
  lines.sides.out.warp_sums = reinterpret_cast<EncodingSums*>(warp_sums.data());
  runner.run_pieces(*problem.stream, problem.precision, kernel, lines);
}

bool MadePass::fuses(const LineRunner& runner, const FusedSides& sides) const {
  if (sides.empty()) return true;
  if (sides.both() || pieces) return false;
  const FusedSides::Side& side = sides.only();
  return runner.fuses(*side.function->fused_calls(), {&pass, sides.on_input(), side.places});
}

std::vector<std::int32_t> stored_places(const LocalProblem& problem, bool input) {
  const Index whole = whole_points(problem, 0, input);
  const ModeSplit stored = stored_split(problem, 0, input);
  std::vector<std::int32_t> places(static_cast<std::size_t>(whole), no_place);
  for (Index i = 0; i < stored.begin; ++i) {
    places[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i);
  }
  for (Index i = 0; i < stored.end; ++i) {
    places[static_cast<std::size_t>(whole - stored.end + i)] =
        static_cast<std::int32_t>(stored.begin + i);
  }
  return places;
}

MadePass make_line_pass(const LineRunner& runner, const LocalProblem& problem, bool in_planes) {
  return problem.precision == Precision::f32 ? make_pass_of<float>(runner, problem, in_planes)
                                             : make_pass_of<double>(runner, problem, in_planes);
}

bool takes_one_line_pass(const LineRunner& runner, const LocalProblem& problem) {
  const Kind kind = problem.kinds[0];
  // Transforms have half as many points at least, and tables of long lines take time to make.
  const Index bytes = problem.transform[0].length / 2 * bytes_of({problem.precision, true});
  if (bytes > static_cast<Index>(runner.shared_bytes())) return false;
  if (is_real_kind(kind) && problem.transform[0].length < (kind == Kind::dct1 ? 2 : 1))
    return false;
  const Treatment treatment = treatment_of(problem);
  LinePass pass;
  PieceSides pieces;
  return suits_pieces(problem, treatment) &&
         LinePlan::exists(treatment.points, problem.precision, memory_of_block(runner, problem)) &&
         enter_lines(problem, treatment.in, treatment.out, pass) &&
         (!problem.has_pieces() || enter_pieces(problem, pass, pieces));
}

}  // namespace weft
