// Kernels for devices read and write messages: sides of a problem that are cut into pieces, each
// with memory of its own, and with codes of half the size in some.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>

#include "codec/schemes.hpp"
#include "local/real_backends.hpp"
#include "local/side_pieces.hpp"
#include "support/device_run.hpp"
#include "support/local_run.hpp"
#include "support/trials.hpp"
#include "verify/random.hpp"
#include "weft/verify.hpp"

namespace weft {
namespace {

using test::Random;

constexpr std::byte untouched{0xff};

/// The elements of one side, each of which has an index along every axis, loops first.
struct Elements {
  std::vector<Index> lengths;
  bool complex;

  Index count() const {
    Index result = 1;
    for (Index length : lengths) result *= length;
    return result;
  }
  /// visit(number, indices): by number, the last axis fastest.
  template <class Visit>
  void for_each(const Visit& visit) const {
    std::vector<Index> at(lengths.size());
    for (Index number = 0; number < count(); ++number) {
      Index rest = number;
      for (std::size_t axis = lengths.size(); axis-- > 0;) {
        at[axis] = rest % lengths[axis];
        rest /= lengths[axis];
      }
      visit(number, at);
    }
  }
};

/// One side in memory: whole, or cut along an axis.
struct Memory {
  struct Piece {
    Index begin, end;
    std::size_t offset;
    bool is_short;
    AxisList order;  // fastest first
  };
  Elements elements;
  std::size_t real_bytes;
  int cut = 0;
  std::vector<Piece> pieces;
  std::size_t bytes = 0;

  Memory(Elements of, Precision precision, int cut_axis, bool is_cut, bool is_even, bool has_short,
         Random& random)
      : elements(std::move(of)), real_bytes(precision == Precision::f32 ? 4 : 8), cut(cut_axis) {
    const auto axes = static_cast<int>(elements.lengths.size());
    AxisList order = test::random_order(random, axes);
    const Index length = elements.lengths[static_cast<std::size_t>(cut)];
    const Index even = is_cut && is_even && length % 8 == 0 ? length >> random.below(4) : 0;
    for (Index begin = 0; begin < length;) {
      const auto part = [&] { return even > 0 ? even : 1 + random.below(length); };
      const Index end = is_cut ? std::min(length, begin + part()) : length;
      const bool is_short = has_short && random.chance(70);
      constexpr std::size_t alignment = 64;
      bytes = (bytes + alignment - 1) / alignment * alignment;
      if (random.chance(20)) order = test::random_order(random, axes);
      pieces.push_back({begin, end, bytes, is_short, order});
      bytes += static_cast<std::size_t>(elements.count() / length * (end - begin)) *
               element_bytes() / (is_short ? 2 : 1);
      begin = end;
    }
  }

  std::size_t element_bytes() const { return real_bytes * (elements.complex ? 2 : 1); }
  Index extent(const Piece& piece) const { return piece.end - piece.begin; }
  Index stride(int axis, const Piece& piece) const {
    Index result = 1;
    for (int other : piece.order) {
      if (other == axis) break;
      result *= other == cut ? extent(piece) : elements.lengths[static_cast<std::size_t>(other)];
    }
    return result;
  }
  /// visit(byte where it begins, whether it is short)
  template <class Visit>
  void visit_element(const std::vector<Index>& at, const Visit& visit) const {
    for (const Piece& piece : pieces) {
      const Index along = at[static_cast<std::size_t>(cut)];
      if (along < piece.begin || along >= piece.end) continue;
      Index place = 0;
      for (int axis = 0; axis < piece.order.size(); ++axis) {
        const Index index = at[static_cast<std::size_t>(axis)] - (axis == cut ? piece.begin : 0);
        place += index * stride(axis, piece);
      }
      const std::size_t size = element_bytes() / (piece.is_short ? 2 : 1);
      return visit(piece.offset + static_cast<std::size_t>(place) * size, piece.is_short);
    }
  }

