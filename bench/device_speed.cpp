// Speed of moves by an accelerator, in GB/s, which sets when plans use copy engines. One rank
// measures moves within its memory, by bytes read and written, and how fast messages are encoded
// and decoded, by bytes of the numbers alone; with two ranks, moves into memory of the other one
// follow, by bytes sent, by one at a time and by both at once.
//
//   device_speed [--json] [--codes] [cuda|hip|emulated]
//
// --json prints a line of JSON for each case instead of a table, --codes leaves out the moves.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <tuple>
#include <vector>

#include "codec/codec.hpp"
#include "device/buffer.hpp"
#include "pass/encoded_message.hpp"
#include "weft/error.hpp"

namespace weft::bench {

namespace {

constexpr int samples = 7;
constexpr int moves_per_sample = 5;
constexpr Index local_bytes = Index{1} << 30;
constexpr Index code_bytes = Index{512} << 20;
constexpr Index peer_bytes = Index{256} << 20;
/// Between runs, as between the rows of a block of an array.
constexpr Index gap_bytes = 256;

/// Runs of bytes with gaps on both sides; runs of the source have twice the gap.
BlockMove rows(std::byte* to, const std::byte* from, Index bytes, Index run) {
  const Index words = run / 16, gap = gap_bytes / 16;
  const Index count = std::max<Index>(1, bytes / (run + 2 * gap_bytes));
  return {{count, words}, {from, {words + 2 * gap, 1}}, {to, {words + gap, 1}}};
}

struct Shape {
  std::string name;
  CopyElement element;
  Extents extents;
  Strides to, from;
};

/// Transpositions as plans have them, of about local_bytes.
std::vector<Shape> transpositions() {
  std::vector<Shape> shapes;
  for (const auto& [element, type, bytes] :
       {std::tuple{CopyElement{Precision::f64, true}, "c64", 16},
        std::tuple{CopyElement{Precision::f32, true}, "c32", 8},
        std::tuple{CopyElement{Precision::f32, false}, "r32", 4}}) {
    const Index elements = local_bytes / bytes;
    for (const Index n : {Index{4}, Index{16}, Index{64}, Index{129}, Index{512}, Index{4096}}) {
      const Index m = elements / n;
      const std::string sizes = std::to_string(n) + "x" + std::to_string(m);
      shapes.push_back(
          {std::string("transpose ") + type + " " + sizes, element, {n, m}, {m, 1}, {1, n}});
    }
    const Index n = 256, k = elements / (n * n);
    const std::string cube = std::to_string(k) + "x256x256";
    shapes.push_back({std::string("turn ") + type + " " + cube,
                      element,
                      {k, n, n},
                      {1, n * k, k},
                      {n * n, n, 1}});
    shapes.push_back({std::string("swap ") + type + " " + cube,
                      element,
                      {k, n, n},
                      {n, n * k, 1},
                      {n * n, n, 1}});
  }
  return shapes;
}

const char* name_of(Mover mover) {
  return mover == Mover::kernel ? "kernel" : mover == Mover::engine ? "engine" : "automatic";
}

double moved_bytes(const BlockMove& block, CopyElement element) {
  const int size = (element.precision == Precision::f32 ? 4 : 8) * (element.complex ? 2 : 1);
  return static_cast<double>(product(block.extents)) * size;
}

class Bench {
 public:
  Bench(const DeviceMethod& method, bool json) : json_(json) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    if (method.count() == 0) throw Error("no device of this kind here");
    device_ = method.open(rank_ % method.count());
    stream_ = device_->make_stream();
    begin_ = device_->make_event();
    end_ = device_->make_event();
    if (rank_ == 0 && !json_) std::printf("%s\n", device_->info().model.c_str());
  }

  void local() {
    // Room for the gaps of the shortest runs.
    const Buffer from(*device_, local_bytes + 4096), to(*device_, local_bytes + 4096);
    stream_->clear(from.data(), from.size());
    const CopyElement words{Precision::f64, true};
    for (Index run = 16; run <= Index{256} << 20; run *= 4) {
      const BlockMove block = rows(to.data(), from.data(), local_bytes, run);
      for (const Mover mover : {Mover::kernel, Mover::engine}) {
        report("rows of " + std::to_string(run), "local", mover, 2 * moved_bytes(block, words),
               time(block, words, mover));
      }
    }
    for (const Shape& shape : transpositions()) {
      const BlockMove block{shape.extents, {from.data(), shape.from}, {to.data(), shape.to}};
      report(shape.name, "local", Mover::kernel, 2 * moved_bytes(block, shape.element),
             time(block, shape.element, Mover::kernel));
    }
  }

  /// Messages with lines as they lie in memory, and across it.
  void codes() {
    for (const auto& [element, type] : {std::pair{CopyElement{Precision::f64, true}, "c64"},
                                        {CopyElement{Precision::f64, false}, "r64"},
                                        {CopyElement{Precision::f32, true}, "c32"},
                                        {CopyElement{Precision::f32, false}, "r32"}}) {
      for (const char* name : {"bfp:8", "bfp:16", "bfp:25", "bfp:40", "bfp:52", "trim:10",
                               "trim:20", "trim:36", "cast:fp32", "cast:fp16", "cast:bf16"}) {
        if (element.precision == Precision::f32 && needs_doubles(name)) continue;
        const auto codec = make_codec(name, {element.precision, element.complex});
        if (codec != nullptr) code(*codec, element, type);
      }
    }
  }

