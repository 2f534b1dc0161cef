#include "spectral/low_pass.hpp"

namespace weft::test {

namespace {

struct LowPass {
  double limit;
  WEFT_HOST_DEVICE double operator()(double k) const { return k < limit ? 1.0 : 0.0; }
};

}  // namespace

void keep_low(Calculus<>& calculus, const std::vector<double>& u, std::vector<double>& result,
              double limit) {
  calculus.filter(u, result, device_function(LowPass{limit}));
}

}  // namespace weft::test
