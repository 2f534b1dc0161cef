// Plans on devices: arrays of the device itself, of the host, and those that must be refused.
#include <gtest/gtest.h>

#include <algorithm>

#include "codec/codec.hpp"
#include "device/buffer.hpp"
#include "exchange/environment.hpp"
#include "exchange/exchange.hpp"
#include "local/local_transform.hpp"
#include "plan/arguments.hpp"
#include "plan/choose.hpp"
#include "support/exchange_names.hpp"
#include "support/plan_run.hpp"
#include "support/same_error.hpp"

namespace weft {
namespace {

using test::Bytes;
using test::expect_same_error;

bool has_codec(const std::string& name) {
  return std::any_of(codec_methods().begin(), codec_methods().end(),
                     [&](const CodecMethod& method) { return name == method.name; });
}

bool has_nccl() {
  const auto& all = exchange_methods();
  return std::any_of(all.begin(), all.end(), [](const ExchangeMethod& method) {
    return method.name == std::string("nccl");
  });
}

/// An array in memory of the device, filled from the host.
class OnDevice {
 public:
  OnDevice(Stream& stream, const Bytes& from)
      : stream_(stream), memory_(stream.device(), from.size()) {
    stream.copy(memory_.data(), from.data(), from.size());
    stream.synchronize();
  }
  std::byte* data() const { return memory_.data(); }
  Bytes bytes() const {
    Bytes result(memory_.size());
    stream_.copy(result.data(), memory_.data(), result.size());
    stream_.synchronize();
    return result;
  }

 private:
  Stream& stream_;
  Buffer memory_;
};

class Devices : public testing::Test {
 protected:
  /// Calls work(options, stream) for every kind of which there is a device; ranks may share it.
  template <class Work>
  void for_each_device(Work&& work) {
    for (const std::string& name : test::usable_devices()) {
      SCOPED_TRACE(name);
      Options options;
      options.device = name;
      const DeviceMethod& method = find_device_method(name);
      const auto device = method.open(test::world_rank() % method.count());
      const auto stream = device->adopt_stream(nullptr);
      work(options, *stream);
    }
  }
  static Problem slabs() {
    return {.shape = {12, 12, 9}, .input = slab_split(0), .output = slab_split(1)};
  }

