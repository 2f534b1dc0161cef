#include "verify/random_field.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "device/buffer.hpp"
#include "exchange/agreement.hpp"
#include "verify/device_functions.hpp"
#include "verify/device_work.hpp"
#include "verify/random.hpp"

namespace weft {

namespace {

using Sums = Complex<double>;

/// The sums of all threads, of the host or of a device.
template <class Number>
Sums sums_of(const detail::functions::FieldDifference<Number>& function, Stream& stream,
             int threads) {
  std::vector<Sums> sums(static_cast<std::size_t>(function.threads), Sums{});
  auto* const memory = reinterpret_cast<std::byte*>(sums.data());
  const std::size_t bytes = sums.size() * sizeof(Sums);
  if (on_host(stream)) {
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (Index thread = 0; thread < function.threads; ++thread) {
      Point point;
      point.index = {thread};
      function(sums[static_cast<std::size_t>(thread)], point);
    }
  } else {
    const Buffer on_device(stream.device(), bytes);
    stream.clear(on_device.data(), bytes);
    apply<Complex<double>>(stream, function, block_of_sums(on_device.data(), function.threads));
    stream.copy(memory, on_device.data(), bytes);
    stream.synchronize();
  }
  Sums total{};
  for (const Sums& share : sums) total += share;
  return total;
}

}  // namespace

RandomField::RandomField(const LocalArray& array, const Extents& shape, Index batch,
                         std::uint64_t seed)
    : array_(array), shape_(shape), batch_(batch), seed_(seed) {}

PointBlock RandomField::block(std::byte* data) const {
  const Box& box = array_.box;
  PointBlock block;
  const std::size_t element = (array_.type.precision == Precision::f32 ? 4 : 8) *
                              static_cast<std::size_t>(array_.type.complex ? 2 : 1);
  block.to = data + static_cast<std::size_t>(array_.offset) * element;
  block.from = block.to;
  block.first.index = box.lower;
  block.loop_count = 0;
  for (int axis = 0; axis < box.axes() + (batch_ > 1 ? 1 : 0); ++axis) {
    const Index stride = array_.strides[axis];
    block.loops[block.loop_count++] = {axis < box.axes() ? box.extent(axis) : batch_, stride,
                                       stride, 0, axis};
  }
  std::sort(block.loops, block.loops + block.loop_count,
            [](const PointBlock::Loop& a, const PointBlock::Loop& b) { return a.to < b.to; });
  return block;
}

void RandomField::fill(std::byte* data, Stream& stream) const {
  if (array_.box.empty()) return;
  if (on_host(stream)) return fill_random(array_, shape_, batch_, seed_, data);
  const detail::functions::RandomFill function{shape_, seed_};
  with_device_number(array_.type,
                     [&]<class Number>(Number) { apply<Number>(stream, function, block(data)); });
  stream.synchronize();
}

double RandomField::relative_difference(const std::byte* data, Stream& stream,
                                        const Communicator& comm, int threads) const {
  double sums[2] = {0, 0};
  collectively(comm, [&] {
    if (array_.box.empty()) return;
    LinePieces lines = lines_of(array_, shape_, batch_);
    lines.cut(most_threads_of_device);
    with_device_number(array_.type, [&]<class Number>(Number) {
      const detail::functions::FieldDifference<Number> function{
          reinterpret_cast<const Number*>(data), lines, seed_,
          std::min(lines.count, most_threads_of_device)};
      const Sums mine = sums_of(function, stream, threads);
      sums[0] = mine.re;
      sums[1] = mine.im;
    });
  });
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, comm.get()), "MPI_Allreduce");
  return std::sqrt(sums[0] / sums[1]);
}

}  // namespace weft
