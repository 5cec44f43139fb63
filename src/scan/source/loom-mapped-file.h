/* SPDX-License-Identifier: Apache-2.0
 *
 * A stretch of a file in memory without copying. A file that shrinks meanwhile (or a disk that fails) would end the
 * program by SIGBUS; instead zeros stand there, and closing the stretch says so.
 * A thread reads one stretch at a time: the one it opened, or the one it said it looks at.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const char *text; /* what was asked for */
  gsize length;
  char *base; /* whole pages */
  gsize n_bytes;
  gboolean is_broken;
} LoomMappedFile;

/* Whether mapping takes longer than copying here: where virtual machines have page tables of their own, the first look at a
 * page takes as long as copying ten of them. Both are tried once, on the beginning of the first file that is asked for and is
 * long enough; FALSE before. LOOM_MAP_BYTES in the environment decides instead: slow when it is 0. */
gboolean loom_mapped_file_is_slow (int fd);

/* FALSE when it cannot be mapped. `length` is not 0. */
gboolean loom_mapped_file_open (LoomMappedFile *mapped, int fd, guint64 offset, gsize length);

/* The first `length` bytes of a file, for any number of threads: each says that it looks at it before it reads. At least
 * a page of zeros follows, so that a reader who stops at them needs to know no end. */
gboolean loom_mapped_file_open_whole (LoomMappedFile *mapped, int fd, gsize length);
void loom_mapped_file_look_at (LoomMappedFile *mapped); /* NULL: at none */

/* FALSE when some of it could not be read. Nobody reads it any more; a thread that looked at it and is not this one may
 * still ask the record at a bus error of its own, so one that threads share stays allocated. */
gboolean loom_mapped_file_close (LoomMappedFile *mapped);

G_END_DECLS