 private:
  const test::Watchdog watchdog_{120};
};

TEST_F(Devices, ArraysOfTheDevice) {
  for_each_device([&](Options options, Stream& stream) {
    for (const std::string& exchange : test::device_exchanges(options.device)) {
      SCOPED_TRACE(exchange);
      options.exchange = exchange;
      for (const auto& [chunks, received] :
           {std::pair<Index, Index>{1, 1}, {3, 3}, {3, 1}, {1, 2}, {4, 2}}) {
        options.chunks = chunks;
        options.receive_chunks = received;
        Plan plan(MPI_COMM_WORLD, slabs(), options);
        EXPECT_EQ(plan.info().device, options.device);
        for (const Direction direction : {Direction::forward, Direction::backward}) {
          const Bytes given = test::given_bytes(plan, direction, 5);
          const OnDevice in(stream, given);
          const OnDevice out(stream, test::poisoned(test::sink_of(plan, direction)));
          for (int run = 0; run < 3; ++run) {
            test::execute(plan, direction, in.data(), out.data());
            EXPECT_LE(test::error_of(plan, direction, out.bytes().data(), 5),
                      test::error_bound(plan));
          }
          EXPECT_TRUE(in.bytes() == given) << "input was changed";
        }
      }
    }
  });
}

TEST_F(Devices, CosineAndSineTransforms) {
  for_each_device([&](Options options, Stream& stream) {
    for (const Kinds& kinds :
         {Kinds{Kind::dct2, Kind::dct2, Kind::dct2}, Kinds{Kind::dct1, Kind::dst4, Kind::dct3},
          Kinds{Kind::dst2, Kind::c2c, Kind::dct4}, Kinds{Kind::dst1, Kind::dst3, Kind::r2c}}) {
      SCOPED_TRACE(to_string(kinds.resolve(3)));
      for (const Index chunks : {1, 3}) {
        options.chunks = chunks;
        Problem problem = slabs();
        problem.kinds = kinds;
        Plan plan(MPI_COMM_WORLD, problem, options);
        for (const Direction direction : {Direction::forward, Direction::backward}) {
          const Bytes given = test::given_bytes(plan, direction, 5);
          const OnDevice in(stream, given);
          const OnDevice out(stream, test::poisoned(test::sink_of(plan, direction)));
          for (int run = 0; run < 2; ++run) {
            test::execute(plan, direction, in.data(), out.data());
            EXPECT_LE(test::error_of(plan, direction, out.bytes().data(), 5),
                      test::error_bound(plan));
          }
          EXPECT_TRUE(in.bytes() == given) << "input was changed";
        }
      }
    }
  });
}

TEST_F(Devices, CosineAndSineTransformsWorkInTilesOfBoundedSize) {
  for_each_device([&](Options options, Stream&) {
    options.chunks = 1;
    Problem problem = slabs();
    problem.shape = {40, 40, 40};
    problem.kinds = Kind::dct2;
    problem.numbers = Numbers::real;
    // Of a library, which does them between two kernels.
    for (const LocalBackend& backend : local_backends()) {
      if (options.device == backend.device && backend.name != std::string("stockham")) {
        options.local = backend.name;
      }
    }
    if (options.local == "auto") return;
    Options bounded = options;
    bounded.tile_bytes = 2000;
    Plan usual(MPI_COMM_WORLD, problem, options), plan(MPI_COMM_WORLD, problem, bounded);
    EXPECT_LE(plan.info().workspace_bytes + 8000, usual.info().workspace_bytes);
    EXPECT_LE(test::run_error(plan, Direction::forward), test::error_bound(plan));
    EXPECT_LE(test::run_error(plan, Direction::backward), test::error_bound(plan));
  });
}

TEST_F(Devices, InPlaceAndManyFieldsOfTheDevice) {
  for_each_device([&](Options options, Stream& stream) {
    options.fields_in_flight = 2;
    Plan plan(MPI_COMM_WORLD, slabs(), options);
    const auto array_bytes = static_cast<std::size_t>(
        std::max(plan.input().allocation_size, plan.output().allocation_size) *
        Index{sizeof(std::complex<double>)});
    std::vector<OnDevice> fields;
    std::vector<std::complex<double>*> pointers;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Bytes given = test::given_bytes(plan, Direction::forward, seed);
      given.resize(array_bytes);
      fields.emplace_back(stream, given);
      pointers.push_back(reinterpret_cast<std::complex<double>*>(fields.back().data()));
    }
    plan.forward_many(pointers, pointers);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Bytes out = fields[seed - 1].bytes();
      EXPECT_LE(test::error_of(plan, Direction::forward, out.data(), seed),
                test::error_bound(plan));
    }
  });
}

TEST_F(Devices, ArraysOfTheHostAreCopied) {
  for_each_device([&](const Options& options, Stream&) {
    Plan plan(MPI_COMM_WORLD, slabs(), options);
    EXPECT_LE(test::run_error(plan, Direction::forward), test::error_bound(plan));
    EXPECT_LE(test::run_error(plan, Direction::backward), test::error_bound(plan));
    EXPECT_NE(plan.describe().find("on " + options.device), std::string::npos);
  });
}

TEST_F(Devices, MemoryIsThatOfOneArray) {
  for_each_device([&](Options options, Stream&) {
    options.chunks = 1;
    const auto bytes = [](const LocalArray& array) {
      return static_cast<std::size_t>(array.allocation_size) * sizeof(std::complex<double>);
    };
    for (const auto& [in, out] :
         {std::pair(slab_split(0), slab_split(1)), std::pair(pencil_along(2), pencil_along(0))}) {
      Problem problem = slabs();
      const Index length = 4 * Index{test::world_size()};  // all parts of all layouts are alike
      problem.shape = {length, length, length};
      problem.input = in;
      problem.output = out;
      const Plan plan(MPI_COMM_WORLD, problem, options);
      if (plan.info().exchange != "peer") continue;
      // Where messages land, and counters. The rest happens in the arrays of the user.
      EXPECT_LE(plan.info().shared_bytes, bytes(plan.input()) + (1 << 14));
      // (One rank has no other place, and flat pencils have to be copied for some transform.)
      if (test::world_size() > 1 && in.form == LayoutSpec::Form::slab) {
        EXPECT_EQ(plan.info().workspace_bytes, 0u);
      }
    }
  });
}

