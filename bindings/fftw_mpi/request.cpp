#include "request.hpp"

namespace weft::fftw_mpi {

namespace {

std::string name_of(int kind) {
  static const char* const names[] = {"R2HC",    "HC2R",    "DHT",     "REDFT00",
                                      "REDFT01", "REDFT10", "REDFT11", "RODFT00",
                                      "RODFT01", "RODFT10", "RODFT11"};
  return kind >= r2hc && kind <= rodft11 ? names[kind] : "kind " + std::to_string(kind);
}

std::string name_of(const Request& request) {
  switch (request.family) {
    case Family::c2c:
      return request.sign < 0 ? "c2c forward" : "c2c backward";
    case Family::r2c:
      return "r2c";
    case Family::c2r:
      return "c2r";
    case Family::transpose:
      return "transpose";
    case Family::r2r:
      break;
  }
  std::string names;
  for (int kind : request.kinds) names += (names.empty() ? "" : ",") + name_of(kind);
  return names;
}

}  // namespace

std::string to_string(const Request& request) {
  std::string text = name_of(request);
  for (std::size_t axis = 0; axis < request.shape.size(); ++axis) {
    text += (axis == 0 ? " " : "x") + std::to_string(request.shape[axis]);
  }
  if (request.precision == Precision::f32) text += " f32";
  if (request.howmany != 1) text += ", howmany " + std::to_string(request.howmany);
  if (request.in_block != 0) text += ", input block " + std::to_string(request.in_block);
  if (request.out_block != 0) text += ", output block " + std::to_string(request.out_block);
  if (request.flags & transposed_in) text += ", transposed in";
  if (request.flags & transposed_out) text += ", transposed out";
  if (request.flags & (scrambled_in | scrambled_out)) text += ", scrambled";
  if (request.in == request.out && request.in != nullptr) text += ", in place";
  return text;
}

}  // namespace weft::fftw_mpi
