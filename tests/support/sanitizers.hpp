// tests/support/sanitizers.hpp - which sanitizer the tests are compiled with: gcc and clang say it
// differently.
#pragma once

#ifdef __has_feature
#define TACT_HAS_FEATURE(x) __has_feature(x)
#else
#define TACT_HAS_FEATURE(x) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || TACT_HAS_FEATURE(address_sanitizer)
#define TACT_ADDRESS_SANITIZER 1
#else
#define TACT_ADDRESS_SANITIZER 0
#endif

#if defined(__SANITIZE_THREAD__) || TACT_HAS_FEATURE(thread_sanitizer)
#define TACT_THREAD_SANITIZER 1
#else
#define TACT_THREAD_SANITIZER 0
#endif
