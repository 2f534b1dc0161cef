#include "support/device_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

namespace weft::test {

const OpenDevice& open_device(const std::string& kind) {
  // Never closed: vendors' libraries may be gone when static objects are destroyed.
  static auto* const open = new std::map<std::string, OpenDevice>;
  OpenDevice& found = (*open)[kind];
  if (found.device == nullptr) {
    found.device = find_device_method(kind).open(0);
    found.stream = found.device->make_stream();
  }
  return found;
}

void execute_on(Stream& stream, const LocalTransform& transform, const Memories& memories) {
  Device& device = stream.device();
  constexpr std::size_t guard = 4096;
  const bool in_place = memories.in.data() == memories.out.data();
  const Buffer in(device, memories.in.size());
  const Buffer other(device, in_place ? 0 : memories.out.size());
  const Buffer& out = in_place ? in : other;
  const std::size_t work_bytes = transform.work_bytes();
  std::vector<std::byte> work_before(work_bytes + guard, std::byte{0xff});
  const Buffer work(device, work_before.size());
  stream.copy(in.data(), memories.in.data(), in.size());
  if (!in_place) stream.copy(out.data(), memories.out.data(), out.size());
  stream.copy(work.data(), work_before.data(), work.size());
  transform.execute(in.data() + memories.in_shift, out.data() + memories.out_shift,
                    work_bytes > 0 ? work.data() : nullptr);
  std::vector<std::byte> work_after(work.size());
  stream.copy(memories.in.data(), in.data(), in.size());
  if (!in_place) stream.copy(memories.out.data(), out.data(), out.size());
  stream.copy(work_after.data(), work.data(), work.size());
  stream.synchronize();
  EXPECT_TRUE(std::equal(work_before.end() - guard, work_before.end(), work_after.end() - guard))
      << "wrote beyond its memory";
}

}  // namespace weft::test
