#include <gtest/gtest.h>

#include <set>

#include "local/local_transform.hpp"
#include "support/local_run.hpp"
#include "support/same_error.hpp"

namespace weft {
namespace {

using test::error_text;

TEST(LocalRegistry, HasReferenceAndFftw) {
  std::set<std::string> names;
  for (const LocalBackend& backend : local_backends()) {
    EXPECT_TRUE(names.insert(test::label_of(backend)).second)
        << test::label_of(backend) << " is listed twice";
    EXPECT_STRNE(backend.description, "");
  }
  EXPECT_TRUE(names.count("reference"));
  EXPECT_TRUE(names.count("fftw"));
  EXPECT_FALSE(names.count("auto"));
}

TEST(LocalRegistry, FindsEveryUsableNameAndRefusesTheOthers) {
  for (const LocalBackend& backend : local_backends()) {
    if (backend.usable()) {
      EXPECT_STREQ(find_local_backend(backend.name, backend.device).name, backend.name);
    } else {
      EXPECT_EQ(error_text([&] { find_local_backend(backend.name, backend.device); }),
                "local backend '" + std::string(backend.name) + "' is not usable here");
    }
  }
}

TEST(LocalRegistry, AutoIsUsableFastHereAndNeverTheReference) {
  const LocalBackend& chosen = find_local_backend("auto");
  EXPECT_TRUE(chosen.usable());
  EXPECT_TRUE(chosen.recommended());
  EXPECT_STRNE(chosen.name, "reference");
}

TEST(LocalRegistry, NamesBelongToADevice) {
  EXPECT_STREQ(find_local_backend("auto", "emulated").name, "stockham");
  EXPECT_STREQ(find_local_backend("stockham", "emulated").device, "emulated");
  EXPECT_STREQ(find_local_backend("stockham").device, "host");
  EXPECT_EQ(error_text([] { find_local_backend("emulated"); }),
            "local backend 'emulated' works on device 'emulated', not on 'host'");
  EXPECT_EQ(error_text([] { find_local_backend("fftw", "emulated"); }),
            "local backend 'fftw' works on device 'host', not on 'emulated'");
  EXPECT_EQ(error_text([] { find_local_backend("auto", "abacus"); }),
            "no local backend for device 'abacus' is usable here");
}

TEST(LocalRegistry, UnknownNamesAreErrorsThatListTheKnownOnes) {
  for (const char* name : {"", "fftw3", "FFTW", " fftw"}) {
    const std::string text = error_text([&] { find_local_backend(name); });
    EXPECT_EQ(text.rfind("local backend '" + std::string(name) + "' is unknown", 0), 0u) << text;
    for (const LocalBackend& backend : local_backends()) {
      EXPECT_NE(text.find(backend.name), std::string::npos) << text;
    }
  }
}

}  // namespace
}  // namespace weft
