/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: what a Python profile puts on the timeline. The files are no event traces, so the events are
 * written here, once per name and details: spans of one function share one text, which says everything but the times.
 */
#pragma once

#include "loom-importer.h"
#include "loom-python-profile-path.h"

G_BEGIN_DECLS

typedef struct {
  LoomTraceBuilder *builder;
  LoomSource *info;
  guint source;
  const char *category; /* static */
  GString *text;        /* becomes the source's text */
} LoomPythonProfileSpans;

/* Begins a source of the import with the facts of its file. The clock is exact when `anchored`. */
void loom_python_profile_spans_init (LoomPythonProfileSpans *spans, LoomImporter *import, const LoomFoundFile *file,
                                     const char *format, const LoomPythonProfilePath *path, guint clock);
/* Gives the source its text and its profile (may be NULL; taken). */
void loom_python_profile_spans_finish (LoomPythonProfileSpans *spans, LoomPythonProfile *profile);

/* A thread of the process of this kind of profile; `label` is for people. */
guint32 loom_python_profile_spans_thread (LoomPythonProfileSpans *spans, const char *key, const char *label,
                                          gint64 sort_index);

/* Writes an event's text; `args` is an object as JSON or NULL. The result is for loom_python_profile_spans_add(). */
typedef struct {
  guint32 name_id;
  LoomRef ref;
} LoomPythonProfileText;
LoomPythonProfileText loom_python_profile_spans_text (LoomPythonProfileSpans *spans, const char *name,
                                                      const char *args);

void loom_python_profile_spans_add (LoomPythonProfileSpans *spans, guint32 thread, gint64 start_ns, gint64 end_ns,
                                    LoomPythonProfileText text);

/* The interval of the folder, if there is one, on the row of all intervals. `facts` (may be NULL) are further members of
 * its args: ",\"functions\":3". */
void loom_python_profile_spans_add_interval (LoomPythonProfileSpans *spans, const LoomPythonProfilePath *path,
                                             const char *facts);

/* Reads a whole file (unpacked), at most `max_bytes` of it. NULL with `error`; a damaged end is logged. */
char *loom_python_profile_spans_read_file (LoomImporter *import, LoomSource *info, const LoomFoundFile *file,
                                           gsize max_bytes, gsize *length, GError **error);

/* The place of a profile, from the user's pattern and its path. */
gint loom_python_profile_spans_get_rank (const LoomImporter *import, const char *path,
                                         const LoomPythonProfilePath *parsed);

G_END_DECLS
