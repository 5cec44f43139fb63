/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: puts a Python profile on the timeline. The files contain no trace events, so the text of
 * events is written here, once per name and args: spans of one function share one text, which has everything but the
 * times.
 */
#pragma once

#include "loom-importer.h"
#include "loom-python-profile-path.h"

typedef struct {
  LoomTraceBuilder *builder;
  LoomSource *info;
  guint source;
  const char *category; /* static */
  GString *text;        /* becomes the text of the source */
} LoomPythonProfileSpans;

/* Adds a source for the file on `clock`, with the node and rank of its path; logs odd folder names. */
void loom_python_profile_spans_init (LoomPythonProfileSpans *spans, LoomImporter *import, const LoomFoundFile *file,
                                     const char *format, const LoomPythonProfilePath *path, guint clock);
/* Gives the source its text and its profile, which may be NULL and is taken over. */
void loom_python_profile_spans_finish (LoomPythonProfileSpans *spans, LoomPythonProfile *profile);

/* Returns a thread of the process for this kind of profile; `label` is for display. */
guint32 loom_python_profile_spans_thread (LoomPythonProfileSpans *spans, const char *key, const char *label,
                                          gint64 sort_index);

/* Writes the text of an event; `args` is a JSON object or NULL. The result is for loom_python_profile_spans_add(). */
typedef struct {
  guint32 name_id;
  LoomRef ref;
} LoomPythonProfileText;
LoomPythonProfileText loom_python_profile_spans_text (LoomPythonProfileSpans *spans, const char *name,
                                                      const char *args);

void loom_python_profile_spans_add (LoomPythonProfileSpans *spans, guint32 thread, gint64 start_ns, gint64 end_ns,
                                    LoomPythonProfileText text);

/* Adds the interval of the folder, if there is one, to the row of all intervals. `facts` (may be NULL) are further
 * members of its args: ",\"functions\":3". */
void loom_python_profile_spans_add_interval (LoomPythonProfileSpans *spans, const LoomPythonProfilePath *path,
                                             const char *facts);

/* Reads a whole file (unpacked), at most `max_bytes`. Returns NULL with `error`; a damaged end is logged. */
char *loom_python_profile_spans_read_file (LoomImporter *import, LoomSource *info, const LoomFoundFile *file,
                                           gsize max_bytes, gsize *length, GError **error);

/* Returns the rank of a profile, from the user's pattern or its path. */
gint loom_python_profile_spans_get_rank (const LoomImporter *import, const char *path,
                                         const LoomPythonProfilePath *parsed);
