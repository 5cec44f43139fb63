/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/remote. Receives the standard error of another program, because its last line states why the program
 * failed. Stores only the last bytes. While this process waits for the standard output of the program, it also reads
 * standard error; otherwise the program would block when the pipe is full. The functions block; only one thread at a
 * time may use an object.
 */
#pragma once

#include <gio/gio.h>

typedef struct {
  int fd;          /* read end of the pipe for the program's standard error; not owned; −1: the pipe is closed */
  GString *last;   /* the bytes that were received last */
  guint64 n_bytes; /* total number of bytes received */
} LoomComplaints;

#define LOOM_COMPLAINTS_INIT \
  {                          \
    .fd = -1                 \
  }

/* Begins to receive the standard error of a program that was started with G_SUBPROCESS_FLAGS_STDERR_PIPE. Discards the
 * bytes from an earlier program. */
void loom_complaints_begin (LoomComplaints *complaints, GSubprocess *process);
void loom_complaints_clear (LoomComplaints *complaints);

/* Waits until `fd` can be read or is closed at the other end; meanwhile, receives standard error. Returns FALSE with
 * G_IO_ERROR_CANCELLED. Returns FALSE without `error` in two cases: when the monotonic clock reaches `end_us` (in µs;
 * −1: no limit), and when the program has written more than `most_bytes` to standard error. `cancellable` may be
 * NULL. */
gboolean loom_complaints_wait (LoomComplaints *complaints, int fd, gint64 end_us, guint64 most_bytes,
                               GCancellable *cancellable, GError **error);

/* Waits until the program has ended; meanwhile, receives its standard error. */
void loom_complaints_wait_end (LoomComplaints *complaints, GSubprocess *process);

/* Returns the last line that the program wrote to standard error, owned by the caller; NULL if it wrote nothing. */
char *loom_complaints_dup_last (LoomComplaints *complaints);
