// Counts of MPI are 32-bit in MPI-3; these are the rules that make any size countable.
#include <gtest/gtest.h>

#include <limits>

#include "exchange/unit.hpp"
#include "support/plan_run.hpp"

namespace weft {
namespace {

using test::world_rank;
using test::world_size;

class UnitTest : public testing::Test {
 protected:
  const Communicator comm_ = Communicator::duplicate(MPI_COMM_WORLD);
};

TEST_F(UnitTest, IsACacheLineForAllThatIsCountableInLines) {
  const Unit unit(comm_, 1000000, std::numeric_limits<int>::max());
  EXPECT_EQ(unit.bytes(), 64);
  EXPECT_EQ(unit.count(1), 1);
  EXPECT_EQ(unit.count(64), 1);
  EXPECT_EQ(unit.count(65), 2);
  EXPECT_EQ(unit.rounded_up(65), 128);
  MPI_Count size = 0;
  MPI_Type_size_x(unit.type(), &size);
  EXPECT_EQ(size, 64);
}

TEST_F(UnitTest, GrowsWithTheLargestBufferOfAnyRank) {
  for (const Index limit : {Index{2}, Index{100}, Index{std::numeric_limits<int>::max()}}) {
    for (const Index largest : {Index{1}, Index{1} << 20, Index{1} << 33, (Index{1} << 45) + 1}) {
      // Only the last rank has much to send.
      const Unit unit(comm_, world_rank() + 1 == world_size() ? largest : 0, limit);
      EXPECT_EQ(unit.bytes() % 64, 0);
      EXPECT_LE((largest + unit.bytes() - 1) / unit.bytes(), limit) << largest;
      Index extremes[2] = {unit.bytes(), -unit.bytes()};
      MPI_Allreduce(MPI_IN_PLACE, extremes, 2, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
      EXPECT_EQ(extremes[0], -extremes[1]) << "ranks count in different units";
      MPI_Count size = 0;
      MPI_Type_size_x(unit.type(), &size);
      EXPECT_EQ(size, unit.bytes());
    }
  }
}

TEST_F(UnitTest, MessagesArePlacedOneAfterAnother) {
  std::vector<Message> messages;
  for (int peer = 0; peer < 4; ++peer) {
    messages.push_back({peer, empty_box(1), 100 * peer + 1, {}});
  }
  EXPECT_EQ(packed_bytes(messages, 2), 64 + 128 + 320);
  const Unit unit(comm_, packed_bytes(messages, 2), 1000);
  EXPECT_EQ(place_messages(messages, 2, unit), 64 + 128 + 320);
  EXPECT_EQ(messages[0].place.offset, 0);
  EXPECT_EQ(messages[1].place.offset, 64);
  EXPECT_EQ(messages[2].place.in, Location::stays);
  EXPECT_EQ(messages[3].place.offset, 192);
}

}  // namespace
}  // namespace weft
