#include "exchange/environment.hpp"
#include "exchange/exchange.hpp"

namespace weft {

namespace {

/// Builds the datatype of a region of an array, its elements in message order. Strides are in bytes
/// and 64-bit; more repetitions than an int can hold are nested.
class RegionType {
 public:
  RegionType(Index count_limit) : limit_(count_limit) {}

  Datatype build(const View& view, const Box& region, const AxisList& order, Index element_bytes) {
    Index contiguous = element_bytes;  // bytes of the innermost axes that lie one after another
    int axis = order.size() - 1;
    for (; axis >= 0; --axis) {
      const Index extent = region.extent(order[axis]);
      if (extent > 1 && view.stride[order[axis]] * element_bytes != contiguous) break;
      contiguous *= extent;
    }
    MPI_Datatype type = repeat(MPI_BYTE, contiguous, 1);
    for (; axis >= 0; --axis) {
      type = repeat(type, region.extent(order[axis]), view.stride[order[axis]] * element_bytes);
    }
    const int one = 1;
    const MPI_Aint place = view.position(region.lower) * element_bytes;
    MPI_Datatype placed = MPI_DATATYPE_NULL;
    check_mpi(MPI_Type_create_hindexed(1, &one, &place, type, &placed), "MPI_Type_create_hindexed");
    Datatype result(placed);
    for (MPI_Datatype& part : parts_) MPI_Type_free(&part);
    parts_.clear();
    return result;
  }

 private:
  MPI_Datatype repeat(MPI_Datatype type, Index count, Index stride) {
    if (count <= limit_) {
      MPI_Datatype result = MPI_DATATYPE_NULL;
      check_mpi(MPI_Type_create_hvector(static_cast<int>(count), 1, stride, type, &result),
                "MPI_Type_create_hvector");
      parts_.push_back(result);
      return result;
    }
    const Index whole = count / limit_;
    const Index rest = count % limit_;
    MPI_Datatype many = repeat(repeat(type, limit_, stride), whole, limit_ * stride);
    if (rest == 0) return many;
    const int lengths[2] = {1, 1};
    const MPI_Aint places[2] = {0, whole * limit_ * stride};
    const MPI_Datatype types[2] = {many, repeat(type, rest, stride)};
    MPI_Datatype result = MPI_DATATYPE_NULL;
    check_mpi(MPI_Type_create_struct(2, lengths, places, types, &result), "MPI_Type_create_struct");
    parts_.push_back(result);
    return result;
  }

  Index limit_;
  std::vector<MPI_Datatype> parts_;
};

/// MPI moves regions between the arrays themselves, without packing by weft.
class Alltoallw : public Exchange {
 public:
  Alltoallw(const ExchangeSpec& spec, const ExchangeEnvironment& environment)
      : Exchange(spec),
        comm_(spec.comm->get()),
        send_(arguments(spec, environment, spec.sends, spec.from)),
        receive_(arguments(spec, environment, spec.receives, spec.to)) {}

  bool blocks() const override { return true; }

  void start(const ExchangeBuffers& buffers) override {
    check_mpi(MPI_Alltoallw(buffers.send, send_.count.data(), send_.place.data(), send_.type.data(),
                            buffers.receive, receive_.count.data(), receive_.place.data(),
                            receive_.type.data(), comm_),
              "MPI_Alltoallw");
  }

 private:
  struct Arguments {
    std::vector<int> count;
    std::vector<int> place;  // zero: the place is part of the type, where it is 64-bit
    std::vector<MPI_Datatype> type;
    std::vector<Datatype> owned;
  };

  static Arguments arguments(const ExchangeSpec& spec, const ExchangeEnvironment& environment,
                             const std::vector<Message>& messages, const View& view) {
    const auto ranks = static_cast<std::size_t>(spec.comm->size());
    Arguments result{std::vector<int>(ranks),
                     std::vector<int>(ranks),
                     std::vector<MPI_Datatype>(ranks, MPI_BYTE),
                     {}};
    RegionType builder(environment.count_limit);
    for (const Message& message : messages) {
      const auto peer = static_cast<std::size_t>(message.peer);
      result.owned.push_back(
          builder.build(view, message.region, spec.order, bytes_of(spec.element)));
      result.count[peer] = 1;
      result.type[peer] = result.owned.back().get();
    }
    return result;
  }

  MPI_Comm comm_;
  Arguments send_;
  Arguments receive_;
};

}  // namespace

ExchangeMethod alltoallw_method() {
  return {"alltoallw",
          "MPI_Alltoallw on derived datatypes, no packing",
          {.family = ExchangeTraits::arrays},
          make_exchange<Alltoallw>};
}

}  // namespace weft
