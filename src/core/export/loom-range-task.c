/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-range-task.h: a worker that reads a range of a rank's traces and writes it to a file in the cache
 * folder.
 */
#include "loom-range-task.h"

#include "loom-error.h"
#include "loom-limits.h"
#include "loom-settings.h"
#include "loom-trace-export.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <inttypes.h>

#define MB 1000000
#define NS_PER_MS 1000000
#define NS_PER_US 1000

typedef struct {
  LoomTimeline *timeline;
  gint rank;
  LoomRange range;
  LoomServeClient *through; /* command that reads the traces on another machine; NULL: the traces are on this machine */
  guint64 memory_budget;
  LoomProgress *progress;
} Input;

static void
input_free (Input *input)
{
  loom_timeline_unref (input->timeline);
  loom_serve_client_unref (input->through);
  loom_progress_unref (input->progress);
  g_free (input);
}

static gboolean
is_index_of (const LoomTrace *trace, gint rank)
{
  return loom_trace_is_index (trace) && loom_trace_get_source (trace, 0)->rank == rank;
}

gboolean
loom_range_task_is_here (LoomDocument *document, gint rank)
{
  LoomRun *run = loom_document_get_run (document);
  for (guint i = 0; run != NULL && i < loom_run_get_n_traces (run); i++) {
    const LoomSource *source = loom_trace_get_source (loom_run_get_trace (run, i), 0);
    if (is_index_of (loom_run_get_trace (run, i), rank) &&
        !(source->is_indexed_here && g_file_test (source->indexed_path, G_FILE_TEST_EXISTS)))
      return FALSE;
  }
  return TRUE;
}

/* --- files of ranges ---------------------------------------------------------------------------------------------- */

/* A subfolder of the cache that contains a range written earlier: its path, the time when it was modified, and the
 * total size of its files. */
typedef struct {
  char *path;
  gint64 modified_s;
  guint64 n_bytes;
} OldRange;

static void
old_range_clear (gpointer data)
{
  g_free (((OldRange *) data)->path);
}

static int
compare_newest_first (gconstpointer a, gconstpointer b)
{
  gint64 x = ((const OldRange *) a)->modified_s, y = ((const OldRange *) b)->modified_s;
  return x > y ? -1 : x < y;
}

static guint64
count_bytes (const char *folder)
{
  guint64 n_bytes = 0;
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  for (const char *file; files != NULL && (file = g_dir_read_name (files)) != NULL;) {
    GStatBuf status;
    g_autofree char *path = g_build_filename (folder, file, NULL);
    n_bytes += g_lstat (path, &status) == 0 ? (guint64) status.st_size : 0;
  }
  return n_bytes;
}

/* Returns the subfolders of `folder` (OldRange), each of which contains the file of one range; the latest first. */
static GArray *
list_ranges (const char *folder)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (OldRange));
  g_array_set_clear_func (found, old_range_clear);
  g_autoptr (GDir) ranges = g_dir_open (folder, 0, NULL);
  for (const char *name; ranges != NULL && (name = g_dir_read_name (ranges)) != NULL;) {
    GStatBuf status;
    OldRange range = { .path = g_build_filename (folder, name, NULL) };
    if (g_lstat (range.path, &status) == 0 && S_ISDIR (status.st_mode)) {
      range.modified_s = status.st_mtime;
      range.n_bytes = count_bytes (range.path);
      g_array_append_val (found, range);
    } else {
      g_free (range.path);
    }
  }
  g_array_sort (found, compare_newest_first);
  return found;
}

static void
remove_range (const char *folder)
{
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  for (const char *file; files != NULL && (file = g_dir_read_name (files)) != NULL;) {
    g_autofree char *path = g_build_filename (folder, file, NULL);
    g_unlink (path);
  }
  g_rmdir (folder);
}

/* Removes the files of ranges that were read more than LOOM_RANGE_TASK_DAYS ago; then removes the oldest of the
 * remaining files until they are not larger than LOOM_LIMIT_RANGES_BYTES together. Nothing is lost, because the ranges
 * can be read again. */
static void
tidy (const char *folder)
{
  gint64 oldest_s = g_get_real_time () / G_USEC_PER_SEC - LOOM_RANGE_TASK_DAYS * 24 * 3600;
  guint64 n_bytes = 0;
  g_autoptr (GArray) ranges = list_ranges (folder);
  for (guint i = 0; i < ranges->len; i++) {
    const OldRange *range = &g_array_index (ranges, OldRange, i);
    n_bytes += range->n_bytes;
    if (range->modified_s <= oldest_s || n_bytes > loom_limit (LOOM_LIMIT_RANGES_BYTES))
      remove_range (range->path);
  }
}

static char *
dup_folder (void)
{
  return g_build_filename (g_get_user_cache_dir (), "traceloom", "ranges", NULL);
}

/* Returns the path of the file for a range. The name of the file consists of the rank and of the range relative to the
 * start of the run. The file has a folder of its own, whose name is a hash of the path of the index and of the range.
 * So reading the same range again gives the same path. */
static char *
dup_path (LoomTimeline *timeline, const char *index_path, gint rank, LoomRange range)
{
  gint64 begin = loom_time_sub (range.begin_ns, loom_timeline_get_start (timeline)),
         end = loom_time_sub (range.end_ns, loom_timeline_get_start (timeline));
  g_autofree char *ranges = dup_folder (),
                  *key = g_strdup_printf ("%s %" PRId64 " %" PRId64, index_path, range.begin_ns, range.end_ns),
                  *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, key, -1),
                  *name = g_strdup_printf ("rank-%d %" PRId64 ".%03d–%" PRId64 ".%03d ms.json", rank, begin / NS_PER_MS,
                                           (int) (ABS (begin) % NS_PER_MS / NS_PER_US), end / NS_PER_MS,
                                           (int) (ABS (end) % NS_PER_MS / NS_PER_US));
  return g_build_filename (ranges, hash, name, NULL);
}

