// every_macro.cc - each macro of fxttrace(3) from C++, with plain values, as code for Fuchsia has it; compiled by
// macros.sh.
#include <cstdint>
#include <lib/trace-provider/provider.h>
#include <lib/trace/event.h>
#include <string>
#include <string_view>
enum class Color : uint8_t { red, green };
int main() {
    trace::TraceProviderWithFdio provider(nullptr, "my name");
    char blob[64] = {1};
    std::string s("str");
    std::string_view sv("view");
    trace_flow_id_t id = TRACE_NONCE();
    const char *cs = "cs";
    int x = 3;
    float f = 1.5f;
    long long ll = -5;
    unsigned char uc = 7;
    size_t z = 9;
    TRACE_DURATION("app", "everything", "bool", true, "int", x, "float", f, "double", 2.5, "ll", ll, "uc", uc, "size",
                   z, "cs", cs, "lit", "literal", "s", s, "sv", sv, "p", &x, "null", nullptr, "enum", Color::green,
                   "arr", blob);
    TRACE_INSTANT("app", "mixed", TRACE_SCOPE_THREAD, "a", TA_INT32(1), "b", 2, "c", TA_STRING(s), "d",
                  std::string("temporary") + "x");
    TRACE_COUNTER("app", "count", 0, "x", 5u, "y", int64_t{4});
    TRACE_ASYNC_BEGIN("app", "as", id);
    TRACE_ASYNC_END("app", "as", id, "s", s.c_str());
    TRACE_FLOW_BEGIN("app", "fl", id);
    TRACE_FLOW_END("app", "fl", id);
    TRACE_INSTAFLOW_BEGIN("app", "flow", "step0", id, "a", 1);
    TRACE_INSTAFLOW_END("app", "flow", "step2", id);
    TRACE_BLOB_EVENT("app", "be", blob, sizeof blob, "n", 1);
    TRACE_BLOB_ATTACHMENT("app", "ba", blob, sizeof blob);
    TRACE_BLOB(TRACE_BLOB_TYPE_DATA, "bl", blob, sizeof blob);
    TRACE_ALERT("app", "done");
    TRACE_VTHREAD_COUNTER("app", "vc", "vthread", 1, 3, fxttrace_ticks(), "v", 3);
    auto lambda = [&](auto v) {
        TRACE_DURATION("app", "lambda", "v", v);
        return v;
    };
    if (x > 2)
        TRACE_INSTANT("app", "if", TRACE_SCOPE_THREAD);
    else
        TRACE_INSTANT("app", "else", TRACE_SCOPE_THREAD);
    return lambda(3) + lambda(4L) == 7 ? 0 : 1;
}
