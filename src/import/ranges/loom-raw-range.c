/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a range of time of a trace file, using the offsets of events in an index of this file, without reading the
 * whole file. The interface is described in loom-raw-range.h.
 */
#include "loom-raw-range.h"

#include <glib/gi18n.h>
#include <string.h>

#include "loom-error.h"
#include "loom-gzip-restarts.h"
#include "loom-importer.h"
#include "loom-index-about.h"
#include "loom-index-places.h"
#include "loom-kept-text.h"
#include "loom-range-text.h"

/* The trace file to read, and data from its index. */
typedef struct {
  const LoomRawRangeRequest *request;
  const LoomSource *source; /* the source of the file, in the trace that was read from the index */
  LoomIndexAbout *about;    /* owned; states the files from which the index was made (loom-index-about.h) */
  const LoomIndexAboutFile *file;
  LoomRawFile opened;     /* owned; the opened trace file */
  LoomByteIndex *places;  /* owned; the byte index of the file: offsets of events */
  GBytes *restarts;       /* owned; positions from which a gzip file can be unpacked (loom-gzip-restarts.h); empty:
                           * none */
  gboolean is_packed;     /* TRUE if the file is compressed */
  GArray *places_in_file; /* owned; for each part of the range's text, its offset in the file
                           * (loom_range_text_make()) */
} Raw;

static void
raw_clear (Raw *raw)
{
  loom_raw_file_clear (&raw->opened);
  g_clear_pointer (&raw->about, loom_index_about_free);
  g_clear_pointer (&raw->places, loom_byte_index_free);
  g_clear_pointer (&raw->restarts, g_bytes_unref);
  g_clear_pointer (&raw->places_in_file, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Raw, raw_clear)

/* --- reading the index again, and opening the file ---------------------------------------------------------------- */

/* Returns the bytes of the index file; NULL with `error`. The file is read again, because the offsets of events are not
 * kept in memory while an index is open. */
static GBytes *
read_index (const LoomSource *source, GError **error)
{
  gsize max_bytes = loom_limit (LOOM_LIMIT_INDEX_BYTES), n_step = 256 * 1024;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  for (gssize n = 1; n > 0;) {
    guint at = bytes->len;
    if (at > max_bytes || source->file_text == NULL) {
      g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("“%s” cannot be read again"), source->path);
      return NULL;
    }
    g_byte_array_set_size (bytes, at + (guint) n_step);
    n = loom_byte_source_read (source->file_text, at, bytes->data + at, n_step, error);
    if (n < 0)
      return NULL;
    g_byte_array_set_size (bytes, at + (guint) n);
  }
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

/* Returns TRUE if the opened file has the time of modification that the index states. Parts of the time that are
 * unknown for the opened file are not compared. */
static gboolean
has_same_time (const LoomRawFile *opened, const LoomIndexAboutFile *file)
{
  if (opened->modified_s == LOOM_TIME_NONE)
    return TRUE;
  return opened->modified_s == file->modified_s &&
         (opened->modified_us >= G_USEC_PER_SEC || opened->modified_us == file->modified_us);
}

/* Opens the trace file. Returns FALSE with `error` if this fails, or if the file has changed since the index was
 * made. */
static gboolean
open_file (Raw *raw, GError **error)
{
  const LoomIndexAboutFile *file = raw->file;
  const LoomRawRangeRequest *request = raw->request;
  LoomRawFileOpen open = request->open != NULL ? request->open : loom_raw_file_open_here;
  if (!open (request->reach, raw->about->host, file->path, loom_progress_get_cancellable (request->progress),
             &raw->opened, error))
    return FALSE;
  if (raw->opened.n_bytes == file->n_bytes && has_same_time (&raw->opened, file))
    return TRUE;
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ,
               _ ("“%s” changed after its index was created; create the index again"), file->path);
  return FALSE;
}

