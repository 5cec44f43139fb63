/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import, and for tests and fuzzing: parses the text of a pyinstrument report or session into a profile.
 */
#pragma once

#include "loom-import-log.h"
#include "loom-json-slice.h"
#include "loom-python-profile-builder.h"

/* A JSON member of a stack frame for which the profile has no field. */
typedef struct {
  guint32 frame;
  LoomJsonSlice key, value; /* JSON text */
} LoomPyinstrumentExtra;

typedef struct {
  gboolean session;                  /* TRUE: a session, records in order of time; FALSE: a report, a tree of frames */
  gboolean no_samples;               /* root_frame is null: the profiler's own session was broken */
  gboolean incomplete;               /* the text ends early, or a limit was exceeded */
  gint64 start_ns;                   /* LOOM_TIME_NONE: absent */
  gint64 duration_ns;                /* −1: absent */
  GPtrArray *members;                /* owned; char * pairs of key and value (JSON): other top-level members */
  GArray *extras;                    /* owned; LoomPyinstrumentExtra: other members of stack frames; only for reports */
  LoomPythonProfileBuilder *builder; /* owned; the caller sets timer, interval, node and rank */
} LoomPyinstrument;

/* Returns TRUE if the text is the beginning of a report or session, according to its first members. The text may end
 * anywhere. */
gboolean loom_pyinstrument_looks_like (const char *text, gsize length);

/* Parses trees of any depth without recursion; memory is proportional to the text. If the text ends early, what can be
 * read is kept and the end is logged with its offset. Returns FALSE with LOOM_ERROR_FORMAT if the text is neither a
 * report nor a session. Borrows from the text. */
gboolean loom_pyinstrument_read (LoomPyinstrument *result, const char *text, gsize length, LoomImportLog *log,
                                 GError **error);
void loom_pyinstrument_clear (LoomPyinstrument *result);