  template <class Real, class Scheme, class Code>
  void store(const std::vector<double>& values, const Scheme& scheme, Code,
             std::vector<std::byte>& memory) const {
    const int reals = elements.complex ? 2 : 1;
    elements.for_each([&](Index number, const std::vector<Index>& at) {
      visit_element(at, [&](std::size_t begin, bool is_short) {
        for (int part = 0; part < reals; ++part) {
          const auto value =
              static_cast<Real>(values[static_cast<std::size_t>(number * reals + part)]);
          const auto code = static_cast<Code>(scheme.encoder(0)(value));
          const std::size_t size = is_short ? sizeof(Code) : sizeof(Real);
          std::memcpy(memory.data() + begin + static_cast<std::size_t>(part) * size,
                      is_short ? static_cast<const void*>(&code) : &value, size);
        }
      });
    });
  }
  template <class Real, class Scheme, class Code>
  std::vector<double> load(const std::vector<std::byte>& memory, const Scheme& scheme, Code) const {
    std::vector<double> values;
    const int reals = elements.complex ? 2 : 1;
    elements.for_each([&](Index, const std::vector<Index>& at) {
      visit_element(at, [&](std::size_t begin, bool is_short) {
        for (int part = 0; part < reals; ++part) {
          Real value = 0;
          Code code = 0;
          const std::size_t size = is_short ? sizeof(Code) : sizeof(Real);
          std::memcpy(is_short ? static_cast<void*>(&code) : &value,
                      memory.data() + begin + static_cast<std::size_t>(part) * size, size);
          values.push_back(static_cast<double>(is_short ? scheme.decoder(0)(code) : value));
        }
      });
    });
    return values;
  }
  void store(const std::vector<double>& values, std::vector<std::byte>& memory) const {
    if (real_bytes == 4) {
      store<float>(values, TrimScheme<float>(16), std::uint16_t{}, memory);
    } else {
      store<double>(values, Fp32Scheme{}, std::uint32_t{}, memory);
    }
  }
  std::vector<double> load(const std::vector<std::byte>& memory) const {
    return real_bytes == 4 ? load<float>(memory, TrimScheme<float>(16), std::uint16_t{})
                           : load<double>(memory, Fp32Scheme{}, std::uint32_t{});
  }
  /// The values of elements of some pieces.
  std::vector<double> values_of(const std::vector<double>& values,
                                const std::vector<bool>& wanted) const {
    std::vector<double> chosen;
    const Index reals = elements.complex ? 2 : 1;
    elements.for_each([&](Index number, const std::vector<Index>& at) {
      const Index along = at[static_cast<std::size_t>(cut)];
      const auto piece = std::find_if(pieces.begin(), pieces.end(),
                                      [along](const Piece& p) { return along < p.end; });
      if (!wanted[static_cast<std::size_t>(piece - pieces.begin())]) return;
      for (Index part = 0; part < reals; ++part) {
        chosen.push_back(values[static_cast<std::size_t>(number * reals + part)]);
      }
    });
    return chosen;
  }
  bool has_short() const {
    return std::any_of(pieces.begin(), pieces.end(), [](const Piece& p) { return p.is_short; });
  }
};

/// Enters one side in the problem, whose axes stand behind its loops.
void enter(const Memory& memory, bool input, bool is_cut, LocalProblem& problem) {
  const int loops = problem.batch.size();
  for (int axis = 0; axis < loops + problem.transform.size(); ++axis) {
    LocalAxis& entered = axis < loops ? problem.batch[axis] : problem.transform[axis - loops];
    (input ? entered.in_stride : entered.out_stride) = memory.stride(axis, memory.pieces[0]);
  }
  if (!is_cut) return;
  LocalPieces& pieces = input ? problem.in_pieces : problem.out_pieces;
  pieces.axis = memory.cut - loops;
  for (const Memory::Piece& piece : memory.pieces) {
    pieces.pieces.push_back({piece.end, {}, {}});
    for (int axis = 0; axis < loops + problem.transform.size(); ++axis) {
      (axis < loops ? pieces.pieces.back().batch : pieces.pieces.back().transform)
          .push_back(memory.stride(axis, piece));
    }
  }
}

double norm(const std::vector<double>& values) {
  double squares = 0;
  for (double value : values) squares += value * value;
  return std::sqrt(squares);
}

class DevicePieces : public testing::TestWithParam<std::string> {
 protected:
  const LocalBackend& backend() const { return test::backend_named(GetParam()); }

  /// A transform in double precision by the host of what `values` are.
  static std::vector<double> exact(LocalProblem problem, std::vector<double> values,
                                   Index results) {
    Index in = 1, out = 1;
    for (int axis = problem.transform.size() - 1; axis >= 0; --axis) {
      problem.transform[axis].in_stride = in;
      problem.transform[axis].out_stride = out;
      in *= whole_points(problem, axis, true);
      out *= whole_points(problem, axis, false);
    }
    for (int axis = problem.batch.size() - 1; axis >= 0; --axis) {
      problem.batch[axis].in_stride = in;
      problem.batch[axis].out_stride = out;
      in *= problem.batch[axis].length;
      out *= problem.batch[axis].length;
    }
    problem.precision = Precision::f64;
    const double scale = problem.scale;
    problem.scale = 1;
    problem.any_alignment = true;
    problem.preserve_input = false;
    std::vector<double> out_values(static_cast<std::size_t>(results));
    test::execute(*make_local(find_local_backend("fftw"), problem), values, out_values);
    for (double& value : out_values) value *= scale;
    return out_values;
  }

