// Functions that check arrays as devices apply them. Compilers for GPUs make kernels of them,
// others what the emulated device needs.
#include "verify/device_functions.hpp"

namespace weft::detail {

template <class T, class F>
const DeviceCalls* library_calls() {
  return &PointKernel<T, F, compiles_for_gpu>::calls;
}

using ComplexSingle = Complex<float>;
using ComplexDouble = Complex<double>;

template const DeviceCalls* library_calls<float, functions::RandomFill>();
template const DeviceCalls* library_calls<double, functions::RandomFill>();
template const DeviceCalls* library_calls<ComplexSingle, functions::RandomFill>();
template const DeviceCalls* library_calls<ComplexDouble, functions::RandomFill>();

template const DeviceCalls* library_calls<ComplexDouble, functions::FieldDifference<float>>();
template const DeviceCalls* library_calls<ComplexDouble, functions::FieldDifference<double>>();
template const DeviceCalls*
library_calls<ComplexDouble, functions::FieldDifference<ComplexSingle>>();
template const DeviceCalls*
library_calls<ComplexDouble, functions::FieldDifference<ComplexDouble>>();

template const DeviceCalls* library_calls<ComplexDouble, functions::SampleSum<float>>();
template const DeviceCalls* library_calls<ComplexDouble, functions::SampleSum<double>>();
template const DeviceCalls* library_calls<ComplexDouble, functions::SampleSum<ComplexSingle>>();
template const DeviceCalls* library_calls<ComplexDouble, functions::SampleSum<ComplexDouble>>();

}  // namespace weft::detail
