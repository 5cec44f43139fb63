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
  LoomImporter *import;
  const LoomFoundFile *file;
  const LoomPythonProfilePath *path;
  LoomTraceBuilder *builder;
  LoomSource *info;
  guint source;
  const char *category; /* static */
  GString *text;        /* becomes the text of the source */
} LoomPythonProfileSpans;

/* Reads the file of `spans` and adds its interval and its spans. Returns the profile, NULL with `error`; `error_offset` may
 * then be set to the offset of the wrong byte. */
typedef LoomPythonProfile *(*LoomPythonProfileRead) (LoomPythonProfileSpans *spans, gpointer user_data,
                                                     guint64 *error_offset, GError **error);

/* Reads all files of an importer onto one clock: each becomes a source with the node and rank of its path. A file that
 * cannot be read is logged, and only its interval is shown. Returns FALSE with `error` if cancelled. */
gboolean loom_python_profile_spans_import (LoomImporter *import, const char *format, LoomPythonProfileRead read,
                                           gpointer user_data, GError **error);

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
void loom_python_profile_spans_add_interval (LoomPythonProfileSpans *spans, const char *facts);

/* Reads the whole file (unpacked), at most LOOM_LIMIT_PROFILE_BYTES. Returns NULL with `error`; a damaged end is
 * logged. */
char *loom_python_profile_spans_read_file (LoomPythonProfileSpans *spans, gsize *length, GError **error);
