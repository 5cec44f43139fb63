/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import, and for tests and fuzzing: parses the text of a pyinstrument report or session into a profile.
 */
#pragma once

#include "loom-import-log.h"
#include "loom-json-slice.h"
#include "loom-python-profile-builder.h"

/* A JSON member of a stack frame that LoomPythonProfile has no field for. */
typedef struct {
  guint32 frame;
  LoomJsonSlice key, value; /* key and value of the member, as JSON text */
} LoomPyinstrumentExtra;

typedef struct {
  /* TRUE: the file is a session, with records in the order of time; FALSE: it is a report, with a tree of frames */
  gboolean session;
  /* TRUE: the member "root_frame" is null, so that the file contains no samples; this happens if the session of the
   * profiler was broken */
  gboolean no_samples;
  gboolean incomplete; /* TRUE if the text ends early, or if a limit was exceeded */
  gint64 start_ns;     /* start of the profile; LOOM_TIME_NONE: the file does not state it */
  gint64 duration_ns;  /* duration of the profile; −1: the file does not state it */
  /* char *, owned: the top-level members for which this struct has no member. Each of them takes two elements: its key
   * and its value, as JSON text */
  GPtrArray *members;
  /* owned; LoomPyinstrumentExtra: members of stack frames for which the profile has no field; only for reports */
  GArray *extras;
  /* owned: the profile. The caller must set its timer, interval, node and rank */
  LoomPythonProfileBuilder *builder;
} LoomPyinstrument;

/* Returns TRUE if the text begins like a report or session, judged by its first members. The text may end anywhere. */
gboolean loom_pyinstrument_looks_like (const char *text, gsize length);

/* Parses a report or a session. Trees may have any depth, because parsing does not use recursion; memory is
 * proportional to the text. If the text ends early, keeps what was read, and logs the offset of the end. Returns FALSE
 * with LOOM_ERROR_FORMAT if the text is neither a report nor a session. The texts in the result are borrowed from
 * `text`. */
gboolean loom_pyinstrument_read (LoomPyinstrument *result, const char *text, gsize length, LoomImportLog *log,
                                 GError **error);
void loom_pyinstrument_clear (LoomPyinstrument *result);
