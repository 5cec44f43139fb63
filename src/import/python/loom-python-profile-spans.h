/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: puts a Python profile on the timeline. The files contain no trace events, so the text of
 * events is made here. The text does not contain times, so all spans with the same name and args share one text.
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
  const char *category; /* category of the spans; static */
  GString *text;        /* JSON text of the events added so far; becomes the text of the source */
} LoomPythonProfileSpans;

/* Reads the file of `spans` and adds its interval and its spans. Returns the profile. Returns NULL with `error` on
 * failure; `error_offset` is then the offset of the wrong byte, if known. */
typedef LoomPythonProfile *(*LoomPythonProfileRead) (LoomPythonProfileSpans *spans, gpointer user_data,
                                                     guint64 *error_offset, GError **error);

/* Imports all files of an importer. Each file becomes a source with the node and rank in its path; all sources share
 * one clock. If a file cannot be read, logs this and shows only its interval. Returns FALSE with `error` if
 * cancelled. */
gboolean loom_python_profile_spans_import (LoomImporter *import, const char *format, LoomPythonProfileRead read,
                                           gpointer user_data, GError **error);

/* Returns the thread with this key in the process that shows this kind of profile; adds it if it is new. `label`: name
 * as it is displayed. */
guint32 loom_python_profile_spans_thread (LoomPythonProfileSpans *spans, const char *key, const char *label,
                                          gint64 sort_index);

/* The generated text of an event. loom_python_profile_spans_text() makes the text once; all spans that are added with
 * it (loom_python_profile_spans_add()) share it. `args` is a JSON object or NULL. */
typedef struct {
  guint32 name_id;
  LoomRef ref;
} LoomPythonProfileText;
LoomPythonProfileText loom_python_profile_spans_text (LoomPythonProfileSpans *spans, const char *name,
                                                      const char *args);

void loom_python_profile_spans_add (LoomPythonProfileSpans *spans, guint32 thread, gint64 start_ns, gint64 end_ns,
                                    LoomPythonProfileText text);

/* Adds a span for the interval of the profile, if the name of the folder states an interval. The span is added to the
 * thread for intervals. `facts` (may be NULL): further members of the span's args: ",\"functions\":3". */
void loom_python_profile_spans_add_interval (LoomPythonProfileSpans *spans, const char *facts);

/* Reads and unpacks the whole file, of at most LOOM_LIMIT_PROFILE_BYTES. Returns NULL with `error` on failure. If
 * the end of the file is damaged, logs this and returns the text before it. */
char *loom_python_profile_spans_read_file (LoomPythonProfileSpans *spans, gsize *length, GError **error);