static gboolean
open_raw (Raw *raw, guint number, GError **error)
{
  g_autoptr (GBytes) bytes = read_index (raw->source, error);
  g_autoptr (LoomIndexFile) file = bytes != NULL ? loom_index_file_new (bytes, error) : NULL;
  g_autoptr (GBytes) about = file != NULL ? loom_index_file_unpack (file, LOOM_INDEX_FILE_ABOUT, error) : NULL;
  raw->about = about != NULL ? loom_index_about_read (about, error) : NULL;
  if (raw->about == NULL)
    return FALSE;
  if (number >= raw->about->files->len)
    return loom_index_file_set_damage (error, "files");
  raw->file = &g_array_index (raw->about->files, LoomIndexAboutFile, number);
  raw->places = open_file (raw, error) ? loom_index_places_read (file, number, error) : NULL;
  raw->restarts = raw->places != NULL ? loom_index_file_unpack (file, LOOM_INDEX_FILE_RESTARTS, error) : NULL;
  return raw->restarts != NULL;
}

/* --- reading the text of the events ------------------------------------------------------------------------------- */

/* Returns the text of the trace file; NULL with `error` on failure. If the file is compressed, only the parts that are
 * read are unpacked. Sets `restarts` to TRUE if unpacking begins at the positions in raw->restarts. */
static LoomByteSource *
open_text (Raw *raw, gboolean *restarts, GError **error)
{
  LoomProgress *progress = raw->request->progress;
  g_autoptr (LoomSourceLocation) location = loom_source_location_new (NULL, NULL, raw->opened.bytes);
  location->n_bytes = raw->opened.n_bytes;
  g_autoptr (LoomStreamReader) reader = loom_stream_reader_new_from (raw->file->path, location, progress, error);
  if (reader == NULL)
    return NULL;
  raw->is_packed = loom_stream_reader_is_compressed (reader);
  *restarts = loom_stream_reader_is_gzip (reader) && g_bytes_get_size (raw->restarts) > 0;
  if (!*restarts)
    return loom_stream_reader_dup_text (reader);
  return loom_gzip_restarts_open (raw->opened.bytes, raw->restarts, loom_progress_get_cancellable (progress), error);
}

static GBytes *
read_events (Raw *raw, LoomRawRangeCost *cost, GError **error)
{
  gint64 base_ns = raw->source->base_ns;
  LoomRangeTextRequest request = { .begin_ns = loom_time_sub (raw->request->range.begin_ns, base_ns),
                                   .end_ns = loom_time_sub (raw->request->range.end_ns, base_ns),
                                   .most_bytes = LOOM_RAW_RANGE_MOST_BYTES,
                                   .budget = raw->request->budget,
                                   .progress = raw->request->progress };
  gboolean restarts = FALSE;
  g_autoptr (LoomByteSource) text = open_text (raw, &restarts, error);
  if (text == NULL)
    return NULL;
  g_autoptr (LoomByteSource) kept = loom_kept_text_new (loom_byte_source_ref (text), raw->places);
  GBytes *events = loom_range_text_make (raw->places, kept, &request, &cost->n_read, &raw->places_in_file, error);
  if (raw->places->kept != NULL)
    cost->n_read -= MIN (cost->n_read, g_bytes_get_size (raw->places->kept));
  if (restarts)
    cost->n_read = loom_gzip_restarts_count_read (text);
  cost->n_bytes = events != NULL ? g_bytes_get_size (events) : 0;
  return events;
}

/* --- making the trace of the range -------------------------------------------------------------------------------- */

/* Returns a file in memory that has the content `events` and the path of the trace file. */
static LoomFoundFile *
make_file (const LoomIndexAboutFile *raw, GBytes *events)
{
  g_autoptr (LoomByteSource) text = loom_byte_source_new_bytes (events);
  LoomSourceLocation *location = loom_source_location_new (NULL, NULL, text);
  location->n_bytes = g_bytes_get_size (events);
  return loom_file_discovery_new_file (raw->path, location->n_bytes, raw->modified_s, location);
}

static LoomImporterFunc
find_importer (const char *format)
{
  if (strcmp (format, "kineto") == 0)
    return loom_importer_kineto;
  return strcmp (format, "chrome") == 0 ? loom_importer_chrome : NULL;
}

/* If the trace file does not state its rank, sets the rank of the source and its processes to the rank in the index,
 * which comes from the path of the file or from the user. Does the same with the node. */
static void
keep_place (LoomTraceBuilder *builder, const LoomSource *index)
{
  LoomSource *own = loom_trace_builder_get_source (builder, 0);
  if (own->rank >= 0 || index->rank < 0)
    return;
  own->rank = index->rank;
  if (own->node == NULL)
    own->node = g_strdup (index->node);
  for (guint32 i = 0; i < loom_trace_builder_get_n_processes (builder); i++)
    loom_trace_builder_process_set_place (builder, i, own->node, own->rank);
}

