#pragma once
#include <zlib.h>

// deflateInit2 is a macro that passes the size of the structure and the version of this header.
static inline int zlib_begin_gzip(z_streamp stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
