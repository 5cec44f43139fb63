/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import, and for tests and fuzzing: the text of a pyinstrument report or session becomes a profile.
 */
#pragma once

#include "loom-import-log.h"
#include "loom-json-slice.h"
#include "loom-python-profile-builder.h"

G_BEGIN_DECLS

/* A member of a frame that the profile itself has no place for. */
typedef struct {
  guint32 frame;
  LoomJsonSlice key, value; /* as they stand in the text */
} LoomPyinstrumentExtra;

typedef struct {
  gboolean session;                  /* records in time order; else a report's tree */
  gboolean no_samples;               /* root_frame is null: the profiler's own session was broken */
  gboolean incomplete;               /* the text ends early, or something was over a limit */
  gint64 start_ns;                   /* LOOM_TIME_NONE: not there */
  gint64 duration_ns;                /* −1: not there */
  GPtrArray *members;                /* owned; char * pairs key, value as JSON: what else stands at the top */
  GArray *extras;                    /* owned; LoomPyinstrumentExtra, of reports */
  LoomPythonProfileBuilder *builder; /* owned; without timer, interval and place */
} LoomPyinstrument;

/* Whether a text that begins so is one of the two: one of its first members says so. The text may end anywhere. */
gboolean loom_pyinstrument_looks_like (const char *text, gsize length);

/* Any depth; nothing recurses, memory follows the text. What can be read of a text that ends early is kept and the end
 * logged with its byte. FALSE with LOOM_ERROR_FORMAT when it is neither. Borrows from the text. */
gboolean loom_pyinstrument_read (LoomPyinstrument *result, const char *text, gsize length, LoomImportLog *log,
                                 GError **error);
void loom_pyinstrument_clear (LoomPyinstrument *result);

G_END_DECLS
