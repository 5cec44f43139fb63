/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: functions that the recognisers of several file formats share. May be used by any thread.
 */
#pragma once

#include "loom-stream-reader.h"

/* number of bytes at the beginning of a file that are examined to recognise its format (JSON may need more) */
#define LOOM_SNIFF_FIRST_BYTES (64u * 1024)

/* Reads the beginning of the text into `bytes`, up to `n_bytes` bytes. `filled`: number of bytes that are already in
 * `bytes`. Reallocates `bytes`, which the caller owns, and appends a NUL. Returns the number of bytes in `bytes`: fewer
 * than `n_bytes` if the text is shorter, or if `error` is set. */
gsize loom_sniff_read_start (LoomStreamReader *reader, char **bytes, gsize filled, gsize n_bytes, GError **error);

/* Returns TRUE if only profilers use such file names. An empty file with such a name is a lost trace, unless the name
 * shows that the profiler is still writing the file. */
gboolean loom_sniff_is_trace_name (const char *path);
