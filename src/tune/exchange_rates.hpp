#pragma once

#include <string>
#include <vector>

#include "exchange/communicator.hpp"
#include "weft/axes.hpp"

namespace weft {

struct Quartiles {
  double lower = 0;
  double median = 0;
  double upper = 0;
};

/// What one way to exchange blocks reached.
struct ExchangeRate {
  std::string name;            ///< of a call of MPI, or of an exchange
  Quartiles seconds;           ///< of one exchange, over rounds
  Quartiles bytes_per_second;  ///< of a node
  double over_alltoall = 1;    ///< bandwidth over that of MPI_Alltoall, median over rounds
};

/// What is to be measured.
struct ExchangeSizes {
  std::string device = "host";
  Index message = 80000;  ///< bytes from each rank to each other one
  Index rounds = 21;
};

/// Exchanges alone, without transforms and without packing.
struct ExchangeRates {
  ExchangeSizes sizes;
  std::string description;  ///< of the device of rank 0; empty on the host
  int ranks = 1;
  int nodes = 1;
  int ranks_per_node = 1;  ///< of the node that has most
  /// Sent in one exchange to other nodes, by the node that sends most; where there is one node, by
  /// all ranks to others. These are what bandwidths count.
  Index node_bytes = 0;
  bool mpi_reaches_device = true;   ///< otherwise blocks go through the host for the calls of MPI
  std::vector<ExchangeRate> rates;  ///< of MPI_Alltoall, of MPI_Alltoallv, then of exchanges
  struct LeftOut {
    std::string name;
    std::string why;
  };
  std::vector<LeftOut> left_out;  ///< exchanges that cannot be used between these ranks
};

/// Collective; takes a few seconds. All exchanges for memory of the device run in turn, once in
/// each round, for some milliseconds; before that each must deliver every number. Throws Error on
/// all ranks where one does not.
ExchangeRates measure_exchange_rates(const Communicator& comm, const ExchangeSizes& sizes);

}  // namespace weft
