#include "redistribution/make_redistributions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "exchange/agreement.hpp"
#include "exchange/lossless.hpp"
#include "exchange/shared_window.hpp"
#include "kind/kind.hpp"
#include "pass/encoded_message.hpp"

namespace weft {

namespace {

/// What the transforms' own rounding takes of a tolerance: about 0.6 eps sqrt(log2 N).
double rounding_error(const ResolvedProblem& problem) {
  const double epsilon = problem.precision == Precision::f32
                             ? std::numeric_limits<float>::epsilon()
                             : std::numeric_limits<double>::epsilon();
  const double points = static_cast<double>(logical_points(problem.lengths, problem.kinds));
  return 0.6 * epsilon * std::sqrt(std::max(1.0, std::log2(std::max(points, 2.0))));
}

/// Largest relative error of each of `count` redistributions, so that all together keep the
/// tolerance, with a margin for what the sum of squares leaves out. Zero: no error is allowed.
double share(double tolerance, std::size_t count, const Schedule& schedule,
             const ResolvedProblem& problem) {
  constexpr double margin = 0.93;
  const double rounding = rounding_error(problem);
  if (tolerance <= 4 * rounding) return 0;
  double squared = margin * margin * tolerance * tolerance - rounding * rounding;
  // Half spectra: a coefficient stands for two of the real result, but those of the lowest and
  // highest frequency for one; in the worst case only the energy is in the latter. It is the same
  // with the weights of cosine and sine transforms.
  squared /= noise_growth(problem.kinds, schedule.direction, problem.orthogonal);
  return std::sqrt(squared / static_cast<double>(count));
}

/// Share of the points of an exchange, over all ranks, that is packed. Of those of a chunk: errors
/// are relative to what it has.
double moved_share(const Exchange& exchange, const Communicator& everybody) {
  double counts[2] = {0, 0};
  for (const Message& message : exchange.sends()) {
    const auto points = static_cast<double>(message.region.count());
    if (message.place.is_moved()) counts[0] += points;
    counts[1] += points;
  }
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_DOUBLE, MPI_SUM, everybody.get()),
            "MPI_Allreduce");
  return counts[1] > 0 ? std::min(1.0, counts[0] / counts[1]) : 0;
}

/// The messages of a chunk as an exchange needs them. `comm` holds the ranks of its group, in
/// increasing order.
ExchangeSpec exchange_spec(const RedistributeStage& stage, const Chunk& chunk,
                           const ResolvedProblem& problem, const Communicator& comm) {
  ExchangeSpec spec;
  spec.comm = &comm;
  spec.element = {problem.precision, stage.before.complex};
  spec.order = stage.order;
  spec.from = stage.before.layout.memory.view(stage.before.box(problem.rank));
  spec.to = stage.after.layout.memory.view(stage.after.box(problem.rank));
  const MessageLists list = messages(stage, problem.rank, chunk);
  const auto translate = [&](const std::vector<MessageRegion>& from, std::vector<Message>& to) {
    for (const MessageRegion& sent : from) {
      Message message;
      message.peer = static_cast<int>(stage.group.rank_within(sent.peer));
      message.region = sent.region;
      message.bytes = sent.region.count() * bytes_of(spec.element);
      to.push_back(message);
    }
  };
  translate(list.sends, spec.sends);
  translate(list.receives, spec.receives);
  return spec;
}

class RedistributionMaker {
 public:
  RedistributionMaker(const Schedule& schedule, Context& context,
                      const ExchangeEnvironment& environment, Stream& stream)
      : context_(context), environment_(environment), stream_(stream) {
    const auto moves = std::count_if(
        schedule.stages.begin(), schedule.stages.end(),
        [](const Stage& stage) { return std::holds_alternative<RedistributeStage>(stage); });
    if (const auto tolerance = context.options.tolerance) {
      allowed_ = share(*tolerance, static_cast<std::size_t>(moves), schedule, context.problem);
    }
  }

