#include <mutex>

#include "exchange/environment.hpp"
#include "exchange/packed.hpp"
#include "exchange/peer_order.hpp"

namespace weft {

namespace {

/// Open MPI 4.1 sets up what it needs for topologies when the first one is made, and crashes where
/// two threads make it at the same time. One of this rank alone waits for nobody.
void prepare_topologies() {
  static std::once_flag once;
  std::call_once(once, [] {
    MPI_Comm alone = MPI_COMM_NULL;
    check_mpi(MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 0, nullptr, MPI_UNWEIGHTED, 0, nullptr,
                                             MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &alone),
              "MPI_Dist_graph_create_adjacent");
    MPI_Comm_free(&alone);
  });
}

/// A collective among the ranks that have messages for each other: what it keeps grows with their
/// number instead of with that of all ranks.
class Neighbor : public VectorCollective {
 public:
  Neighbor(const ExchangeSpec& spec, const ExchangeEnvironment& environment)
      : VectorCollective(spec, environment, staggered(spec.sends, spec.comm->rank()),
                         staggered(spec.receives, spec.comm->rank())) {
    const std::vector<int> sources = peers(receives_, receive_);
    const std::vector<int> targets = peers(sends_, send_);
    prepare_topologies();
    constexpr int keep_ranks = 0;
    MPI_Comm graph = MPI_COMM_NULL;
    check_mpi(MPI_Dist_graph_create_adjacent(comm_, static_cast<int>(sources.size()),
                                             sources.data(), MPI_UNWEIGHTED,
                                             static_cast<int>(targets.size()), targets.data(),
                                             MPI_UNWEIGHTED, MPI_INFO_NULL, keep_ranks, &graph),
              "MPI_Dist_graph_create_adjacent");
    graph_ = Communicator::adopt(graph);
  }

  void start(const ExchangeBuffers& buffers) override {
    apply_lengths();
    check_mpi(MPI_Ineighbor_alltoallv(buffers.send, send_.count.data(), send_.place.data(),
                                      unit_.type(), buffers.receive, receive_.count.data(),
                                      receive_.place.data(), unit_.type(), graph_.get(), &request_),
              "MPI_Ineighbor_alltoallv");
  }

 private:
  static std::vector<int> peers(const std::vector<Message>& messages, const Arrays& arrays) {
    std::vector<int> result(arrays.count.size());
    for (std::size_t i = 0; i < messages.size(); ++i) {
      if (arrays.entry[i] < 0) continue;
      result[static_cast<std::size_t>(arrays.entry[i])] = messages[i].peer;
    }
    return result;
  }

  Communicator graph_;
};

}  // namespace

ExchangeMethod neighbor_method() {
  return {"neighbor",
          "MPI_Ineighbor_alltoallv among the ranks that have messages for each other",
          {.any_length = true},
          make_exchange<Neighbor>};
}

}  // namespace weft