TEST_F(Devices, RunsGiveTheSameBits) {
  for_each_device([&](const Options& options, Stream&) {
    Plan plan(MPI_COMM_WORLD, slabs(), options);
    const Bytes in = test::given_bytes(plan, Direction::forward, 1);
    Bytes first = test::poisoned(plan.output()), second = first;
    test::execute(plan, Direction::forward, in.data(), first.data());
    test::execute(plan, Direction::forward, in.data(), second.data());
    EXPECT_TRUE(test::equal_everywhere(first, second, MPI_COMM_WORLD));
  });
}

TEST_F(Devices, RefuseWhatTheyDoNotOffer) {
  const auto expect_refused = [](const Options& options, const std::vector<std::string>& parts) {
    expect_same_error([&] { Plan plan(MPI_COMM_WORLD, slabs(), options); }, parts);
  };
  Options host;
  for (const char* exchange : {"peer", "staged", "mpi"}) {
    host.exchange = exchange;
    expect_refused(host, {"exchange '" + host.exchange + "' works on devices only"});
  }
  Options unknown;
  unknown.device = "abacus";
  expect_refused(unknown, {"device 'abacus'", "known: host, emulated"});
  for_each_device([&](const Options& given, Stream&) {
    Options options = given;
    options.exchange = "alltoallv";
    expect_refused(options, {"exchange 'alltoallv' moves memory of the host", "staged:alltoallv"});
    for (const char* direct : {"one_sided", "alltoallw", "node_shared"}) {
      options.exchange = direct;
      expect_refused(options, {"exchange '" + options.exchange +
                               "' moves memory of the host and cannot carry messages of device '" +
                               options.device + "': use 'auto' or 'staged'"});
    }
    options.exchange = "staged:node_shared";
    expect_refused(options, {"node_shared cannot carry messages of devices"});
    options.exchange = "peer:pigeon";
    expect_refused(options, {"peer:pigeon", "peer:kernel and peer:engine"});
    options = given;
    for (const std::string codec : {"lossless", "zfp:14"}) {
      options.codec = codec;
      const bool built = codec == "lossless" || has_codec("zfp");
      const std::string error =
          built ? "is not available on devices; those are bfp, trim, cast" : "is unknown";
      expect_refused(options, {"codec '" + codec + "' " + error});
    }
    options = given;
    options.local = "fftw";
    expect_refused(options, {"local backend 'fftw' works on device 'host', not on"});
    options = given;
    options.device_number = 1000;
    expect_refused(options, {"device 1000", "visible to this process"});
    options.device_number = -2;
    expect_refused(options, {"device_number -2", "between 0 and 2147483647"});
  });
}

/// The first two ranks have the same device, others one of their own.
TEST_F(Devices, SharedByRanks) {
  const bool some_share = test::world_size() > 1;
  const bool shares = some_share && test::world_rank() < 2;
  Context context(Communicator::duplicate(MPI_COMM_WORLD));
  context.options.device = "emulated";
  context.options.device_number = std::max(test::world_rank() - 1, 0);
  open_device(context, Communicator::split_by_node(context.comm));
  EXPECT_EQ(context.device->is_shared(), shares);
  EXPECT_EQ(context.own_devices, !some_share);
  const FieldStreams streams(1, *context.caller);
  for (const Stream* stream : {&streams.compute(), &streams.send(), &streams.own()}) {
    EXPECT_EQ(stream == context.caller.get(), shares);
  }

  const ExchangeMethod demanding{.name = "demanding",
                                 .traits = {.memory = ExchangeTraits::device, .own_devices = true}};
  EXPECT_EQ(context.why_not(demanding),
            some_share ? "needs a device for each rank, and some ranks share one" : "");
  const std::vector<ExchangeChoice> choices = exchanges_to_try(context);
  ASSERT_EQ(choices.size(), 2u);
  EXPECT_EQ(choices[0].name(), "peer");
  EXPECT_EQ(choices[1].name(), "staged");  // NCCL needs GPUs

  Plan plan(MPI_COMM_WORLD, slabs(), context.options);
  EXPECT_EQ(plan.info().exchange, "peer");
  EXPECT_LE(test::run_error(plan, Direction::forward), test::error_bound(plan));
  EXPECT_LE(test::run_error(plan, Direction::backward), test::error_bound(plan));
}

