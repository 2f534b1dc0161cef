// Messages that end where memory does: decoding reads not a word more.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "codec/codec.hpp"
#include "codec/sample_data.hpp"
#include "device/device.hpp"
#include "pass/encoded_message.hpp"

namespace weft {
namespace {

/// Pages behind which there is no memory.
class LastPages {
 public:
  explicit LastPages(std::size_t pages) : bytes_(pages * page()) {
    void* const memory =
        mmap(nullptr, bytes_ + page(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    begin_ = static_cast<std::byte*>(memory);
    mprotect(end(), page(), PROT_NONE);
  }
  ~LastPages() {
    if (begin_ != nullptr) munmap(begin_, bytes_ + page());
  }
  LastPages(const LastPages&) = delete;
  LastPages& operator=(const LastPages&) = delete;

  bool exist() const { return begin_ != nullptr; }
  std::byte* end() const { return begin_ + bytes_; }

 private:
  static std::size_t page() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

  std::size_t bytes_;
  std::byte* begin_ = nullptr;
};

/// Decodes runs of all lengths up to 70 elements that end with a word, as messages may.
template <class Real>
int check(Stream& stream, const std::string& name, bool complex) {
  const CopyElement element{sizeof(Real) == 4 ? Precision::f32 : Precision::f64, complex};
  const auto codec = make_codec(name, {element.precision, complex});
  if (codec == nullptr) return 0;
  const LastPages pages(2);
  if (!pages.exist()) return 0;
  test::Random random(91);
  int checked = 0;
  for (Index elements = 1; elements <= 70; ++elements) {
    const Index bytes = codec->bytes(elements);
    if (bytes % 4 != 0) continue;
    const auto reals = static_cast<std::size_t>(elements) * (complex ? 2 : 1);
    const std::vector<Real> values = test::sample<Real>(test::Data::gaussian, reals, random);
    std::vector<Real> expected(reals), decoded(reals);
    std::byte* const message = pages.end() - bytes;
    EncodingMeasure measure;
    codec->encode(reinterpret_cast<const std::byte*>(values.data()), elements, message, measure);
    codec->decode(message, elements, reinterpret_cast<std::byte*>(expected.data()));
    const Box region{{0}, {elements}};
    const CodedPart part = coded_part(*codec->format(), complex, region, {0}, region,
                                      {reinterpret_cast<std::byte*>(decoded.data()), {1}}, message);
    stream.decode(std::span(&part, 1), *codec->format(), element);
    EXPECT_EQ(decoded, expected) << name << " " << elements;
    ++checked;
  }
  return checked;
}

TEST(CodeBounds, NothingIsReadBehindAMessage) {
  const auto device = find_device_method("emulated").open(0);
  const auto stream = device->make_stream();
  int checked = 0;
  for (const CodecMethod& method : codec_methods()) {
    if (!method.on_devices) continue;
    for (const Precision precision : {Precision::f32, Precision::f64}) {
      for (const bool complex : {false, true}) {
        for (const std::string& parameter : method.parameters({precision, complex})) {
          const std::string name = std::string(method.name) + ":" + parameter;
          checked += precision == Precision::f32 ? check<float>(*stream, name, complex)
                                                 : check<double>(*stream, name, complex);
        }
      }
    }
  }
  EXPECT_GT(checked, 1000);
}

}  // namespace
}  // namespace weft