  void peers() {
    std::byte* const mine = device_->allocate(peer_bytes + 4096, MemoryKind::shared);
    const SharedName name = device_->share(mine);
    SharedName other{};
    MPI_Sendrecv(name.data(), sizeof name, MPI_BYTE, 1 - rank_, 0, other.data(), sizeof other,
                 MPI_BYTE, 1 - rank_, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::byte* const theirs = device_->map(other);
    const Buffer from(*device_, peer_bytes + 4096);
    stream_->clear(from.data(), from.size());
    const CopyElement words{Precision::f64, true};
    for (const bool both : {false, true}) {
      for (Index run = 64; run <= Index{8} << 20; run *= 2) {
        const BlockMove block = rows(theirs, from.data(), peer_bytes, run);
        for (const Mover mover : {Mover::kernel, Mover::engine}) {
          MPI_Barrier(MPI_COMM_WORLD);
          double seconds = both || rank_ == 0 ? time(block, words, mover) : 0;
          MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
          report("rows of " + std::to_string(run), both ? "both ways" : "one way", mover,
                 moved_bytes(block, words), seconds);
        }
      }
    }
    stream_->synchronize();
    device_->unmap(theirs);
    MPI_Barrier(MPI_COMM_WORLD);
    device_->free(mine, MemoryKind::shared);
  }

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }

 private:
  static bool needs_doubles(const std::string& name) {
    return name == "bfp:40" || name == "bfp:52" || name == "trim:36";
  }

  void code(const Codec& codec, CopyElement element, const std::string& type) {
    const Index lines = 4096, length = code_bytes / bytes_of(element) / lines;
    const Box region{{0, 0}, {lines, length}};
    const AxisList order{0, 1};
    const Index message_bytes = EncodedMessage(codec, region, order).bytes();
    const Buffer numbers(*device_, static_cast<std::size_t>(code_bytes));
    const Buffer message(*device_, static_cast<std::size_t>(message_bytes) + 64);
    const Buffer sums(*device_, encoding_sums * sizeof(EncodingSums));
    stream_->clear(sums.data(), sums.size());
    fill(numbers, element.precision);
    for (const bool across : {false, true}) {
      const Strides stride = across ? Strides{1, lines} : Strides{length, 1};
      const CodedPart part = coded_part(*codec.format(), element.complex, region, order, region,
                                        {numbers.data(), stride}, message.data());
      const std::string what = codec.name() + " " + type + (across ? " across" : "");
      const auto report_code = [&](const std::string& verb, double seconds) {
        report(verb + " " + what, "numbers", Mover::kernel, static_cast<double>(code_bytes),
               seconds);
      };
      report_code("encode", time([&] {
                    stream_->encode(std::span(&part, 1), *codec.format(), element, 1,
                                    reinterpret_cast<EncodingSums*>(sums.data()));
                  }));
      report_code("decode",
                  time([&] { stream_->decode(std::span(&part, 1), *codec.format(), element); }));
    }
  }

  /// With numbers of all sizes, the same bits over and over.
  void fill(const Buffer& numbers, Precision precision) {
    std::vector<std::byte> some(std::size_t{1} << 20);
    const std::size_t bytes = precision == Precision::f32 ? 4 : 8;
    for (std::size_t at = 0; at < some.size(); at += bytes) {
      const double value =
          std::sin(static_cast<double>(at)) * std::cos(3.1 * static_cast<double>(at));
      const auto single = static_cast<float>(value);
      std::memcpy(some.data() + at, bytes == 4 ? static_cast<const void*>(&single) : &value, bytes);
    }
    for (std::size_t at = 0; at < numbers.size(); at += some.size()) {
      stream_->copy(numbers.data() + at, some.data(), std::min(some.size(), numbers.size() - at));
    }
    stream_->synchronize();
  }

  double time(const BlockMove& block, CopyElement element, Mover mover) {
    return time([&] { stream_->move(std::span(&block, 1), element, 1, mover); });
  }

  /// Seconds of what is put into the stream, the median of several.
  template <class Work>
  double time(const Work& work) {
    std::vector<double> seconds;
    for (int sample = 0; sample <= samples; ++sample) {
      stream_->record(*begin_);
      for (int i = 0; i < moves_per_sample; ++i) work();
      stream_->record(*end_);
      end_->synchronize();
      // The first one is to warm up.
      if (sample > 0) {
        seconds.push_back(device_->seconds_between(*begin_, *end_) / moves_per_sample);
      }
    }
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
  }

  void report(const std::string& what, const char* where, Mover mover, double bytes,
              double seconds) const {
    if (rank_ != 0) return;
    const double speed = bytes / seconds * 1e-9;
    if (json_) {
      std::printf(
          "{\"case\": \"%s\", \"where\": \"%s\", \"mover\": \"%s\", \"seconds\": %.4g, "
          "\"gb_per_s\": %.5g}\n",
          what.c_str(), where, name_of(mover), seconds, speed);
    } else {
      std::printf("%-34s %-10s %-7s %10.1f GB/s\n", what.c_str(), where, name_of(mover), speed);
    }
    std::fflush(stdout);
  }

  bool json_;
  int rank_ = 0;
  int ranks_ = 1;
  std::unique_ptr<Device> device_;
  std::unique_ptr<Stream> stream_;
  std::unique_ptr<Event> begin_, end_;
};

void run(int argc, char** argv) {
  bool json = false, codes = false;
  std::string name = device_methods().back().name;
  for (const std::string& argument : std::vector<std::string>(argv + 1, argv + argc)) {
    if (argument == "--json") {
      json = true;
    } else if (argument == "--codes") {
      codes = true;
    } else {
      name = argument;
    }
  }
  Bench bench(find_device_method(name), json);
  if (bench.rank() == 0 && !codes) bench.local();
  if (bench.rank() == 0) bench.codes();
  MPI_Barrier(MPI_COMM_WORLD);
  if (bench.ranks() == 2 && !codes) bench.peers();
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    weft::bench::run(argc, argv);
  } catch (const weft::Error& error) {
    std::fprintf(stderr, "device_speed: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