TEST_F(Devices, RefuseNcclWhereRanksShareAGpu) {
  if (!has_nccl()) GTEST_SKIP() << "built without NCCL";
  for_each_device([&](Options options, Stream&) {
    options.exchange = "nccl";
    options.device_number = 0;
    if (test::world_size() == 1 || !find_device_method(options.device).is_gpu) return;
    expect_same_error([&] { Plan plan(MPI_COMM_WORLD, slabs(), options); },
                      {"exchange 'nccl': needs a device for each rank", "use 'peer' or 'auto'"},
                      ErrorCode::unsupported);
  });
}

TEST_F(Devices, TellTheExchangeOfTheHostThatCarriesTheirMessages) {
  for_each_device([&](const Options& given, Stream&) {
    for (const ExchangeMethod& method : exchange_methods()) {
      if (method.traits.memory == ExchangeTraits::device) continue;
      Options options = given;
      options.exchange = method.name;
      try {
        check_options(options, Precision::f64);
        ADD_FAILURE() << method.name << " moves memory of the host";
      } catch (const Error& error) {
        const std::string text = error.what();
        const std::size_t advice = text.find("staged:");
        if (advice == text.npos) continue;
        options.exchange = text.substr(advice);
        EXPECT_NO_THROW(check_options(options, Precision::f64)) << text;
      }
    }
  });
}

TEST_F(Devices, RefuseAnEmulatedOneWhereAGpuIsNeeded) {
  if (!has_nccl()) GTEST_SKIP() << "built without NCCL";
  Options options;
  options.device = "emulated";
  options.exchange = "nccl";
  expect_same_error([&] { Plan plan(MPI_COMM_WORLD, slabs(), options); },
                    {"exchange 'nccl': needs GPUs, device 'emulated' has none"},
                    ErrorCode::unsupported);
}

TEST_F(Devices, RefuseBadArraysAndFunctions) {
  for_each_device([&](const Options& options, Stream& stream) {
    using Complex = std::complex<double>;
    Plan plan(MPI_COMM_WORLD, slabs(), options);
    const auto elements = static_cast<std::size_t>(std::max(plan.input().allocation_size,
                                                            plan.output().allocation_size)) +
                          1;
    const Buffer memory(stream.device(), elements * sizeof(Complex));
    auto* const in = reinterpret_cast<Complex*>(memory.data());
    auto* const shifted = reinterpret_cast<Complex*>(memory.data() + sizeof(double));
    std::vector<Complex> out(elements);
    if (plan.input().allocation_size > 0) {
      expect_same_error([&] { plan.forward(shifted, out.data()); },
                        {"input array is not aligned to 16 bytes"});
    }
    expect_same_error(
        [&] {
          plan.forward(in, out.data(), on_output([](Complex& value, const Point&) { value = 0; }));
        },
        {"function of the host"});
    if (plan.info().workspace_bytes > 0) {
      std::vector<std::byte> host(plan.info().workspace_bytes + 64);
      std::byte* const aligned =
          host.data() + (64 - reinterpret_cast<std::uintptr_t>(host.data()) % 64) % 64;
      EXPECT_NE(test::error_text([&] {
                  plan.set_workspace({aligned, plan.info().workspace_bytes});
                }).find("workspace is not memory of device"),
                std::string::npos);
    }
    EXPECT_LE(test::run_error(plan, Direction::forward), test::error_bound(plan));
  });
}

TEST_F(Devices, WorkspaceOfTheCaller) {
  for_each_device([&](const Options& options, Stream& stream) {
    Plan plan(MPI_COMM_WORLD, slabs(), options);
    const Buffer memory(stream.device(), std::max<std::size_t>(plan.info().workspace_bytes, 64));
    plan.set_workspace({memory.data(), plan.info().workspace_bytes});
    EXPECT_LE(test::run_error(plan, Direction::forward), test::error_bound(plan));
    EXPECT_LE(test::run_error(plan, Direction::backward), test::error_bound(plan));
  });
}

}  // namespace
}  // namespace weft
