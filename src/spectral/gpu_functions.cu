// Functions of the library as devices apply them. Compilers for GPUs make kernels of them, others
// what the emulated device needs.
#include "weft/spectral_functions.hpp"

namespace weft::detail {

template <class T, class F>
const DeviceCalls* library_calls() {
  return &PointKernel<typename DeviceNumberOf<T>::type, F, compiles_for_gpu>::calls;
}

using ComplexSingle = std::complex<float>;
using ComplexDouble = std::complex<double>;

template const DeviceCalls* library_calls<float, functions::Laplacian>();
template const DeviceCalls* library_calls<double, functions::Laplacian>();
template const DeviceCalls* library_calls<ComplexSingle, functions::Laplacian>();
template const DeviceCalls* library_calls<ComplexDouble, functions::Laplacian>();
template const DeviceCalls* library_calls<float, functions::InverseLaplacian>();
template const DeviceCalls* library_calls<double, functions::InverseLaplacian>();
template const DeviceCalls* library_calls<ComplexSingle, functions::InverseLaplacian>();
template const DeviceCalls* library_calls<ComplexDouble, functions::InverseLaplacian>();

template const DeviceCalls* library_calls<ComplexSingle, functions::Derivative>();
template const DeviceCalls* library_calls<ComplexDouble, functions::Derivative>();
template const DeviceCalls*
library_calls<ComplexSingle, functions::DivergenceTerm<Complex<float>>>();
template const DeviceCalls*
library_calls<ComplexDouble, functions::DivergenceTerm<Complex<double>>>();
template const DeviceCalls*
library_calls<ComplexSingle, functions::CurlComponent<Complex<float>>>();
template const DeviceCalls*
library_calls<ComplexDouble, functions::CurlComponent<Complex<double>>>();
template const DeviceCalls*
library_calls<ComplexSingle, functions::SpectrumProduct<Complex<float>>>();
template const DeviceCalls*
library_calls<ComplexDouble, functions::SpectrumProduct<Complex<double>>>();
template const DeviceCalls* library_calls<ComplexSingle, functions::Twiddle>();
template const DeviceCalls* library_calls<ComplexDouble, functions::Twiddle>();

}  // namespace weft::detail