/* Makes the folder for the exported range, and returns the path of the file in the folder. Returns NULL with
 * LOOM_ERROR_WRITE on failure. */
static char *
make_path (const Input *input, const char *index_path, GError **error)
{
  g_autofree char *ranges = dup_folder (), *path = dup_path (input->timeline, index_path, input->rank, input->range),
                  *folder = g_path_get_dirname (path);
  tidy (ranges);
  if (g_mkdir_with_parents (folder, 0700) == 0)
    return g_steal_pointer (&path);
  loom_error_set_from_errno (error, LOOM_ERROR_WRITE, errno, "Cannot write “%s”", folder);
  return NULL;
}

char *
loom_range_task_dup_path (LoomDocument *document, gint rank, LoomRange range)
{
  LoomTimeline *timeline = loom_document_get_timeline (document);
  LoomRun *run = loom_document_get_run (document);
  for (guint i = 0; timeline != NULL && i < loom_run_get_n_traces (run); i++) {
    const LoomTrace *trace = loom_run_get_trace (run, i);
    if (is_index_of (trace, rank))
      return dup_path (timeline, loom_trace_get_source (trace, 0)->path, rank, range);
  }
  return NULL;
}

/* --- reading and writing in a worker ------------------------------------------------------------------------------ */

typedef struct {
  GPtrArray *traces; /* LoomTrace: for each trace of the rank, a trace with only the events in the range */
  /* guint, one per element of `traces`: index of the first clock of this trace among the clocks of the run */
  GArray *clocks;
} Found;

static gboolean
read_trace (const Input *input, guint number, Found *found, GError **error)
{
  LoomRankRangeRequest request = { input->timeline,      number,         input->range, input->through,
                                   input->memory_budget, input->progress };
  LoomTrace *trace = loom_rank_range_read (&request, NULL, error);
  guint clock = loom_run_get_first_clock (loom_timeline_get_run (input->timeline), number);
  if (trace == NULL)
    return FALSE;
  g_ptr_array_add (found->traces, trace);
  g_array_append_val (found->clocks, clock);
  return TRUE;
}

/* Reads the range from all traces of the rank into `found`. Returns the path of the rank's first index, borrowed; NULL
 * with `error` if a trace cannot be read, or if no index of the rank is open. */
static const char *
read_rank (const Input *input, Found *found, GError **error)
{
  const char *path = NULL;
  LoomRun *run = loom_timeline_get_run (input->timeline);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    LoomTrace *trace = loom_run_get_trace (run, i);
    if (!is_index_of (trace, input->rank))
      continue;
    if (!read_trace (input, i, found, error))
      return NULL;
    path = path != NULL ? path : loom_trace_get_source (trace, 0)->path;
  }
  if (path == NULL)
    g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_EMPTY, _ ("No index of this rank is open"));
  return path;
}

static char *
write_file (const Input *input, const Found *found, const char *index_path, GError **error)
{
  LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  LoomExportResult result = { 0 };
  g_autofree char *path = make_path (input, index_path, error);
  g_autoptr (LoomRun) run = loom_run_new ((LoomTrace *const *) found->traces->pdata, found->traces->len);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new_part (
    loom_timeline_get_alignment (input->timeline), (const guint *) (gpointer) found->clocks->data, found->clocks->len);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  gboolean good = path != NULL && loom_trace_export_write (timeline, &options, path, input->progress, &result, error);
  loom_trace_export_result_clear (&result);
  if (good || path == NULL)
    return g_steal_pointer (&path);
  g_autofree char *folder = g_path_get_dirname (path);
  g_rmdir (folder); /* removes the folder only if it is empty; a file of an earlier export stays */
  return NULL;
}

static gpointer
read_in_thread (Input *input, GCancellable *cancellable, GError **error)
{
  Found found = { g_ptr_array_new_with_free_func ((GDestroyNotify) loom_trace_unref),
                  g_array_new (FALSE, FALSE, sizeof (guint)) };
  const char *index_path = read_rank (input, &found, error);
  char *path = index_path != NULL ? write_file (input, &found, index_path, error) : NULL;
  g_ptr_array_unref (found.traces);
  g_array_unref (found.clocks);
  return path;
}

void
loom_range_task_run (LoomDocument *document, gint rank, LoomRange range, LoomServeClient *through,
                     LoomProgress *progress, LoomWorkerDone done, gpointer owner)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) read_in_thread, (GDestroyNotify) input_free, g_free };
  g_return_if_fail (loom_document_get_timeline (document) != NULL && progress != NULL);
  guint64 budget = (guint64) MAX (loom_settings_get_int (LOOM_SETTING_MEMORY_BUDGET), 0) * MB;
  Input *input =
    LOOM_WORKER_INPUT (Input, loom_timeline_ref (loom_document_get_timeline (document)), rank, range,
                       through != NULL ? loom_serve_client_ref (through) : NULL, budget, loom_progress_ref (progress));
  loom_worker_run (NULL, &kind, input, done, owner);
}

gint
loom_range_task_get_rank (gconstpointer input)
{
  return ((const Input *) input)->rank;
}
