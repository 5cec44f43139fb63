/* SPDX-License-Identifier: Apache-2.0
 *
 * Puts a Python profile on the timeline. The interface is described in loom-python-profile-spans.h.
 */
#include "loom-python-profile-spans.h"

#include "loom-error.h"
#include "loom-json-slice.h"
#include "loom-sniff.h"
#include "loom-whole-text.h"

#include <glib/gi18n.h>
#include <string.h>

static gint
get_rank (const LoomImporter *import, const char *path, const LoomPythonProfilePath *parsed)
{
  gint rank = loom_importer_rank_from_pattern (import, path);
  if (rank < 0)
    rank = parsed->rank;
  return rank >= 0 ? rank : loom_sniff_rank_from_path (path);
}

static void
spans_init (LoomPythonProfileSpans *spans, LoomImporter *import, const LoomFoundFile *file, const char *format,
            const LoomPythonProfilePath *path, guint clock)
{
  LoomSource *info = loom_source_new (file->path);
  info->format = format;
  info->n_bytes = file->n_bytes;
  info->node = g_strdup (path->node);
  info->rank = get_rank (import, file->path, path);
  info->clock = clock;
  *spans = (LoomPythonProfileSpans) { .import = import,
                                      .file = file,
                                      .path = path,
                                      .builder = import->builder,
                                      .info = info,
                                      .category = format,
                                      .text = g_string_new ("[") };
  spans->source = loom_trace_builder_add_source (import->builder, info, clock);
  g_autofree char *base = g_path_get_basename (file->path);
  if (!path->has_interval && g_str_has_prefix (base, "python_stats"))
    loom_import_log_add (info->log, LOOM_SEVERITY_INFO, "odd-interval", LOOM_OFFSET_NONE,
                         "The folder is not named after a time interval, so the time of this profile is unknown");
  if (path->swapped)
    loom_import_log_add (info->log, LOOM_SEVERITY_INFO, "swapped-interval", LOOM_OFFSET_NONE,
                         "The time interval in the folder’s name ends before it starts; start and end were swapped");
}

static void
finish (LoomPythonProfileSpans *spans, LoomPythonProfile *profile)
{
  g_string_append (spans->text, "]\n");
  g_autoptr (GBytes) bytes = g_string_free_to_bytes (spans->text);
  spans->text = NULL;
  spans->info->text = loom_byte_source_new_bytes (bytes);
  spans->info->profile = profile;
}

guint32
loom_python_profile_spans_thread (LoomPythonProfileSpans *spans, const char *key, const char *label, gint64 sort_index)
{
  LoomTraceBuilder *builder = spans->builder;
  guint32 process = loom_trace_builder_process (builder, 0, spans->category, strlen (spans->category));
  loom_trace_builder_process_set_label (builder, process, "Python");
  loom_trace_builder_process_set_place (builder, process, spans->info->node, spans->info->rank);
  guint32 thread = loom_trace_builder_thread (builder, process, key, strlen (key));
  loom_trace_builder_thread_set_label (builder, thread, label);
  loom_trace_builder_thread_set_sort (builder, thread, sort_index);
  return thread;
}

LoomPythonProfileText
loom_python_profile_spans_text (LoomPythonProfileSpans *spans, const char *name, const char *args)
{
  GString *text = spans->text;
  if (text->len > 1)
    g_string_append (text, ",\n");
  LoomPythonProfileText result = {
    loom_trace_builder_name (spans->builder, name, strlen (name), spans->category, strlen (spans->category), NULL, 0),
    loom_source_ref_make (spans->source, 0, text->len),
  };
  g_string_append (text, "{\"ph\":\"X\",\"name\":");
  loom_json_slice_append_string (text, name, strlen (name));
  g_string_append_printf (text, ",\"cat\":\"%s\"", spans->category);
  if (args != NULL)
    g_string_append_printf (text, ",\"args\":%s", args);
  g_string_append_c (text, '}');
  return result;
}

void
loom_python_profile_spans_add (LoomPythonProfileSpans *spans, guint32 thread, gint64 start_ns, gint64 end_ns,
                               LoomPythonProfileText text)
{
  gint64 dur_ns = MAX (0, loom_time_sub (end_ns, start_ns));
  loom_trace_builder_span (spans->builder, thread, start_ns, dur_ns, text.name_id, text.ref);
  spans->info->n_events++;
}

static void
append_step (GString *args, const char *key, gint64 step)
{
  if (step == LOOM_STEP_BEFORE_FIRST)
    g_string_append_printf (args, ",\"%s\":\"before step 0\"", key);
  else if (step == LOOM_STEP_AFTER_LAST)
    g_string_append_printf (args, ",\"%s\":\"end of the job\"", key);
  else
    g_string_append_printf (args, ",\"%s\":%" G_GINT64_FORMAT, key, step);
}

static void
append_point (GString *args, const char *which, const LoomPythonProfilePoint *point)
{
  g_autofree char *step = g_strconcat (which, "_step", NULL);
  append_step (args, step, point->step);
  if (point->mode != LOOM_MODE_NONE)
    g_string_append_printf (args, ",\"%s_mode\":\"%s\"", which, loom_python_profile_mode_to_string (point->mode));
  if (point->part != LOOM_PART_NONE)
    g_string_append_printf (args, ",\"%s_phase\":\"%s\"", which, loom_python_profile_step_part_to_string (point->part));
}

