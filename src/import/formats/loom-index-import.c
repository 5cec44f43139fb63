/* SPDX-License-Identifier: Apache-2.0
 *
 * Imports index files of Traceloom, which contain a summary of traces (src/index/README.md). An index is small and is
 * read as a whole.
 */
#include <glib/gi18n.h>

#include "loom-error.h"
#include "loom-importer.h"
#include "loom-index-reader.h"
#include "loom-whole-text.h"

/* Returns the bytes of the index; NULL with `error`. `text` is set to a source from which the same bytes can be read
 * again. */
static GBytes *
read_bytes (const LoomFoundFile *file, LoomProgress *progress, LoomByteSource **text, GError **error)
{
  gsize max_bytes = loom_limit (LOOM_LIMIT_INDEX_BYTES);
  g_autoptr (LoomStreamReader) reader = loom_stream_reader_new_from (file->path, file->origin, progress, error);
  g_autoptr (GByteArray) bytes = reader != NULL ? loom_whole_text_read (reader, max_bytes, error) : NULL;
  if (bytes != NULL && bytes->len > max_bytes) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT, _ ("An index of more than %zu bytes is not read"), max_bytes);
    return NULL;
  }
  *text = reader != NULL ? loom_stream_reader_dup_text (reader) : NULL;
  return bytes != NULL ? g_byte_array_free_to_bytes (g_steal_pointer (&bytes)) : NULL;
}

/* Sets for each source in the index which file was indexed. Writes to the log of each source that it was read from an
 * index, which events are missing, and whether the file was changed after it was indexed. */
static void
log_reading (LoomImporter *import, const LoomIndexReading *reading, LoomByteSource *text)
{
  for (guint i = 0; i < reading->n_sources; i++) {
    LoomSource *source = loom_trace_builder_get_source (import->builder, reading->first_source + i);
    const LoomIndexAboutFile *raw =
      i < reading->about->files->len ? &g_array_index (reading->about->files, LoomIndexAboutFile, i) : NULL;
    source->is_index = TRUE;
    source->file_text = loom_byte_source_ref (text);
    if (raw != NULL) {
      source->indexed_path = g_strdup (raw->path);
      source->indexed_bytes = raw->n_bytes;
      /* FALSE for a relative path: Traceloom writes only absolute paths into an index. Another path might be a remote
       * location, which would be fetched without asking the user. */
      source->is_indexed_here = g_path_is_absolute (raw->path) && loom_index_about_is_here (reading->about);
    }
    loom_import_log_add (
      source->log, LOOM_SEVERITY_INFO, "index", LOOM_OFFSET_NONE,
      "Read from an index, which contains device work, steps, waits for data and collectives, but only sums of other host work");
    if (raw != NULL && loom_index_about_is_stale (reading->about, raw))
      loom_import_log_printf (source->log, LOOM_SEVERITY_WARNING, "index-stale", LOOM_OFFSET_NONE,
                              "“%s” changed after its index was created; create the index again", raw->path);
  }
}

static gboolean
read_file (LoomImporter *import, const LoomFoundFile *file, GError **error)
{
  GError *failure = NULL;
  LoomIndexReading reading = { 0 };
  g_autoptr (LoomByteSource) text = NULL;
  g_autoptr (GBytes) bytes = read_bytes (file, import->progress, &text, &failure);
  if (bytes == NULL)
    return loom_importer_fail (import, file->path, failure, error);
  gboolean good = loom_index_reader_read (bytes, file->path, import->builder, &reading, &failure);
  log_reading (import, &reading, text);
  loom_index_about_free (reading.about);
  if (good)
    return TRUE;
  if (reading.n_sources == 0)
    return loom_importer_fail (import, file->path, failure, error);
  return loom_importer_keep_part (loom_trace_builder_get_source (import->builder, reading.first_source), failure,
                                  error);
}

gboolean
loom_importer_index (LoomImporter *import, GError **error)
{
  for (guint i = 0; i < import->n_files; i++)
    if (!loom_importer_is_full (import, import->files[i]->path) && !read_file (import, import->files[i], error))
      return FALSE;
  return TRUE;
}
