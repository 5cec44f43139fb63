/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/scan: a stretch of a file in memory without copying. A file that shrinks meanwhile (or a disk that fails)
 * would end the program by SIGBUS; instead zeros stand there, and closing the stretch says so.
 * Opened, read and closed by one thread, one stretch per thread at a time.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const char *text; /* what was asked for */
  gsize length;
  char *base;       /* whole pages */
  gsize n_bytes;
  gboolean is_broken;
} LoomMapped;

/* FALSE when it cannot be mapped. `length` is not 0. */
gboolean loom_mapped_open (LoomMapped *mapped, int fd, guint64 offset, gsize length);

/* FALSE when some of it could not be read. */
gboolean loom_mapped_close (LoomMapped *mapped);

G_END_DECLS
