/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/remote: what a program writes to its standard error, of which the last line says why it failed. Only the end is
 * kept, however much a program writes, and it never has to wait for a reader while its output is waited for. Blocking; one
 * thread at a time.
 */
#pragma once

#include <gio/gio.h>

typedef struct {
  int fd;          /* of the program's pipe, not owned; −1: nothing more comes */
  GString *last;   /* the last bytes */
  guint64 n_bytes; /* of all that came */
} LoomComplaints;

#define LOOM_COMPLAINTS_INIT \
  {                          \
    .fd = -1                 \
  }

/* Begins to listen to a program that was started with G_SUBPROCESS_FLAGS_STDERR_PIPE, and forgets what came from another. */
void loom_complaints_begin (LoomComplaints *complaints, GSubprocess *process);
void loom_complaints_clear (LoomComplaints *complaints);

/* Waits until `fd` can be read or is closed at the other side, and takes complaints meanwhile. FALSE with G_IO_ERROR_CANCELLED.
 * FALSE without `error`: the time `end_us` of the monotonic clock has come, in µs (−1: never), or more than `most_bytes` of
 * complaints have. `cancellable` may be NULL. */
gboolean loom_complaints_wait (LoomComplaints *complaints, int fd, gint64 end_us, guint64 most_bytes,
                               GCancellable *cancellable, GError **error);

/* Waits until the program has ended. */
void loom_complaints_wait_end (LoomComplaints *complaints, GSubprocess *process);

/* Returns the last line; owned by the caller, NULL if there is none. */
char *loom_complaints_dup_last (LoomComplaints *complaints);
