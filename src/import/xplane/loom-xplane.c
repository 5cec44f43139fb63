/* SPDX-License-Identifier: Apache-2.0
 *
 * Imports XSpace files of JAX, TensorFlow and XLA (*.xplane.pb). Their events are read like the events of
 * trace.json.gz, which the same profiler writes to the same folder.
 */
#include "loom-importer.h"
#include "loom-proto-file.h"
#include "loom-xplane-events.h"
#include "loom-xplane-known.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

/* Number of bytes of text that are made from one byte of the file; an estimate, for the progress. */
#define TYPICAL_RATIO 3

static void
free_space (gpointer maker)
{
  loom_xplane_space_free (maker);
}

/* Returns TRUE if the times in the file count from 1970, and the file does not state when profiling started. If the
 * file states the start of profiling, times are relative to it. Only lines of a plane that began before this start may
 * then have times since 1970; the importer does not change these times. */
static gboolean
is_absolute (const LoomXplaneSpace *space)
{
  gboolean any = FALSE;
  if (space->start_ns != 0)
    return FALSE;
  for (guint i = 0; i < space->lines->len; i++)
    any |= g_array_index (space->lines, LoomXplaneLine, i).start_ns >= LOOM_TIME_EPOCH_MIN;
  return any;
}

static char *
dup_host (const LoomXplaneSpace *space, const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  char *end = strstr (base, ".xplane.pb");
  if (space->hosts->len == 1)
    return g_strdup (space->hosts->pdata[0]);
  if (end == NULL || end == base)
    return NULL;
  *end = '\0';
  return g_steal_pointer (&base);
}

static void
log_n (LoomSource *source, guint64 n, LoomSeverity severity, const char *code, const char *message)
{
  if (n > 0)
    loom_import_log_add_n (source->log, severity, code, LOOM_OFFSET_NONE, n, message);
}

static void
log_space (const LoomXplaneSpace *space, LoomSource *source)
{
  log_n (source, space->n_backwards, LOOM_SEVERITY_WARNING, "negative-duration",
         N_ ("An event with a negative or impossible time was skipped"));
  log_n (source, space->n_damaged, LOOM_SEVERITY_ERROR, "damaged-event",
         N_ ("An event is damaged; its readable part was kept"));
  log_n (source, space->n_aggregated, LOOM_SEVERITY_INFO, "aggregated",
         N_ ("An aggregated event without times is not shown"));
  log_n (source, space->n_unnamed, LOOM_SEVERITY_WARNING, "no-name",
         N_ ("An event’s name is not in the file; the number of the name is shown instead"));
  log_n (source, space->n_hidden, LOOM_SEVERITY_INFO, "not-shown",
         N_ ("An event is not shown, because its plane has no times"));
  if (space->n_programs > 0)
    loom_import_log_printf (source->log, LOOM_SEVERITY_INFO, "not-shown", LOOM_OFFSET_NONE,
                            "The file contains %" PRIu64 " XLA programs, which are not shown", space->n_programs);
  for (guint i = 0; i < space->problems->len; i++)
    loom_import_log_printf (source->log, LOOM_SEVERITY_WARNING, "profiler", LOOM_OFFSET_NONE,
                            "The profiler reports: %s", (const char *) space->problems->pdata[i]);
  if (space->is_converted)
    loom_import_log_add (source->log, LOOM_SEVERITY_ERROR, "text-conversion", LOOM_OFFSET_NONE,
                         "The file was damaged by a text conversion: the original is needed");
  else if (space->damage != G_MAXUINT64 && space->cut > 0)
    loom_import_log_printf (source->log, LOOM_SEVERITY_ERROR, "truncated", LOOM_OFFSET_NONE,
                            "The file is truncated at byte %" PRIu64 ", or the part that begins at byte %" PRIu64
                            " is damaged; the readable part was kept",
                            space->cut, space->damage);
  else if (space->damage != G_MAXUINT64)
    loom_import_log_printf (source->log, LOOM_SEVERITY_ERROR, "truncated", LOOM_OFFSET_NONE,
                            "The file is damaged or truncated at byte %" PRIu64 "; the readable part was kept",
                            space->damage);
  source->incomplete |= space->n_damaged > 0 || space->damage != G_MAXUINT64 || space->is_converted;
}

/* Imports the events of an XSpace file. `text`: the JSON text with events that is generated from `space`; `text` owns
 * `space`. `end`: how reading the file ended. Returns FALSE with `error` on failure. */
static gboolean
read_space (LoomImporter *import, const LoomFoundFile *file, LoomByteSource *text, const LoomXplaneSpace *space,
            const LoomStreamEnd *end, GError **error)
{
  LoomFoundFile view = *file;
  g_autoptr (LoomSourceLocation) origin = loom_source_location_new (NULL, NULL, text);
  g_autofree char *host = dup_host (space, file->path);
  view.origin = origin;
  LoomTensorFlowRun run = {
    .format = "xplane",
    .start_ns = space->start_ns,
    .is_absolute = is_absolute (space),
    .node = host,
    .scan = loom_xplane_known_scan,
  };
  guint n_before = loom_trace_builder_get_n_sources (import->builder);
  gboolean good = loom_importer_tensorflow_read (import, &view, &run, error);
  loom_made_text_wait (text); /* the thread that makes the text may still be running if reading stopped early */
  if (loom_trace_builder_get_n_sources (import->builder) > n_before) {
    LoomSource *source = loom_trace_builder_get_source (import->builder, n_before);
    log_space (space, source);
    loom_importer_note_end (source, end);
  }
  return good;
}

static gboolean
read_file (LoomImporter *import, const LoomFoundFile *file, GError **error)
{
  static const LoomMadeTextClass klass = { loom_xplane_events_make, free_space };
  GError *failure = NULL;
  guint64 n_bytes;
  LoomStreamEnd end;
  g_autoptr (LoomByteSource) bytes =
    loom_proto_file_open (file->path, file->origin, import->progress, &n_bytes, &end, &failure);
  if (bytes == NULL)
    return loom_importer_fail (import, file->path, failure, error);
  loom_progress_add_total (import->progress, (TYPICAL_RATIO - 1) * file->n_bytes);
  LoomXplaneSpace *space =
    loom_xplane_space_new (loom_byte_source_ref (bytes), n_bytes, import->progress, import->budget);
  if (space == NULL) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled");
    return FALSE;
  }
  g_autoptr (LoomByteSource) text = loom_made_text_new (&klass, space, 0, NULL, NULL);
  return read_space (import, file, text, space, &end, error);
}

gboolean
loom_importer_xplane (LoomImporter *import, GError **error)
{
  for (guint i = 0; i < import->n_files; i++)
    if (!read_file (import, import->files[i], error))
      return FALSE;
  return TRUE;
}
