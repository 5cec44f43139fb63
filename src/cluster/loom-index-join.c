/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-index-join.h"

#include <glib/gi18n.h>
#include <string.h>

#include "loom-error.h"
#include "loom-frame-collectives.h"
#include "loom-index-about.h"
#include "loom-index-file.h"
#include "loom-natural-collate.h"
#include "loom-report.h"
#include "loom-whole-text.h"
#include "loom-zip-writer.h"

typedef struct {
  char *name, *path;
  LoomTrace *trace;
  GBytes *bytes;
  /* describes the files from which the index file was made; NULL if the description is damaged */
  LoomIndexAbout *about;
} Item;

typedef struct {
  GMutex lock; /* guards the members below */
  GPtrArray *items;
  LoomIndexJoinResult *result;
} Job;

static void
free_item (gpointer data)
{
  Item *item = data;
  g_free (item->name);
  g_free (item->path);
  loom_trace_unref (item->trace);
  g_bytes_unref (item->bytes);
  loom_index_about_free (item->about);
  g_free (item);
}

static void
add_problem (Job *job, const char *path, const char *reason)
{
  g_mutex_lock (&job->lock);
  g_ptr_array_add (job->result->problems, g_strdup_printf ("%s: %s", path, reason));
  g_mutex_unlock (&job->lock);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* Returns the first `most` bytes of a file. If the file is longer, returns one byte more, so that the caller can see
 * that it is longer. Returns NULL if the file cannot be read. */
static GBytes *
read_file (const LoomFoundFile *file, gsize most)
{
  g_autoptr (LoomStreamReader) reader = loom_stream_reader_new_from (file->path, file->origin, NULL, NULL);
  GByteArray *bytes = reader != NULL ? loom_whole_text_read (reader, most, NULL) : NULL;
  return bytes != NULL ? g_byte_array_free_to_bytes (bytes) : NULL;
}

/* Called for each group of files that was found. Returns TRUE if the files are an index file, which is then read.
 * Traces are not read, because that takes long. */
static gboolean
wants (const GPtrArray *files, gpointer user_data)
{
  Job *job = user_data;
  const LoomFoundFile *file = files->pdata[0];
  g_autoptr (GBytes) start = read_file (file, LOOM_INDEX_FILE_MAGIC_BYTES);
  gboolean is_index = start != NULL && g_bytes_get_size (start) >= LOOM_INDEX_FILE_MAGIC_BYTES &&
                      memcmp (g_bytes_get_data (start, NULL), LOOM_INDEX_FILE_MAGIC, LOOM_INDEX_FILE_MAGIC_BYTES) == 0;
  if (!is_index)
    add_problem (job, file->path, _ ("not an index file; create one with “traceloom-cli index”"));
  return is_index;
}

static void
take (LoomTrace *trace, const GPtrArray *files, gpointer user_data)
{
  Job *job = user_data;
  const LoomFoundFile *file = files->pdata[0];
  GBytes *bytes = read_file (file, G_MAXINT32);
  gboolean incomplete = bytes == NULL;
  for (guint i = 0; i < loom_trace_get_n_sources (trace); i++)
    incomplete |= loom_trace_get_source (trace, i)->incomplete;
  g_mutex_lock (&job->lock);
  job->result->n_incomplete += incomplete;
  g_mutex_unlock (&job->lock);
  if (bytes == NULL)
    return;
  Item *item = g_new0 (Item, 1);
  item->path = g_strdup (file->path);
  item->name = g_path_get_basename (file->path);
  item->trace = loom_trace_ref (trace);
  item->bytes = bytes;
  item->about = loom_index_about_read_index (bytes);
  g_mutex_lock (&job->lock);
  g_ptr_array_add (job->items, item);
  g_mutex_unlock (&job->lock);
}

static int
compare_items (gconstpointer a, gconstpointer b)
{
  const Item *x = *(Item *const *) a, *y = *(Item *const *) b;
  int order = loom_natural_collate_compare (x->name, y->name);
  return order != 0 ? order : strcmp (x->path, y->path);
}

static void
drop_item (Job *job, guint i, const char *other)
{
  g_autofree char *reason = g_strdup_printf (_ ("skipped, because it is the same file as “%s”"), other);
  add_problem (job, ((Item *) job->items->pdata[i])->path, reason);
  g_ptr_array_remove_index (job->items, i);
}

/* Returns a hash of the content and path of a recording. Content and path are both needed: each machine may have its
 * own trace at the same path, with different content; and thousands of ranks may have copies of the same file at
 * different paths. */
static guint
hash_recording (gconstpointer about)
{
  const LoomIndexAboutFile *file = &g_array_index (((const LoomIndexAbout *) about)->files, LoomIndexAboutFile, 0);
  guint hash;
  memcpy (&hash, file->digest, sizeof hash);
  return hash ^ g_str_hash (file->path);
}

static guint
hash_place (gconstpointer data)
{
  const LoomIndexAbout *about = data;
  return g_str_hash (about->host) ^ g_str_hash (g_array_index (about->files, LoomIndexAboutFile, 0).path);
}

static gboolean
is_same_recording (gconstpointer a, gconstpointer b)
{
  return loom_index_about_is_of_same_content (a, b);
}

static gboolean
is_same_place (gconstpointer a, gconstpointer b)
{
  return loom_index_about_is_of_same_place (a, b);
}

/* Returns TRUE if the trace of `item` was recorded later than the trace of `other`. Compares the times of their first
 * files; if these are equal, the trace with more files is the later one. */
static gboolean
is_later (const Item *item, const Item *other)
{
  const LoomIndexAboutFile *a = &g_array_index (item->about->files, LoomIndexAboutFile, 0),
                           *b = &g_array_index (other->about->files, LoomIndexAboutFile, 0);
  if (a->modified_s != b->modified_s || a->modified_us != b->modified_us)
    return a->modified_s != b->modified_s ? a->modified_s > b->modified_s : a->modified_us > b->modified_us;
  return item->about->files->len > other->about->files->len;
}

/* Of several index files that are equal according to `hash` and `is_equal`, keeps only the one of the latest trace. If
 * several traces are equally late, keeps the index file that is listed first. */
static void
drop_equal (Job *job, GHashFunc hash, GEqualFunc is_equal)
{
  g_autoptr (GHashTable) found = g_hash_table_new (hash, is_equal); /* LoomIndexAbout * → Item * */
  for (guint i = 0; i < job->items->len; i++) {
    Item *item = job->items->pdata[i], *before = NULL;
    if (item->about != NULL)
      before = g_hash_table_lookup (found, item->about);
    if (before != NULL && is_later (item, before)) {
      guint at;
      g_hash_table_remove (found, before->about);
      if (g_ptr_array_find (job->items, before, &at))
        drop_item (job, at, item->path);
      i--;
    } else if (before != NULL) {
      drop_item (job, i--, before->path);
      continue;
    }
    if (item->about != NULL)
      g_hash_table_insert (found, item->about, item);
  }
}

/* Index files of early versions do not state the machine. Removes such an index file if another index file has the same
 * path and states the machine; the other index file is the newer one. */
static void
drop_early (Job *job)
{
  /* key: path of the first file of a trace; value: Item * */
  g_autoptr (GHashTable) found = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < job->items->len; i++) {
    Item *item = job->items->pdata[i];
    if (item->about != NULL && !item->about->is_early)
      g_hash_table_insert (found, g_array_index (item->about->files, LoomIndexAboutFile, 0).path, item);
  }
  for (guint i = 0; i < job->items->len; i++) {
    const LoomIndexAbout *about = ((Item *) job->items->pdata[i])->about;
    const Item *other = NULL;
    if (about != NULL && about->is_early)
      other = g_hash_table_lookup (found, g_array_index (about->files, LoomIndexAboutFile, 0).path);
    if (other != NULL)
      drop_item (job, i--, other->path);
  }
}

