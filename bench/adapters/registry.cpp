#include "adapters/entries.hpp"

namespace weft::bench {

std::vector<AdapterEntry> adapters() {
  std::vector<AdapterEntry> all = weft_entries();
  const auto add = [&](const std::vector<AdapterEntry>& entries) {
    all.insert(all.end(), entries.begin(), entries.end());
  };
#ifdef WEFT_BENCH_FFTW_MPI
  add(fftw_mpi_entries());
#endif
#ifdef WEFT_BENCH_HEFFTE
  add(heffte_entries());
#endif
  return all;
}

}  // namespace weft::bench
