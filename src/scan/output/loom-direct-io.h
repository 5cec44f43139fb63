/* SPDX-License-Identifier: Apache-2.0
 *
 * A long stretch of a large file, mostly its rest, past the page cache: the disk takes it from here while more is made, and
 * what other files have in the cache stays there. One thread at a time; another one writes.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The file has to end at a multiple of this. */
#define LOOM_DIRECT_WRITER_BLOCK_BYTES 4096u

typedef struct _LoomDirectWriter LoomDirectWriter;

/* Writes at the end of `fd`, which is borrowed and is left alone meanwhile. NULL when the file system or the machine does
 * not have it: then write as always. Takes 6 MB. */
LoomDirectWriter *loom_direct_io_new (int fd);

/* Waits while the disk is behind. */
void loom_direct_io_append (LoomDirectWriter *direct, const char *bytes, gsize length);

/* Whether the disk takes longer than whoever makes what is written: much of the time was spent waiting for it. */
gboolean loom_direct_io_is_behind (const LoomDirectWriter *direct);

/* 0, or the errno of what failed: then nothing more is written. */
int loom_direct_io_get_errno (LoomDirectWriter *direct);

/* Writes what is left and frees; `fd` is written to as always afterwards. Returns as above. */
int loom_direct_io_finish (LoomDirectWriter *direct);

/* The same without what is not written yet. */
void loom_direct_io_abort (LoomDirectWriter *direct);

G_END_DECLS
