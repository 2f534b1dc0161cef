#ifndef WEFT_TESTS_EXPECT_H
#define WEFT_TESTS_EXPECT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>

/* The program, and with it the job, ends at the first thing that is not as it should be. */
static inline void expect(int good, const char* what) {
  if (good) return;
  fprintf(stderr, "failed: %s; last error: %s\n", what, weft_error_message());
  abort();
}

static inline void succeed(weft_status status, const char* what) {
  expect(status == WEFT_SUCCESS, what);
}

/* Expects an error with this status, and a part of its message. */
static inline void fails_with(weft_status expected, weft_status status, const char* part) {
  expect(status == expected, part);
  expect(strstr(weft_error_message(), part) != NULL, part);
}

/* The same for an error of arguments. */
static inline void fails(weft_status status, const char* part) {
  fails_with(WEFT_ERROR_ARGUMENT, status, part);
}

#endif
