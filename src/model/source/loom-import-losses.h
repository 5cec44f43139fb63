/* SPDX-License-Identifier: Apache-2.0
 *
 * What of the input is not in the run. Messages are read once and gone; what is made from a run, a report, a merged file,
 * says it for good. Any thread.
 */
#pragma once

#include "loom-run.h"

G_BEGIN_DECLS

#define LOOM_MISSING_INPUT_UNREADABLE "unreadable" /* the code of what was not loaded at all */

typedef struct {
  guint source;        /* flat number; G_MAXUINT: the file is no source */
  const char *path;    /* all borrowed from the run */
  const char *code;    /* as in the source's log */
  const char *message; /* a sentence */
} LoomMissingInput;

/* Files that should have loaded and did not, then by source what was lost of it or left out: LoomMissingInput, empty when all is
 * there. Owned by the caller. */
GArray *loom_import_losses_new (const LoomRun *run);

/* Of the source's events, how many the log says were left out; what was repaired is not among them. */
guint64 loom_import_losses_count_left_out (const LoomSource *source);

G_END_DECLS
