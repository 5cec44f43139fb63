/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: functions that the recognisers of several file formats share. May be used by any thread.
 */
#pragma once

#include "loom-stream-reader.h"

/* number of bytes at the beginning of a file that are examined to recognise its format (JSON may need more) */
#define LOOM_SNIFF_FIRST_BYTES (64u * 1024)

/* Reads the beginning of the text into `bytes`, up to `n_bytes` bytes; `bytes` contains the first `filled` of them
 * already. Reallocates `bytes`, which the caller owns, and adds a NUL. Returns the number of bytes in it: fewer than
 * `n_bytes` at the end of the text, or with `error`. */
gsize loom_sniff_read_start (LoomStreamReader *reader, char **bytes, gsize filled, gsize n_bytes, GError **error);

/* Returns TRUE if only profilers name files like this. An empty file with such a name is a lost trace, unless the
 * name shows that the profiler is still writing it. */
gboolean loom_sniff_is_trace_name (const char *path);
