#include "weft/halo.hpp"

#include "c/convert.hpp"
#include "c/element.hpp"

struct weft_halo_object {
  weft::Halo halo;
};

namespace {

using weft::c::answer;
using weft::c::given;
using weft::c::guarded;
using Operation = weft::Halo::Operation;

weft::Halo& halo_of(weft_halo handle) {
  return weft::c::object_of(handle, "halo").halo;
}

weft_status run(weft_halo handle, Operation operation, void* data) {
  return guarded([&] {
    weft::Halo& halo = halo_of(handle);
    halo.run(operation, weft::c::array_of(data, halo.array().type));
  });
}

weft_status start(weft_halo handle, Operation operation, void* data) {
  return guarded([&] {
    weft::Halo& halo = halo_of(handle);
    halo.start(operation, weft::c::array_of(data, halo.array().type));
  });
}

}  // namespace

weft_status weft_halo_create(MPI_Comm comm, const weft_halo_problem* problem, weft_halo* halo) {
  weft::HaloProblem read;
  return weft::c::create(
      comm, halo, [&] { read = weft::c::halo_problem_of(problem); },
      [&] {
        return std::unique_ptr<weft_halo_object>(new weft_halo_object{weft::Halo(comm, read)});
      });
}
weft_status weft_halo_destroy(weft_halo* halo) {
  return weft::c::destroy(halo);
}

weft_status weft_halo_exchange(weft_halo halo, void* data) {
  return run(halo, Operation::exchange, data);
}
weft_status weft_halo_accumulate(weft_halo halo, void* data) {
  return run(halo, Operation::accumulate, data);
}
weft_status weft_halo_start_exchange(weft_halo halo, void* data) {
  return start(halo, Operation::exchange, data);
}
weft_status weft_halo_start_accumulate(weft_halo halo, void* data) {
  return start(halo, Operation::accumulate, data);
}
weft_status weft_halo_test(weft_halo halo, int* done) {
  return answer(done, "done", [&] { return halo_of(halo).test() ? 1 : 0; });
}
weft_status weft_halo_wait(weft_halo halo) {
  return guarded([&] { halo_of(halo).wait(); });
}

weft_status weft_halo_array(weft_halo halo, weft_local_array* array) {
  return answer(array, "array", [&] { return weft::c::local_array_of(halo_of(halo).array()); });
}
weft_status weft_halo_widths(weft_halo halo, int64_t* lower, int64_t* upper) {
  return guarded([&] {
    const weft::Halo& of = halo_of(halo);
    given(lower, "lower");
    given(upper, "upper");
    std::copy(of.lower().begin(), of.lower().end(), lower);
    std::copy(of.upper().begin(), of.upper().end(), upper);
  });
}
weft_status weft_halo_peers(weft_halo halo, int* peers) {
  return answer(peers, "peers", [&] { return halo_of(halo).peers(); });
}
weft_status weft_halo_bytes_sent(weft_halo halo, int64_t* bytes) {
  return answer(bytes, "bytes", [&] { return halo_of(halo).bytes_sent(); });
}
