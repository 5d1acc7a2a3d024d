/* event_args.h - arguments of trace macros: pairs of a key and a value (fxttrace(3), "Arguments").
 *
 * In C a value is one of the TA_ macros. In C++ it may also be a plain value: bool, an integer, an
 * enumeration, a floating number, text, a pointer. Up to 15 pairs. Nothing here is evaluated while
 * tracing is off. */
#ifndef FXTTRACE_EVENT_ARGS_H
#define FXTTRACE_EVENT_ARGS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum fxttrace_type { /* as in the record */
                     FXTTRACE_NULL = 0,
                     FXTTRACE_INT32 = 1,
                     FXTTRACE_UINT32 = 2,
                     FXTTRACE_INT64 = 3,
                     FXTTRACE_UINT64 = 4,
                     FXTTRACE_DOUBLE = 5,
                     FXTTRACE_STRING = 6,
                     FXTTRACE_POINTER = 7,
                     FXTTRACE_KOID = 8,
                     FXTTRACE_BOOL = 9,
};

struct fxttrace_value {
    uint64_t bits;    /* the number; of a string its address */
    uint32_t length;  /* of a string, bytes */
    uint16_t type;    /* enum fxttrace_type */
    uint16_t literal; /* the string never changes: it is registered once */
};

struct fxttrace_arg {
    const char *key; /* NUL-terminated */
    struct fxttrace_value value;
};

#ifdef __cplusplus
#define FXTTRACE_INLINE inline
#else
#define FXTTRACE_INLINE static inline
#endif

FXTTRACE_INLINE struct fxttrace_value fxttrace_number(enum fxttrace_type type, uint64_t bits) {
    struct fxttrace_value value;
    value.bits = bits;
    value.length = 0;
    value.type = (uint16_t)type;
    value.literal = 0;
    return value;
}

FXTTRACE_INLINE struct fxttrace_value fxttrace_text(const char *text, size_t length, int literal) {
    struct fxttrace_value value;
    value.bits = (uint64_t)(uintptr_t)text;
    value.length = length > 32000 ? 32000 : (uint32_t)length;
    if (text == NULL)
        value.length = 0;
    value.type = FXTTRACE_STRING;
    value.literal = (uint16_t)literal;
    return value;
}

FXTTRACE_INLINE struct fxttrace_value fxttrace_double(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return fxttrace_number(FXTTRACE_DOUBLE, bits);
}

#define TA_NULL() fxttrace_number(FXTTRACE_NULL, 0)
#define TA_BOOL(value) fxttrace_number(FXTTRACE_BOOL, (value) ? 1 : 0)
#define TA_INT32(value) fxttrace_number(FXTTRACE_INT32, (uint32_t)(int32_t)(value))
#define TA_UINT32(value) fxttrace_number(FXTTRACE_UINT32, (uint32_t)(value))
#define TA_INT64(value) fxttrace_number(FXTTRACE_INT64, (uint64_t)(int64_t)(value))
#define TA_UINT64(value) fxttrace_number(FXTTRACE_UINT64, (uint64_t)(value))
#define TA_DOUBLE(value) fxttrace_double(value)
#define TA_CHAR_ARRAY(text, length) fxttrace_text(text, length, 0)
#define TA_STRING(text) fxttrace_string(text)
#define TA_STRING_LITERAL(text) fxttrace_text("" text, sizeof(text) - 1, 1)
#define TA_POINTER(value) fxttrace_number(FXTTRACE_POINTER, (uint64_t)(uintptr_t)(value))
#define TA_KOID(value) fxttrace_number(FXTTRACE_KOID, (uint64_t)(value))

FXTTRACE_INLINE struct fxttrace_value fxttrace_string(const char *text) {
    return fxttrace_text(text, text == NULL ? 0 : strlen(text), 0);
}

#ifdef __cplusplus

#include <type_traits>

/* Text with data() and size(): std::string, std::string_view, fbl::String. */
template <typename T>
inline auto fxttrace_string(const T &text) -> decltype(fxttrace_text(text.data(), text.size(), 0)) {
    return fxttrace_text(text.data(), text.size(), 0);
}

namespace fxttrace_internal {

template <typename T, typename = void> struct has_data : std::false_type {};
template <typename T>
struct has_data<T, decltype(static_cast<void>(
                                static_cast<const char *>(std::declval<const T &>().data())),
                            static_cast<void>(std::declval<const T &>().size()))> : std::true_type {
};

template <typename T> inline struct fxttrace_value value_of(const T &value) {
    using plain = typename std::decay<T>::type;
    if constexpr (std::is_same<plain, struct fxttrace_value>::value)
        return value;
    else if constexpr (std::is_same<plain, bool>::value)
        return fxttrace_number(FXTTRACE_BOOL, value ? 1 : 0);
    else if constexpr (std::is_same<plain, std::nullptr_t>::value)
        return fxttrace_number(FXTTRACE_NULL, 0);
    else if constexpr (std::is_enum<plain>::value)
        return value_of(static_cast<typename std::underlying_type<plain>::type>(value));
    else if constexpr (std::is_floating_point<plain>::value)
        return fxttrace_double(static_cast<double>(value));
    else if constexpr (std::is_integral<plain>::value && std::is_signed<plain>::value)
        return sizeof(plain) > 4 ? TA_INT64(value) : TA_INT32(value);
    else if constexpr (std::is_integral<plain>::value)
        return sizeof(plain) > 4 ? TA_UINT64(value) : TA_UINT32(value);
    else if constexpr (std::is_array<T>::value && std::is_convertible<plain, const char *>::value)
        /* an array may lack the NUL */
        return fxttrace_text(value, strnlen(value, sizeof value), 0);
    else if constexpr (std::is_convertible<plain, const char *>::value)
        return fxttrace_string(static_cast<const char *>(value));
    else if constexpr (has_data<T>::value)
        return fxttrace_text(value.data(), value.size(), 0);
    else {
        static_assert(std::is_pointer<plain>::value,
                      "an argument is of no type that a trace can hold");
        return fxttrace_number(FXTTRACE_POINTER,
                               static_cast<uint64_t>(reinterpret_cast<uintptr_t>(value)));
    }
}

} // namespace fxttrace_internal