/* Makes the names of all items different, because the items become members of one archive. */
static void
rename_equal (Job *job)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < job->items->len; i++) {
    Item *item = job->items->pdata[i];
    g_autofree char *base = g_strdup (item->name);
    for (guint number = 2; g_hash_table_contains (names, item->name); number++) {
      g_free (item->name);
      item->name = g_strdup_printf ("%u-%s", number, base);
    }
    g_hash_table_add (names, item->name);
  }
}

/* Keeps only one of several index files of the same recording. Also drops index files of earlier recordings of the
 * same machine and path. Adds a sentence to the problems for each file that is dropped. */
static void
drop_doubles (Job *job)
{
  g_ptr_array_sort (job->items, compare_items);
  drop_early (job);
  drop_equal (job, hash_recording, is_same_recording);
  drop_equal (job, hash_place, is_same_place);
  rename_equal (job);
}

/* --- computing ---------------------------------------------------------------------------------------------------- */

static LoomRun *
new_run (const Job *job, const LoomRun *loaded)
{
  g_autoptr (GPtrArray) traces = g_ptr_array_new ();
  for (guint i = 0; i < job->items->len; i++)
    g_ptr_array_add (traces, ((Item *) job->items->pdata[i])->trace);
  LoomRun *run = loom_run_new ((LoomTrace *const *) traces->pdata, traces->len);
  loom_run_copy_ignored (run, loaded);
  return run;
}

static GBytes *
print_report (LoomReport *report, GCancellable *cancellable, GError **error)
{
  char *text = loom_report_dup_json (report, cancellable, error);
  return text != NULL ? g_bytes_new_take (text, strlen (text)) : NULL;
}