/* Replaces the text of the source by a text whose offsets can be converted to offsets in the trace file
 * (loom_range_text_get_offset_in_file()). */
static void
keep_text (LoomTraceBuilder *builder, const Raw *raw, GBytes *events)
{
  LoomSource *own = loom_trace_builder_get_source (builder, 0);
  own->packed = raw->is_packed;
  if (own->text == NULL)
    return;
  loom_byte_source_unref (own->text);
  own->text = loom_range_text_new_source (events, raw->places_in_file);
}

/* Returns FALSE with `error` if a part of the file was not read. An incomplete range is refused, because it would look
 * like a complete one. */
static gboolean
check_import (const LoomImporter *import, GError **error)
{
  if (loom_memory_budget_is_reached (import->budget))
    loom_range_text_set_over_budget (import->budget, error);
  else if (import->failed->len > 0)
    g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_READ, import->failed->pdata[1]);
  else
    return TRUE;
  return FALSE;
}

static LoomTrace *
import_file (LoomFoundFile *file, LoomImporterFunc read, const Raw *raw, GBytes *events, GError **error)
{
  g_autoptr (GPtrArray) failed = g_ptr_array_new_with_free_func (g_free);
  LoomFoundFile *files[] = { file };
  LoomImporter import = { .builder = loom_trace_builder_new (),
                          .files = files,
                          .n_files = 1,
                          .progress = raw->request->progress,
                          .n_threads = 1,
                          .budget = raw->request->budget,
                          .failed = failed };
  if (!read (&import, error) || !check_import (&import, error)) {
    loom_trace_builder_free (import.builder);
    return NULL;
  }
  keep_text (import.builder, raw, events);
  keep_place (import.builder, raw->source);
  LoomTrace *trace = loom_trace_builder_freeze (import.builder, 1, import.progress);
  loom_memory_budget_reserve (import.budget, -import.reserved);
  if (trace == NULL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled");
  return trace;
}

/* Returns TRUE if the clock of the range equals the clock in the index. In formats whose clock is determined from all
 * events of the file, the clock of a range may differ. */
static gboolean
has_same_clock (const LoomTrace *trace, const Raw *raw)
{
  if (loom_trace_get_n_clocks (trace) != 1 || loom_trace_get_source (trace, 0)->base_ns != raw->source->base_ns)
    return FALSE;
  const LoomDeclaredClock *own = loom_trace_get_clock (trace, 0),
                          *known = loom_trace_get_clock (raw->request->index, raw->source->clock);
  return own->state == known->state && own->base_ns == known->base_ns && own->has_sync == known->has_sync &&
         (!own->has_sync || own->sync_ns == known->sync_ns);
}

/* Reads the events of the range with the importer for the format of the file. */
static LoomTrace *
import_events (const Raw *raw, GBytes *events, GError **error)
{
  LoomImporterFunc read = find_importer (raw->source->format);
  if (read == NULL) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_UNSUPPORTED, _ ("Parts of the file cannot be read separately: %s"),
                 _ ("files of this format can only be read as a whole"));
    return NULL;
  }
  LoomFoundFile *file = make_file (raw->file, events);
  g_autoptr (LoomTrace) trace = import_file (file, read, raw, events, error);
  loom_file_discovery_free_file (file);
  if (trace == NULL || has_same_clock (trace, raw))
    return g_steal_pointer (&trace);
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_UNSUPPORTED, _ ("Parts of the file cannot be read separately: %s"),
               _ ("the clock of the file can only be determined from all of its events"));
  return NULL;
}

LoomTrace *
loom_raw_range_read (const LoomRawRangeRequest *request, LoomRawRangeCost *cost, GError **error)
{
  g_auto (Raw) raw = { .request = request, .source = loom_trace_get_source (request->index, request->number) };
  LoomRawRangeCost own = { 0, 0 };
  if (!open_raw (&raw, request->number, error))
    return NULL;
  g_autoptr (GBytes) events = read_events (&raw, &own, error);
  if (cost != NULL)
    *cost = own;
  return events != NULL ? import_events (&raw, events, error) : NULL;
}
