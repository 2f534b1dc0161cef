#ifndef WEFT_VERSION_H
#define WEFT_VERSION_H

/// @file
/// Version of the headers, for the preprocessors of C and C++. weft_version() returns the
/// version of the library at run time.
///
///     #if WEFT_VERSION >= WEFT_MAKE_VERSION(0, 2, 0)

// CMakeLists.txt has the version of the project, and checks that these are equal.
#define WEFT_VERSION_MAJOR 0  ///< changes when programs must be adapted
#define WEFT_VERSION_MINOR 1  ///< before 1.0, changes when programs must be adapted
#define WEFT_VERSION_PATCH 0  ///< changes with corrections

/// A version as a number, to be compared; minor and patch are below 1000.
#define WEFT_MAKE_VERSION(major, minor, patch) ((major)*1000000 + (minor)*1000 + (patch))
/// The version of the headers.
#define WEFT_VERSION WEFT_MAKE_VERSION(WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR, WEFT_VERSION_PATCH)

/// @cond
#define WEFT_TEXT_OF_VERSION(major, minor, patch) #major "." #minor "." #patch
#define WEFT_TEXT_OF_NUMBERS(major, minor, patch) WEFT_TEXT_OF_VERSION(major, minor, patch)
/// @endcond
/// The version of the headers as text: "major.minor.patch".
#define WEFT_VERSION_STRING \
  WEFT_TEXT_OF_NUMBERS(WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR, WEFT_VERSION_PATCH)

#endif