#define FXTTRACE_VALUE(value) fxttrace_internal::value_of(value)
#else
#define FXTTRACE_VALUE(value) (value)
#endif

/* FXTTRACE_COUNT(any, k1, v1, k2, v2) is 2: pairs of the arguments after the first one, at most 15.
 * FXTTRACE_PAIRS() is the list of initialisers. An odd number of them does not compile. */
#define FXTTRACE_FIRST(...) FXTTRACE_FIRST_(__VA_ARGS__, 0)
#define FXTTRACE_FIRST_(first, ...) first
#define FXTTRACE_COUNT(...)                                                                        \
    FXTTRACE_COUNT_(__VA_ARGS__, 15, ODD, 14, ODD, 13, ODD, 12, ODD, 11, ODD, 10, ODD, 9, ODD, 8,  \
                    ODD, 7, ODD, 6, ODD, 5, ODD, 4, ODD, 3, ODD, 2, ODD, 1, ODD, 0, 0)
#define FXTTRACE_COUNT_(z, a1, b1, a2, b2, a3, b3, a4, b4, a5, b5, a6, b6, a7, b7, a8, b8, a9, b9, \
                        a10, b10, a11, b11, a12, b12, a13, b13, a14, b14, a15, b15, n, ...)        \
    n
#define FXTTRACE_PAIR(k, v)                                                                        \
    { (k), FXTTRACE_VALUE(v) }
#define FXTTRACE_PAIRS_0(z)                                                                        \
    {                                                                                              \
        NULL, {                                                                                    \
            0, 0, 0, 0                                                                             \
        }                                                                                          \
    }
#define FXTTRACE_PAIRS_1(z, k, v) FXTTRACE_PAIR(k, v)
#define FXTTRACE_PAIRS_2(z, k, v, ...) FXTTRACE_PAIR(k, v), FXTTRACE_PAIRS_1(z, __VA_ARGS__)
#define FXTTRACE_PAIRS_3(z, k, v, ...) FXTTRACE_PAIR(k, v), FXTTRACE_PAIRS_2(z, __VA_ARGS__)
#define FXTTRACE_PAIRS_4(z, k, v, ...) FXTTRACE_PAIR(k, v), FXTTRACE_PAIRS_3(z, __VA_ARGS__)
#define FXTTRACE_PAIRS_5(z, k, v, ...) FXTTRACE_PAIR(k, v), FXTTRACE_PAIRS_4(z, __VA_ARGS__)
#define FXTTRACE_PAIRS_6(z, k, v, ...) FXTTRACE_PAIR(k, v), FXTTRACE_PAIRS_5(z, __VA_ARGS__)
#define FXTTRACE_PAIRS_7(z, k, v, ...) FXTTRACE_PAIR(k, v), FXTTRACE_PAIRS_6(z, __VA_ARGS__)
#define FXTTRACE_PAIRS_8(z, k, v, ...) FXTTRACE_PAIR(k, v), FXTTRACE_PAIRS_7(z, __VA_ARGS__)
#define FXTTRACE_PAIRS_9(z, k, v, ...) FXTTRACE_PAIR(k, v), FXTTRACE_PAIRS_8(z, __VA_ARGS__)
#define FXTTRACE_PAIRS_10(z, k, v, ...) FXTTRACE_PAIR(k, v), FXTTRACE_PAIRS_9(z, __VA_ARGS__)
#define FXTTRACE_PAIRS_11(z, k, v, ...) FXTTRACE_PAIR(k, v), FXTTRACE_PAIRS_10(z, __VA_ARGS__)
#define FXTTRACE_PAIRS_12(z, k, v, ...) FXTTRACE_PAIR(k, v), FXTTRACE_PAIRS_11(z, __VA_ARGS__)
#define FXTTRACE_PAIRS_13(z, k, v, ...) FXTTRACE_PAIR(k, v), FXTTRACE_PAIRS_12(z, __VA_ARGS__)
#define FXTTRACE_PAIRS_14(z, k, v, ...) FXTTRACE_PAIR(k, v), FXTTRACE_PAIRS_13(z, __VA_ARGS__)
#define FXTTRACE_PAIRS_15(z, k, v, ...) FXTTRACE_PAIR(k, v), FXTTRACE_PAIRS_14(z, __VA_ARGS__)
#define FXTTRACE_JOIN(a, b) FXTTRACE_JOIN_(a, b)
#define FXTTRACE_JOIN_(a, b) a##b
#define FXTTRACE_PAIRS(...) FXTTRACE_JOIN(FXTTRACE_PAIRS_, FXTTRACE_COUNT(__VA_ARGS__))(__VA_ARGS__)

#endif