/* Computes the matrix of ranks and steps from the collectives that `report` contains. Returns FALSE when cancelled. */
static gboolean
compute_matrix (LoomIndexJoinResult *result, LoomReport *report, GCancellable *cancellable)
{
  static const LoomRange whole = { G_MININT64, G_MAXINT64 };
  g_autoptr (LoomSteps) steps = loom_steps_new (result->timeline, cancellable);
  g_autoptr (LoomCollectives) collectives =
    steps != NULL ? loom_frame_collectives_get (loom_report_get_frame (report), whole, cancellable) : NULL;
  if (collectives != NULL)
    result->breakdown =
      loom_step_breakdown_new (result->timeline, steps, collectives, LOOM_STEP_BREAKDOWN_ALL, cancellable);
  if (result->breakdown != NULL)
    result->matrix = loom_rank_matrix_new (result->breakdown);
  return result->matrix != NULL;
}

/* Computes the results of the joined run, stores them in `result`, and returns the report as JSON. Returns NULL when
 * cancelled. */
static GBytes *
compute (LoomIndexJoinResult *result, LoomRun *run, LoomProgress *progress, GError **error)
{
  static const LoomAlignOptions automatic = { .mode = LOOM_ALIGN_AUTO };
  static const LoomReportOptions all;
  GCancellable *cancellable = loom_progress_get_cancellable (progress);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new_full (run, &automatic, progress);
  result->timeline = alignment != NULL ? loom_timeline_new (run, alignment) : NULL;
  g_autoptr (LoomReport) report =
    result->timeline != NULL ? loom_report_new (result->timeline, &all, cancellable, error) : NULL;
  g_autoptr (GBytes) printed = report != NULL ? print_report (report, cancellable, error) : NULL;
  return printed != NULL && compute_matrix (result, report, cancellable) ? g_steal_pointer (&printed) : NULL;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static gboolean
write_all (const Job *job, const char *path, GBytes *report, GError **error)
{
  LoomOutputFile *output = loom_output_file_new (path, error);
  if (output == NULL)
    return FALSE;
  LoomZipWriter *zip = loom_zip_writer_new (output);
  char *csv = loom_rank_matrix_to_csv (job->result->matrix);
  g_autoptr (GBytes) matrix = g_bytes_new_take (csv, strlen (csv));
  loom_zip_writer_add (zip, "report.json", report, TRUE);
  loom_zip_writer_add (zip, "matrix.csv", matrix, TRUE);
  for (guint i = 0; i < job->items->len && loom_output_file_is_good (output); i++) {
    const Item *item = job->items->pdata[i];
    g_autofree char *name = g_strconcat (LOOM_INDEX_FILE_FOLDER, item->name, NULL);
    loom_zip_writer_add (zip, name, item->bytes, FALSE);
  }
  loom_zip_writer_finish (zip);
  job->result->n_bytes = loom_output_file_get_n_bytes (output);
  job->result->n_indexes = job->items->len;
  return loom_output_file_commit (output, error);
}

static gboolean
join (Job *job, const LoomRun *loaded, const char *output, LoomProgress *progress, GError **error)
{
  GCancellable *cancellable = loom_progress_get_cancellable (progress);
  drop_doubles (job);
  if (job->items->len == 0) {
    g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_EMPTY, _ ("There are no indexes to join"));
    return FALSE;
  }
  g_autoptr (LoomRun) run = new_run (job, loaded);
  g_autoptr (GBytes) report = compute (job->result, run, progress, error);
  if (report != NULL)
    return write_all (job, output, report, error);
  if (error == NULL || *error == NULL)
    g_cancellable_set_error_if_cancelled (cancellable, error);
  return FALSE;
}

gboolean
loom_index_join_run (const char *const *paths, const char *output, const LoomLoadOptions *options,
                     LoomProgress *progress, LoomIndexJoinResult *result, GError **error)
{
  Job job = { .items = g_ptr_array_new_with_free_func (free_item), .result = result };
  LoomLoadEach each = { wants, take, &job };
  LoomLoadOptions own = *options;
  *result = (LoomIndexJoinResult) { .problems = g_ptr_array_new_with_free_func (g_free) };
  own.each = &each;
  g_mutex_init (&job.lock);
  g_autoptr (LoomRun) loaded = loom_load_paths (paths, &own, progress, NULL, NULL, error);
  gboolean good = loaded != NULL && join (&job, loaded, output, progress, error);
  g_mutex_clear (&job.lock);
  g_ptr_array_unref (job.items);
  return good;
}

void
loom_index_join_result_clear (LoomIndexJoinResult *result)
{
  g_clear_pointer (&result->matrix, loom_rank_matrix_free);
  g_clear_pointer (&result->breakdown, loom_step_breakdown_free);
  g_clear_pointer (&result->timeline, loom_timeline_unref);
  g_clear_pointer (&result->problems, g_ptr_array_unref);
}
