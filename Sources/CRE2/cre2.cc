#include "cre2.h"

#include <re2/re2.h>

#include <memory>
#include <new>

struct cre2_pattern {
    re2::RE2 expression;
    cre2_pattern(const re2::StringPiece &text, const re2::RE2::Options &options) : expression(text, options) {}
};

extern "C" cre2_pattern *cre2_compile(const char *text, size_t length, int64_t max_memory) {
    re2::RE2::Options options;
    options.set_encoding(re2::RE2::Options::EncodingUTF8);
    options.set_log_errors(false);
    options.set_max_mem(max_memory);
    auto *pattern = new (std::nothrow) cre2_pattern(re2::StringPiece(text, length), options);
    if (pattern != nullptr && !pattern->expression.ok()) {
        delete pattern;
        return nullptr;
    }
    return pattern;
}

extern "C" void cre2_free(cre2_pattern *pattern) { delete pattern; }

extern "C" int cre2_group_count(const cre2_pattern *pattern) {
    return pattern->expression.NumberOfCapturingGroups();
}

extern "C" int cre2_program_size(const cre2_pattern *pattern) { return pattern->expression.ProgramSize(); }

extern "C" int cre2_find(
    const cre2_pattern *pattern, const char *text, size_t length, size_t start, int64_t *places, int count) {
    std::unique_ptr<re2::StringPiece[]> groups(new (std::nothrow) re2::StringPiece[count]);
    if (!groups) return 0;
    if (!pattern->expression.Match(
            re2::StringPiece(text, length), start, length, re2::RE2::UNANCHORED, groups.get(), count)) {
        return 0;
    }
    for (int index = 0; index < count; index++) {
        bool took_part = groups[index].data() != nullptr;
        places[index * 2] = took_part ? groups[index].data() - text : -1;
        places[index * 2 + 1] = took_part ? places[index * 2] + (int64_t)groups[index].size() : -1;
    }
    return 1;
}
