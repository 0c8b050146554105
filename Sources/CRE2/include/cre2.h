#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cre2_pattern cre2_pattern;

/// Compiles a pattern (UTF-8, linear time, at most `max_memory` bytes); NULL when it is not one.
cre2_pattern *cre2_compile(const char *text, size_t length, int64_t max_memory);
void cre2_free(cre2_pattern *pattern);
/// The number of groups.
int cre2_group_count(const cre2_pattern *pattern);
/// The size of the compiled program: a search takes at worst time in proportion to it and to the text.
int cre2_program_size(const cre2_pattern *pattern);
/// Looks for the first match at or after `start`; 1 when there is one, and then `places` holds the start and the end of
/// the match and of each group up to `count` pairs, -1 where a group took no part. With a count of 0 only whether there is a match is found out, which is
/// quicker.
int cre2_find(
    const cre2_pattern *pattern, const char *text, size_t length, size_t start, int64_t *places, int count);

#ifdef __cplusplus
}
#endif
