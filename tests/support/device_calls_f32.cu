#include "support/device_calls_of.hpp"

namespace weft::test {

template struct DeviceCall<float, float>;
template struct DeviceCall<float, std::complex<float>>;
template struct DeviceCall<std::complex<float>, float>;
template struct DeviceCall<std::complex<float>, std::complex<float>>;
template struct DeviceCall<std::complex<float>, std::complex<float>, 60, 77, 130>;

}  // namespace weft::test