void
loom_python_profile_spans_add_interval (LoomPythonProfileSpans *spans, const char *facts)
{
  const LoomPythonProfilePath *path = spans->path;
  if (!path->has_interval)
    return;
  g_autofree char *name = loom_python_profile_path_dup_name (path);
  g_autoptr (GString) args = g_string_new (NULL);
  append_point (args, "start", &path->start);
  append_point (args, "end", &path->end);
  if (path->framework != NULL) {
    g_string_append (args, ",\"framework\":");
    loom_json_slice_append_string (args, path->framework, strlen (path->framework));
  }
  g_string_append (args, facts != NULL ? facts : "");
  g_string_append_c (args, '}');
  args->str[0] = '{'; /* overwrites the leading comma, which separates the first member from earlier members of the
                       * args */
  guint32 thread = loom_python_profile_spans_thread (spans, "intervals", "profile intervals", 0);
  loom_python_profile_spans_add (spans, thread, path->start.time_ns, path->end.time_ns,
                                 loom_python_profile_spans_text (spans, name, args->str));
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static void
note_damage (LoomSource *info, LoomStreamReader *reader)
{
  loom_stream_reader_check_stored (reader);
  if (loom_stream_reader_get_damage (reader) == NULL)
    return;
  info->incomplete = TRUE;
  const LoomStreamError *damage = loom_stream_reader_get_damage (reader);
  g_autofree char *what = loom_stream_error_describe (damage);
  loom_import_log_printf (info->log, LOOM_SEVERITY_ERROR, loom_stream_error_get_code (damage), damage->unpacked, "%s",
                          what);
}

char *
loom_python_profile_spans_read_file (LoomPythonProfileSpans *spans, gsize *length, GError **error)
{
  const LoomFoundFile *file = spans->file;
  gsize max_bytes = loom_limit (LOOM_LIMIT_PROFILE_BYTES);
  g_autoptr (LoomStreamReader) reader =
    loom_stream_reader_new_from (file->path, file->origin, spans->import->progress, error);
  if (reader == NULL)
    return NULL;
  g_autoptr (GByteArray) bytes = loom_whole_text_read (reader, max_bytes, error);
  if (bytes == NULL)
    return NULL;
  if (bytes->len > max_bytes) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT, _ ("a Python profile of more than %zu bytes is not read"),
                 max_bytes);
    return NULL;
  }
  note_damage (spans->info, reader);
  spans->info->file_text = loom_stream_reader_dup_text (reader);
  *length = bytes->len;
  return (char *) g_byte_array_free (g_steal_pointer (&bytes), FALSE);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

/* Declares how exactly the times of the clock are known: LOOM_CLOCK_EXACT if the name of the file's folder states the
 * interval of the profile (`has_interval`), otherwise LOOM_CLOCK_NONE. Does nothing if an earlier file has declared
 * this. */
static void
declare_clock (LoomDeclaredClock *clock, gboolean has_interval)
{
  if (clock->basis != NULL)
    return;
  clock->state = has_interval ? LOOM_CLOCK_EXACT : LOOM_CLOCK_NONE;
  clock->basis = g_strdup (has_interval ? N_ ("interval in the folder’s name") : N_ ("no times in the file"));
}

/* Imports a file. If the file cannot be read, still adds a span for its interval, which the name of its folder states.
 * The message in the log does not contain the offset of the error, because the log entry has a member for this offset.
 * Returns FALSE with `error` only if cancelled. */
static gboolean
import_file (LoomImporter *import, const LoomFoundFile *file, guint clock, const char *format,
             LoomPythonProfileRead read, gpointer user_data, GError **error)
{
  LoomPythonProfilePath path;
  LoomPythonProfileSpans spans;
  guint64 error_offset = LOOM_OFFSET_NONE;
  g_autoptr (GError) failure = NULL;
  if (loom_importer_is_full (import, file->path))
    return TRUE;
  loom_python_profile_path_parse (file->path, &path);
  declare_clock (loom_trace_builder_get_clock (import->builder, clock), path.has_interval);
  spans_init (&spans, import, file, format, &path, clock);
  LoomPythonProfile *profile = read (&spans, user_data, &error_offset, &failure);
  if (profile == NULL) {
    spans.info->incomplete = TRUE;
    loom_import_log_printf (spans.info->log, LOOM_SEVERITY_ERROR, "unreadable", error_offset,
                            "%s; nothing of this file is shown", failure->message);
    loom_python_profile_spans_add_interval (&spans, NULL);
  }
  finish (&spans, profile);
  loom_python_profile_path_clear (&path);
  if (profile != NULL || !g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

gboolean
loom_python_profile_spans_import (LoomImporter *import, const char *format, LoomPythonProfileRead read,
                                  gpointer user_data, GError **error)
{
  guint clock = loom_trace_builder_add_clock (import->builder);
  for (guint i = 0; i < import->n_files; i++)
    if (!import_file (import, import->files[i], clock, format, read, user_data, error))
      return FALSE;
  return TRUE;
}