  std::unique_ptr<Redistribution> make(const RedistributeStage& stage, const Chunk& chunk) const {
    const Communicator& comm = context_.groups.of(stage.group);
    const ExchangeMethod& method = *context_.exchange.method;
    ExchangeSpec spec;
    collectively(context_.comm,
                 [&] { spec = exchange_spec(stage, chunk, context_.problem, comm); });
    spec.parameter = context_.exchange.parameter;
    if (method.traits.lands()) {
      spec.to = landed(stage).layout.memory.view(stage.after.box(context_.problem.rank));
    }
    PlacesInTurn places(environment_.window);
    const bool lossless = is_lossless(context_.options.codec);
    auto plain =
        lossless ? make_lossless(method, spec, environment_) : method.make(spec, environment_);
    const double moved = moved_share(*plain, context_.comm);
    std::vector<std::unique_ptr<Exchange>> exchanges;
    auto codecs = codecs_for(stage.before.complex, moved);
    for (const auto& codec : codecs) {
      // The exchanges of a redistribution are never used at the same time.
      places.next();
      ExchangeSpec encoded = spec;
      encode(*codec, plain->sends(), encoded.sends, spec.order);
      encode(*codec, plain->receives(), encoded.receives, spec.order);
      exchanges.push_back(method.make(encoded, environment_));
    }
    exchanges.push_back(std::move(plain));
    const bool bounded = context_.options.tolerance && allowed_ > 0;
    CodecLevels levels(std::move(codecs),
                       bounded ? allowed_ : std::numeric_limits<double>::infinity(), moved);
    return std::make_unique<Redistribution>(std::move(exchanges), std::move(levels),
                                            lossless ? context_.options.codec : "", context_.comm,
                                            stream_);
  }

 private:
  /// The ladder of codecs, without the numbers themselves at its end.
  std::vector<std::shared_ptr<const Codec>> codecs_for(bool complex, double moved) const {
    std::vector<std::shared_ptr<const Codec>> result;
    const std::string& name = context_.options.codec;
    const bool direct = context_.exchange.method->traits.family == ExchangeTraits::arrays;
    const bool exact = context_.options.tolerance && allowed_ == 0;
    if (moved == 0 || direct || exact || name == "none" || is_lossless(name)) return result;
    const CodecElement element{context_.problem.precision, complex};
    if (name.find(':') != std::string::npos) {
      if (auto codec = make_codec(name, element)) result.push_back(std::move(codec));
    } else if (context_.options.tolerance) {
      // One bit less than the model asks for: some data are easier than white noise.
      for (auto& codec : codecs_within(2 * allowed_ / std::sqrt(moved), name, element)) {
        result.push_back(std::move(codec));
      }
    }
    return result;
  }

  static void encode(const Codec& codec, const std::vector<Message>& plain,
                     std::vector<Message>& messages, const AxisList& order) {
    for (std::size_t i = 0; i < messages.size(); ++i) {
      if (!plain[i].place.is_moved()) continue;
      messages[i].bytes = EncodedMessage(codec, messages[i].region, order).bytes();
    }
  }

  Context& context_;
  const ExchangeEnvironment& environment_;
  Stream& stream_;
  double allowed_ = 0;
};

}  // namespace

void check_codec(const std::string& name, Precision precision, bool has_tolerance) {
  if (name == "auto" || name == "none" || is_lossless(name)) return;
  const CodecElement element{precision, true};
  if (has_tolerance && name.find(':') == std::string::npos) {
    codecs_within(0.1, name, element);
  } else {
    make_codec(name, element);
  }
}

Index largest_block(const Redistributions& redistributions) {
  Index elements = 1;
  for (const auto& chunks : redistributions) {
    for (const auto& chunk : chunks) {
      const CodecLevels& levels = chunk->levels();
      for (std::size_t level = 0; level + 1 < levels.count(); ++level) {
        elements = std::max(elements, levels.codec(level)->block_elements());
      }
    }
  }
  return elements;
}

Redistributions make_redistributions(const Schedule& schedule, Context& context,
                                     const ExchangeEnvironment& environment, Stream& stream) {
  const RedistributionMaker maker(schedule, context, environment, stream);
  const bool lands = context.exchange.method->traits.lands();
  Redistributions result;
  PlacesInTurn places(environment.window);
  std::size_t chunks_before = 1;
  bool has_been_read = true;  // as a whole, what has landed before
  for (const Stage& stage : schedule.stages) {
    const auto* move = std::get_if<RedistributeStage>(&stage);
    if (move == nullptr) {
      has_been_read = chunks_before == 1;
      continue;
    }
    auto& of_chunks = result.emplace_back();
    const std::vector<Chunk> chunks = move->chunks();
    const bool reuses = lands && has_been_read && chunks.size() == 1;
    if (!reuses) places.restart();
    chunks_before = chunks.size();
    has_been_read = false;
    for (const Chunk& chunk : chunks) {
      // Chunks of what lands arrive in one array.
      if (lands) places.next();
      of_chunks.push_back(maker.make(*move, chunk));
    }
  }
  return result;
}

ArrayState landed(const RedistributeStage& stage) {
  ArrayState state = stage.after;
  state.layout.memory = state.layout.memory.common();
  return state;
}

}  // namespace weft
