#include "support/pencils.hpp"

namespace weft::test {

Problem pencils(const Kinds& kinds) {
  return {
      .shape = {12, 10, 14}, .kinds = kinds, .input = pencil_along(2), .output = pencil_along(0)};
}

Options with(const std::string& exchange, Index chunks, int fields) {
  Options options;
  options.exchange = exchange;
  options.chunks = chunks;
  options.fields_in_flight = fields;
  options.threads = 1;
  return options;
}

Options with_pencils(const std::string& exchange, Index chunks, int fields) {
  Options options = with(exchange, chunks, fields);
  options.algorithm = Algorithm::pencil;
  return options;
}

Field random_field(const LocalArray& array, std::uint64_t seed) {
  Field field(static_cast<std::size_t>(array.allocation_size));
  std::uint64_t state = seed * 1000003 + static_cast<std::uint64_t>(world_rank()) * 7919 + 1;
  for (Complex& value : field) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    value = {static_cast<double>(state >> 40), static_cast<double>(state >> 20 & 0xfffff)};
  }
  return field;
}

Field forward_of(Plan& plan, const Field& in) {
  Field out(static_cast<std::size_t>(plan.output().allocation_size));
  plan.forward(in, out);
  return out;
}
Field backward_of(Plan& plan, const Field& in) {
  Field out(static_cast<std::size_t>(plan.input().allocation_size));
  plan.backward(in, out);
  return out;
}

}  // namespace weft::test
