/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists the input that is missing from a run, because it was unreadable or dropped. Reports and merged files that are
 * made from the run contain this list, because messages in the window disappear. May be called on any thread.
 */
#pragma once

#include "loom-run.h"

/* LoomMissingInput.code of files that could not be loaded at all */
#define LOOM_MISSING_INPUT_UNREADABLE "unreadable"

typedef struct {
  guint source;        /* index of the source in the run; G_MAXUINT: the file is not a source */
  const char *path;    /* path of the file; like the strings below, borrowed from the run */
  const char *code;    /* code of the entry in the source's log */
  const char *message; /* one sentence for the user that says what is missing */
} LoomMissingInput;

/* Returns the input that is missing in a run (LoomMissingInput): files that failed to load; then, for each source,
 * lost and dropped input. Empty if nothing is missing. Owned by the caller. */
GArray *loom_import_losses_new (const LoomRun *run);

/* Returns TRUE if log entries with this code count events that were dropped although the file could be read
 * completely. */
gboolean loom_import_losses_is_left_out (const char *code);

/* Returns how many events of a source were dropped according to its log. Repaired events do not count. */
guint64 loom_import_losses_count_left_out (const LoomSource *source);
