// Tags and arrays of GPUs through the interface of heFFTe, against direct sums: on the emulated
// device, and on a GPU where there is one.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>

#include "random_boxes.hpp"
#include "reference.hpp"

namespace {

using heffte::box3d;
using heffte::scale;
using reference::Array;
namespace gpu = heffte::gpu;
using Tag = heffte::backend::default_backend<heffte::tag::gpu>::type;
using Fft = heffte::fft3d<Tag>;
using FftR2c = heffte::fft3d_r2c<Tag>;
template <class Real>
using Complex = std::complex<Real>;

static_assert(std::is_same<Tag, heffte::backend::cufft>::value, "the tag of CUDA");
static_assert(std::is_same<Fft::buffer_container<float>, gpu::vector<float>>::value, "of GPUs");
static_assert(heffte::backend::uses_gpu<Tag>::value, "of GPUs");
static_assert(!heffte::backend::is_enabled<heffte::backend::rocfft>::value, "of AMD");

template <class T>
void expect_equal(gpu::vector<T> const& values, std::vector<T> const& expected) {
  EXPECT_LT(reference::worst(gpu::transfer::unload(values), expected), reference::bound<T>());
}

/// None where weft was built without them, which is an error to programs.
int gpus() {
  try {
    return gpu::device_count();
  } catch (std::exception const&) {
    return 0;
  }
}

/// On the device that it names; empty: on a GPU.
class HeffteGpu : public ::testing::TestWithParam<char const*> {
 protected:
  void SetUp() override {
    if (*GetParam() != '\0') {
      setenv("WEFT_HEFFTE_DEVICE", GetParam(), 1);
    } else {
      unsetenv("WEFT_HEFFTE_DEVICE");
      if (gpus() == 0) GTEST_SKIP() << "there is no GPU";
    }
    gpu::device_set(rank() % gpu::device_count());
  }
};

template <class Real>
void check_complex(int trial) {
  RandomBoxes random(500 + trial);
  const box3d<> world = random.world(trial % 2 == 0), in = random.box(world),
                out = random.box(world);
  SCOPED_TRACE(::testing::Message() << "trial " << trial << ", in " << in << "out " << out);
  const Array u = reference::field(world, trial, false),
              real = reference::field(world, trial, true);
  const auto mine = reference::part<Complex<Real>>(u, in);
  const auto mine_real = reference::part<Real>(real, in);
  const auto uh = reference::part<Complex<Real>>(reference::transform(u, reference::forward), out);
  const auto real_h =
      reference::part<Complex<Real>>(reference::transform(real, reference::forward), out);
  const Fft fft(in, out, MPI_COMM_WORLD);

  const auto device = gpu::transfer::load(mine);
  gpu::vector<Complex<Real>> modes(fft.size_outbox()), workspace(fft.size_workspace());
  fft.forward(device.data(), modes.data(), workspace.data());
  expect_equal(modes, uh);
  expect_equal(device, mine);
  gpu::vector<Complex<Real>> back(fft.size_inbox());
  fft.backward(modes.data(), back.data(), scale::full);
  expect_equal(back, mine);
  expect_equal(fft.backward(fft.forward(device), scale::full), mine);

  // In place, in arrays for the larger box.
  gpu::vector<Complex<Real>> both(std::max(mine.size(), uh.size()));
  gpu::transfer::load(mine, both.data());
  fft.forward(both.data(), both.data());
  EXPECT_LT(reference::worst(gpu::transfer::unload(both.data(), uh.size()), uh),
            reference::bound<Real>());
  fft.backward(both.data(), both.data(), scale::full);
  EXPECT_LT(reference::worst(gpu::transfer::unload(both.data(), mine.size()), mine),
            reference::bound<Real>());

  // Real numbers in the place of complex ones.
  const auto real_device = gpu::transfer::load(mine_real);
  const gpu::vector<Complex<Real>> real_modes = fft.forward(real_device);
  expect_equal(real_modes, real_h);
  expect_equal(fft.backward_real(real_modes, scale::full), mine_real);
  expect_equal(real_device, mine_real);
}

TEST_P(HeffteGpu, ComplexAndRealDataInAnyBoxes) {
  for (int trial = 0; trial < 6; ++trial) {
    check_complex<double>(trial);
    check_complex<float>(trial);
  }
}

TEST_P(HeffteGpu, RealDataHalvedInEveryDirection) {
  for (int trial = 0; trial < 6; ++trial) {
    RandomBoxes random(600 + trial);
    const int direction = trial % 3, batch = 1 + trial / 3;
    const box3d<> world = random.world(true), in = random.box(world),
                  out = random.box(world.r2c(direction));
    SCOPED_TRACE(::testing::Message() << "trial " << trial << ", in " << in << "out " << out);
    std::vector<double> u;
    std::vector<Complex<double>> uh;
    for (int b = 0; b < batch; ++b) {
      const Array field = reference::field(world, b, true);
      const auto mine = reference::part<double>(field, in);
      const auto modes =
          reference::part<Complex<double>>(reference::transform(field, reference::forward), out);
      u.insert(u.end(), mine.begin(), mine.end());
      uh.insert(uh.end(), modes.begin(), modes.end());
    }
    const FftR2c fft(in, out, direction, MPI_COMM_WORLD);
    const auto device = gpu::transfer::load(u);
    gpu::vector<Complex<double>> modes(uh.size());
    gpu::vector<double> back(u.size());
    fft.forward(batch, device.data(), modes.data());
    expect_equal(modes, uh);
    fft.backward(batch, modes.data(), back.data(), scale::full);
    expect_equal(back, u);
  }
}

/// Vectors of GPUs, streams, and arrays of the program's own.
TEST_P(HeffteGpu, ArraysAndStreams) {
  const box3d<> world({0, 0, 0}, {7, 5, 8});
  const auto in = heffte::split_world(world, {1, 1, ranks()})[rank()];
  const heffte::backend::gpu_stream stream = nullptr;
  const Fft fft(stream, in, in, MPI_COMM_WORLD);
  EXPECT_EQ(fft.stream(), stream);
  const std::vector<float> numbers = {1, 2, 3};
  gpu::vector<float> one = gpu::transfer::load(stream, numbers.data(), numbers.size());
  gpu::vector<float> two = one, part(one.data() + 1, one.data() + 3);
  EXPECT_EQ(gpu::transfer::unload(two), numbers);
  EXPECT_EQ(gpu::transfer::unload(part), (std::vector<float>{2, 3}));
  EXPECT_NE(one.data(), two.data());
  one = gpu::vector<float>();
  EXPECT_TRUE(one.empty());
  float* memory = two.release();
  EXPECT_TRUE(two.empty());
  const gpu::vector<float> three = gpu::transfer::capture(std::move(memory), 3);
  EXPECT_EQ(memory, nullptr);
  EXPECT_EQ(gpu::transfer::unload(three), numbers);

  const Array u = reference::field(world, 1, false);
  auto data = heffte::make_buffer_container<Complex<double>>(fft.stream(), fft.size_inbox());
  gpu::transfer::load(reference::part<Complex<double>>(u, in), data.data());
  fft.forward(data.data(), data.data(), scale::symmetric);
  fft.backward(data.data(), data.data(), scale::symmetric);
  fft.synchronize_device();
  expect_equal(data, reference::part<Complex<double>>(u, in));
  // Of the emulated device any address will do for a stream.
  int other = 0;
  const auto own =
      *GetParam() == '\0' ? stream : reinterpret_cast<heffte::backend::gpu_stream>(&other);
  const Fft in_stream(own, in, in, MPI_COMM_WORLD);
  const auto modes = in_stream.forward(data);
  EXPECT_EQ(modes.device_stream(), own) << "or it would be read too early";
  EXPECT_EQ(in_stream.backward(modes).device_stream(), own);
  EXPECT_EQ(in_stream.backward_real(modes).device_stream(), own);
  EXPECT_THROW(fft.forward(gpu::vector<Complex<double>>(in.count() - 1)), std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(Emulated, HeffteGpu, ::testing::Values("emulated"));
INSTANTIATE_TEST_SUITE_P(Gpu, HeffteGpu, ::testing::Values(""));

}  // namespace
