// Sends the messages of a file, and prints the seconds of each redistribution: non-blocking
// messages, then MPI_Alltoallv within the groups of ranks that exchange data. For SimGrid's SMPI:
// no real time counts, only that of the simulated network.
#include <mpi.h>
#include <time.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

struct Bytes {
  explicit Bytes(int ranks) : sent(ranks), received(ranks), group(ranks) {}
  std::vector<int> sent, received;
  std::vector<int> group;  ///< number of that of each rank
};

std::vector<int> starts(const std::vector<int>& counts) {
  std::vector<int> result(counts.size() + 1, 0);
  for (std::size_t i = 0; i < counts.size(); ++i) result[i + 1] = result[i] + counts[i];
  return result;
}

void send_each(const Bytes& bytes, const char* from, char* to, int rank) {
  const int ranks = static_cast<int>(bytes.sent.size());
  const auto sent = starts(bytes.sent), received = starts(bytes.received);
  std::vector<MPI_Request> requests;
  MPI_Request request;  // an object of its own, as these calls are macros in SMPI
  for (int step = 1; step < ranks; ++step) {
    const int peer = (rank + ranks - step) % ranks;
    if (bytes.received[peer] == 0) continue;
    MPI_Irecv(to + received[peer], bytes.received[peer], MPI_BYTE, peer, 0, MPI_COMM_WORLD,
              &request);
    requests.push_back(request);
  }
  for (int step = 1; step < ranks; ++step) {
    const int peer = (rank + step) % ranks;
    if (bytes.sent[peer] == 0) continue;
    MPI_Isend(from + sent[peer], bytes.sent[peer], MPI_BYTE, peer, 0, MPI_COMM_WORLD, &request);
    requests.push_back(request);
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

void send_all(const Bytes& bytes, const char* from, char* to, MPI_Comm comm, int rank) {
  std::vector<int> sent, received;
  for (std::size_t peer = 0; peer < bytes.group.size(); ++peer) {
    if (bytes.group[peer] != bytes.group[rank]) continue;
    sent.push_back(bytes.sent[peer]);
    received.push_back(bytes.received[peer]);
  }
  const auto sent_at = starts(sent), received_at = starts(received);
  MPI_Alltoallv(from, sent.data(), sent_at.data(), MPI_BYTE, to, received.data(),
                received_at.data(), MPI_BYTE, comm);
}

double latest(double time) {
  double result = 0;
  MPI_Allreduce(&time, &result, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return result;
}

/// Until the last rank is done. All begin at the same time: they leave a barrier one after another,
/// which would count as well.
template <class Work>
double seconds(const Work& work) {
  constexpr double longer_than_a_reduction = 0.1;
  const double begin = latest(MPI_Wtime()) + longer_than_a_reduction;
  const double wait = begin - MPI_Wtime();
  const timespec pause = {0, static_cast<long>(wait * 1e9)};
  nanosleep(&pause, nullptr);
  work();
  return latest(MPI_Wtime()) - begin;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::ifstream file(argv[1]);
  std::vector<Bytes> redistributions;
  std::string word;
  while (file >> word) {
    if (word == "redistribution") {
      double predicted = 0;
      file >> predicted;
      redistributions.emplace_back(ranks);
      for (int& group : redistributions.back().group) file >> group;
      continue;
    }
    const int from = std::stoi(word);
    int to = 0, count = 0;
    file >> to >> count;
    if (from == rank) redistributions.back().sent[to] = count;
    if (to == rank) redistributions.back().received[from] = count;
  }
  for (const Bytes& bytes : redistributions) {
    const std::vector<char> from(starts(bytes.sent).back());
    std::vector<char> to(starts(bytes.received).back());
    const double each = seconds([&] { send_each(bytes, from.data(), to.data(), rank); });
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, bytes.group[rank], rank, &comm);
    const double all = seconds([&] { send_all(bytes, from.data(), to.data(), comm, rank); });
    MPI_Comm_free(&comm);
    if (rank == 0) std::printf("%.9e %.9e\n", each, all);
  }
  MPI_Finalize();
}
