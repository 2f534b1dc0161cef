#include "support/device_calls_of.hpp"

namespace weft::test {

template struct DeviceCall<double, double>;
template struct DeviceCall<double, std::complex<double>>;
template struct DeviceCall<std::complex<double>, double>;
template struct DeviceCall<std::complex<double>, std::complex<double>>;
template struct DeviceCall<std::complex<double>, std::complex<double>, 60, 77, 130>;
template struct DeviceCall<double, std::complex<double>, 60, 77, 130>;
template struct DeviceCall<std::complex<double>, double, 60, 77, 130>;

}  // namespace weft::test