  void check(LocalProblem problem, int in_cut, int out_cut, Random& random);

  /// Of the lengths for which kernels are known.
  void check_known_lengths(Random& random);

  bool even_pieces_ = false;
  int supported_ = 0;
};

/// In and out cut along axes of the transform; -1: whole.
void DevicePieces::check(LocalProblem problem, int in_cut, int out_cut, Random& random) {
  const int loops = problem.batch.size();
  const LocalProblem plain = problem;
  const auto elements = [&](bool input) {
    Elements result{{}, input ? !problem.real_input() : !problem.real_output()};
    for (const LocalAxis& axis : problem.batch) result.lengths.push_back(axis.length);
    for (int axis = 0; axis < problem.transform.size(); ++axis) {
      result.lengths.push_back(whole_points(problem, axis, input));
    }
    return result;
  };
  const auto memory = [&](bool input, int axis) {
    return Memory(elements(input), problem.precision, loops + std::max(axis, 0), axis >= 0,
                  even_pieces_, axis >= 0 && random.chance(60), random);
  };
  const Memory in = memory(true, in_cut), out = memory(false, out_cut);
  enter(in, true, in_cut >= 0, problem);
  enter(out, false, out_cut >= 0, problem);
  problem.stream = test::open_device(backend().device).stream.get();
  // Pieces add to several arrays of sums, and some to none.
  std::vector<Index> sums_of;
  if (out_cut >= 0) {
    problem.out_pieces.sums =
        1 + static_cast<int>(random.below(static_cast<Index>(SidePieces::most_sums)));
    for (std::size_t i = 0; i < out.pieces.size(); ++i) {
      sums_of.push_back(random.below(problem.out_pieces.sums + 1));
    }
  }
  if (!backend().supports(problem)) return;
  ++supported_;

  std::vector<double> values(static_cast<std::size_t>(in.elements.count()) *
                             (in.elements.complex ? 2 : 1));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = random_value(i, 3);
  std::vector<std::byte> from(in.bytes, untouched), to(out.bytes, untouched);
  in.store(values, from);
  values = in.load(from);  // what codes stand for

  Device& device = problem.stream->device();
  const auto transform = backend().make(problem);
  const Buffer work(device, transform->work_bytes());
  const Buffer on_device(device, from.size()), result(device, to.size());
  const Index arrays = problem.out_pieces.sums;
  const Buffer sums(device,
                    static_cast<std::size_t>(arrays) * encoding_sums * sizeof(EncodingSums));
  Stream& stream = *problem.stream;
  stream.copy(on_device.data(), from.data(), from.size());
  stream.copy(result.data(), to.data(), to.size());
  stream.clear(sums.data(), sums.size());
  FusedSides sides;
  const auto addresses = [](const Memory& memory_of, const Buffer& buffer) {
    std::vector<FusedSides::Piece> list;
    for (const Memory::Piece& piece : memory_of.pieces) {
      list.push_back({buffer.data() + piece.offset, piece.is_short});
    }
    return list;
  };
  const auto in_list = addresses(in, on_device);
  auto out_list = addresses(out, result);
  for (std::size_t i = 0; i < sums_of.size(); ++i) {
    if (sums_of[i] == arrays) continue;
    out_list[i].sums = reinterpret_cast<EncodingSums*>(sums.data()) +
                       static_cast<std::size_t>(sums_of[i]) * encoding_sums;
  }
  if (in_cut >= 0) sides.input.pieces = in_list;
  if (out_cut >= 0) sides.output.pieces = out_list;
  transform->execute_fused(in_cut >= 0 ? nullptr : on_device.data(),
                           out_cut >= 0 ? nullptr : result.data(), work.data(), sides);
  std::vector<EncodingSums> found(static_cast<std::size_t>(arrays) * encoding_sums);
  stream.copy(to.data(), result.data(), to.size());
  stream.copy(reinterpret_cast<std::byte*>(found.data()), sums.data(), sums.size());
  stream.synchronize();

  const std::vector<double> got = out.load(to);
  const std::vector<double> wanted =
      exact(plain, values, out.elements.count() * (out.elements.complex ? 2 : 1));
  std::vector<double> difference = got;
  for (std::size_t i = 0; i < got.size(); ++i) difference[i] -= wanted[i];
  const double rounding = rounding_error_bound(problem.precision, test::points(problem));
  const double shortened = !out.has_short() ? 0 : out.real_bytes == 4 ? 0x1p-8 : 0x1p-24;
  ASSERT_LE(norm(difference), (rounding + shortened) * norm(wanted)) << test::describe(problem);

  for (Index array = 0; !sums_of.empty() && array < arrays; ++array) {
    EncodingSums all;
    for (std::size_t i = 0; i < encoding_sums; ++i) {
      all.add(found[static_cast<std::size_t>(array) * encoding_sums + i]);
    }
    std::vector<bool> adds;
    for (const Index sums_of_piece : sums_of) adds.push_back(sums_of_piece == array);
    const double exact_norm = norm(out.values_of(wanted, adds));
    ASSERT_EQ(all.broken, 0U);
    ASSERT_EQ(all.nonzero, exact_norm > 0 ? 1U : 0U);
    ASSERT_NEAR(std::sqrt(all.squared_norm), exact_norm, 2 * rounding * norm(wanted));
    ASSERT_NEAR(std::sqrt(all.squared_error), norm(out.values_of(difference, adds)),
                1.01 * rounding * norm(wanted));
  }
}

TEST(PieceLookups, ServeNumbersThatLieInOnePiece) {
  PieceLines lines;
  lines.stages = 2;
  for (LineStage& stage : lines.stage) {
    stage.radix = 32;
    stage.butterflies = make_divisor(32);
  }
  EXPECT_EQ(lines.per_lookup(true), 32U);
  const auto with_second_piece_at = [&](std::uint32_t number) {
    lines.sides.out.pieces = 2;
    lines.sides.out.piece[1].first = number;
    return lines.per_lookup(false);
  };
  EXPECT_EQ(with_second_piece_at(512), 8U);
  EXPECT_EQ(with_second_piece_at(128), 4U);
  EXPECT_EQ(with_second_piece_at(64), 2U);
  EXPECT_EQ(with_second_piece_at(32), 1U);
  EXPECT_EQ(with_second_piece_at(341), 1U);
  lines.stage[1] = {10, make_divisor(100), 0, nullptr, nullptr};
  EXPECT_EQ(with_second_piece_at(600), 2U);
  EXPECT_EQ(with_second_piece_at(500), 1U);
}

TEST_P(DevicePieces, RandomProblems) {
  Random random(83);
  const Index trials = test::trials(400);
  for (Index trial = 0; trial < trials; ++trial) {
    LocalProblem problem;
    test::add_random_axes(problem.transform, 1 + random.below(3), 24, random);
    test::add_random_axes(problem.batch, random.below(3), 9, random);
    const int axes = problem.transform.size();
    problem.kinds = Axes<Kind>::filled(axes, c2c);
    if (random.chance(50)) problem.kinds[axes - 1] = r2c;
    problem.direction = random.chance(50) ? Direction::forward : Direction::backward;
    problem.precision = random.chance(50) ? Precision::f32 : Precision::f64;
    problem.preserve_input = random.chance(50);
    problem.scale = random.chance(50) ? 1 : 0.25;
    const unsigned sides = 1 + static_cast<unsigned>(random.below(3));
    const int in = (sides & 1) != 0 ? static_cast<int>(random.below(axes)) : -1;
    const int out = (sides & 2) != 0 ? static_cast<int>(random.below(axes)) : -1;
    ASSERT_NO_FATAL_FAILURE(check(problem, in, out, random)) << "trial " << trial;
  }
  EXPECT_GE(5 * supported_ + 5, trials);
}

void DevicePieces::check_known_lengths(Random& random) {
  for (const Index n : {64, 128, 256, 384, 512, 1024, 2048}) {
    for (unsigned choice = 0; choice < 24; ++choice) {
      LocalProblem problem;
      problem.kinds = {choice % 3 == 0 ? c2c : r2c};
      problem.transform = {{n, 1, 1}};
      problem.batch = {{5, 1, 1}, {7, 1, 1}};
      problem.direction = choice % 3 == 1 ? Direction::backward : Direction::forward;
      if (choice % 6 == 3) problem.direction = Direction::backward;
      problem.precision = choice % 2 == 0 ? Precision::f64 : Precision::f32;
      const bool reals_in = problem.real_input(), reals_out = problem.real_output();
      ASSERT_NO_FATAL_FAILURE(check(problem, reals_in ? -1 : 0, reals_out ? -1 : 0, random)) << n;
    }
  }
  EXPECT_GT(supported_, 7 * 12);
}

TEST_P(DevicePieces, LengthsWithKernelsOfTheirOwn) {
  Random random(84);
  check_known_lengths(random);
}

TEST_P(DevicePieces, LengthsInEvenPieces) {
  Random random(85);
  even_pieces_ = true;
  check_known_lengths(random);
}

INSTANTIATE_TEST_SUITE_P(Usable, DevicePieces, testing::ValuesIn(test::own_device_backends()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace weft
