/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-index-map.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#include "loom-error.h"
#include "loom-gzip-restarts.h"
#include "loom-index-choice.h"
#include "loom-index-file.h"
#include "loom-index-flights.h"
#include "loom-index-folder.h"
#include "loom-index-host.h"
#include "loom-index-writer.h"
#include "loom-output-file.h"
#include "loom-parallel.h"

typedef struct {
  const LoomIndexMapTarget *target;
  const char *options;
  /* The index files that the folder contained when the job began. The list is not updated, because a job writes only
   * one index file for each trace. */
  LoomIndexFolder *known;
  GCancellable *cancellable;
  GMutex lock; /* guards the members below */
  LoomIndexMapResult *result;
  GPtrArray *made; /* Made *: the index files that this job wrote */
} Job;

/* An index file that this process wrote. */
typedef struct {
  LoomIndexAbout *about;
  char *path;
  guint64 raw_bytes, index_bytes;
} Made;

static void
made_free (gpointer data)
{
  Made *made = data;
  loom_index_about_free (made->about);
  g_free (made->path);
  g_free (made);
}

static LoomIndexAbout *
describe (const Job *job, const GPtrArray *files, gboolean digested)
{
  LoomIndexAbout *about = loom_index_about_new (job->options);
  const char *host = job->target->host;
  for (guint i = 0; i < files->len; i++) {
    const LoomFoundFile *file = files->pdata[i];
    loom_index_about_add (about, file->path, file->n_bytes, file->modified_s, file->modified_us, digested);
  }
  if (host == NULL)
    host = loom_index_host_find (((const LoomFoundFile *) files->pdata[0])->path);
  loom_index_about_set_host (about, host);
  return about;
}

/* Returns FALSE for an index file of an early version, which does not contain all data that index files contain now.
 * Such an index file is made again. */
static gboolean
has_all (GBytes *bytes)
{
  g_autoptr (LoomIndexFile) file = loom_index_file_new (bytes, NULL);
  return file != NULL && loom_index_file_get_version (file) >= LOOM_INDEX_FILE_VERSION_OF_COLUMNS &&
         !loom_index_flights_are_missing (file);
}

/* Returns the description of the files from which the index file at `path` was made. Returns NULL if the index file
 * is missing, damaged or of an early version. */
static LoomIndexAbout *
read_about (const char *path)
{
  char *content;
  gsize n;
  if (!g_file_get_contents (path, &content, &n, NULL))
    return NULL;
  g_autoptr (GBytes) bytes = g_bytes_new_take (content, n);
  return has_all (bytes) ? loom_index_about_read_index (bytes) : NULL;
}

/* Returns TRUE if the folder has a current index file of the trace that consists of `files`. Only index files of the
 * same path on this machine count. */
static gboolean
has_own (const Job *job, const GPtrArray *files)
{
  gboolean found = FALSE;
  g_autoptr (LoomIndexAbout) now = describe (job, files, FALSE);
  g_autoptr (GPtrArray) paths = loom_index_folder_list_own (job->known, now);
  for (guint i = 0; i < paths->len && !found; i++) {
    g_autoptr (LoomIndexAbout) about = read_about (paths->pdata[i]);
    found = about != NULL && loom_index_about_is_of_same_place (about, now) && loom_index_about_is_current (about, now);
  }
  return found;
}

/* Returns TRUE if the folder has a current index file of a trace with the same content as `files`. The machine and the
 * path of that trace do not matter. Such a file exists if the trace was indexed on another machine before. */
static gboolean
has_alike (const Job *job, const GPtrArray *files)
{
  gboolean found = FALSE;
  if (!loom_index_folder_has_contents (job->known))
    return FALSE;
  g_autoptr (LoomIndexAbout) now = describe (job, files, TRUE);
  g_autoptr (GPtrArray) paths = loom_index_folder_list_alike (job->known, now);
  for (guint i = 0; i < paths->len && !found; i++) {
    g_autoptr (LoomIndexAbout) about = read_about (paths->pdata[i]);
    found =
      about != NULL && loom_index_about_is_of_same_content (about, now) && loom_index_about_is_current (about, now);
  }
  return found;
}

static gboolean
wants (const GPtrArray *files, gpointer user_data)
{
  Job *job = user_data;
  if (!has_own (job, files) && !has_alike (job, files))
    return TRUE;
  g_mutex_lock (&job->lock);
  job->result->n_current++;
  g_mutex_unlock (&job->lock);
  return FALSE;
}

/* Removes index files of earlier recordings that were made on the same machine and at the same path as `now`. Keeps
 * the file `target`. */
static void
remove_former (const Job *job, const LoomIndexAbout *now, const char *target)
{
  g_autoptr (GPtrArray) paths = loom_index_folder_list_own (job->known, now);
  for (guint i = 0; i < paths->len; i++) {
    g_autoptr (LoomIndexAbout) about = read_about (paths->pdata[i]);
    if ((about == NULL || loom_index_about_is_of_same_place (about, now)) && strcmp (paths->pdata[i], target) != 0)
      g_remove (paths->pdata[i]);
  }
}

/* First writes the new index file under a temporary name, then removes the former index file, then renames the new
 * one. So the former index file remains if the disk is full, and a trace never has two index files, even if the
 * process is killed in between. The function does not wait until the data are on the disk, because the index file
 * can be made again. */
static gboolean
replace_index (const Job *job, const LoomIndexAbout *about, const char *target, GBytes *bytes, GError **error)
{
  gsize n;
  const char *start = g_bytes_get_data (bytes, &n);
  LoomOutputFile *output = loom_output_file_new (target, error);
  if (output == NULL)
    return FALSE;
  loom_output_file_set_remakable (output);
  loom_output_file_append (output, start, n);
  if (loom_output_file_complete (output))
    remove_former (job, about, target);
  return loom_output_file_commit (output, error);
}

static void
note_problem (Job *job, const char *target, const GError *error)
{
  g_mutex_lock (&job->lock);
  g_ptr_array_add (job->result->problems, g_strdup_printf ("%s: %s", target, error->message));
  g_mutex_unlock (&job->lock);
}

/* Adds an index file to the result. Takes ownership of `made`. */
static void
note_made (Job *job, Made *made)
{
  g_mutex_lock (&job->lock);
  job->result->n_made++;
  job->result->n_of_several += made->about->files->len > 1;
  job->result->raw_bytes += made->raw_bytes;
  job->result->index_bytes += made->index_bytes;
  g_ptr_array_add (job->made, made);
  g_mutex_unlock (&job->lock);
}

static void
note_incomplete (Job *job, const LoomTrace *trace, guint64 n_left_out)
{
  gboolean incomplete = FALSE;
  for (guint i = 0; i < loom_trace_get_n_sources (trace); i++)
    incomplete |= loom_trace_get_source (trace, i)->incomplete;
  g_mutex_lock (&job->lock);
  job->result->n_incomplete += incomplete;
  job->result->n_left_out += n_left_out;
  g_mutex_unlock (&job->lock);
}

/* A gzip file can be unpacked from certain places in it (loom-gzip-restarts.h). In an index file, the list of these
 * places takes at most 1 / RESTARTS_PART of the size of the gzip file. */
#define RESTARTS_PART 125

/* Returns the list of the places from which the gzip file of the trace can be unpacked. Returns NULL if the trace is
 * not a gzip file, or the positions of the events in the unpacked text are unknown. Owned by the caller. */
static GByteArray *
make_restarts (const LoomTrace *trace)
{
  const LoomSource *source = loom_trace_get_source (trace, 0);
  gboolean has_places = source->byte_index != NULL && source->byte_index->missing == NULL;
  gboolean is_packed = loom_trace_get_n_sources (trace) == 1 && has_places && source->packed && source->text != NULL;
  return is_packed ? loom_gzip_restarts_make (source->text, source->n_bytes / RESTARTS_PART) : NULL;
}

/* The arguments of make_part(), which sets `content` and `restarts`. */
typedef struct {
  LoomTrace *trace;
  GCancellable *cancellable;
  LoomIndexContent *content; /* NULL: cancelled */
  GByteArray *restarts;
} Making;

static void
make_part (guint item, guint worker, gpointer user_data)
{
  Making *making = user_data;
  if (item == 0)
    making->content = loom_index_choice_new (making->trace, making->cancellable);
  else if (!g_cancellable_is_cancelled (making->cancellable))
    making->restarts = make_restarts (making->trace);
}

/* Returns the content of the index of a trace; NULL: cancelled. Owned by the caller. */
static LoomIndexContent *
make_content (LoomTrace *trace, GCancellable *cancellable)
{
  Making making = { trace, cancellable, NULL, NULL };
  loom_parallel_for (2, loom_index_content_get_n_threads (trace), make_part, &making, NULL);
  if (making.content != NULL)
    making.content->restarts = making.restarts;
  else
    g_clear_pointer (&making.restarts, g_byte_array_unref);
  return making.content;
}

static void
take (LoomTrace *trace, const GPtrArray *files, gpointer user_data)
{
  Job *job = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomIndexAbout) about = describe (job, files, TRUE);
  g_autofree char *name = loom_index_folder_dup_name (about),
                  *target = g_build_filename (job->target->folder, name, NULL);
  guint64 raw_bytes = 0, n_left_out = 0;
  if (loom_trace_get_source (trace, 0)->is_index) {
    g_set_error (&error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ ("“%s” is already an index"),
                 loom_trace_get_source (trace, 0)->path);
    note_problem (job, target, error);
    return;
  }
  g_autoptr (LoomIndexContent) content = make_content (trace, job->cancellable);
  if (content == NULL)
    return; /* cancelled */
  g_autoptr (GBytes) bytes = loom_index_writer_make (content, about, &n_left_out);
  for (guint i = 0; i < files->len; i++)
    raw_bytes += ((const LoomFoundFile *) files->pdata[i])->n_bytes;
  if (!replace_index (job, about, target, bytes, &error)) {
    note_problem (job, target, error);
    return;
  }
  Made *made = g_new (Made, 1);
  *made = (Made) { g_steal_pointer (&about), g_steal_pointer (&target), raw_bytes, g_bytes_get_size (bytes) };
  note_made (job, made);
  note_incomplete (job, trace, n_left_out);
}

/* --- indexes that other processes wrote meanwhile ----------------------------------------------------------------- */

static GPtrArray *
list_rivals (const LoomIndexFolder *folder, const Made *made)
{
  GPtrArray *paths = loom_index_folder_list_own (folder, made->about);
  g_ptr_array_extend_and_steal (paths, loom_index_folder_list_alike (folder, made->about));
  return paths;
}

/* Returns the latest modification time, in Unix µs, of the files from which an index file was made. */
static gint64
get_modified (const LoomIndexAbout *about)
{
  gint64 latest = G_MININT64;
  for (guint i = 0; i < about->files->len; i++) {
    const LoomIndexAboutFile *file = &g_array_index (about->files, LoomIndexAboutFile, i);
    latest = MAX (latest, file->modified_s * G_USEC_PER_SEC + file->modified_us);
  }
  return latest;
}

/* Returns TRUE if the index file at `path`, which another process wrote, is kept instead of `made`, which this
 * process wrote. The result depends only on the two files. So both processes keep the same file, and never remove
 * each other's file. */
static gboolean
is_preferred (const LoomIndexAbout *other, const char *path, const Made *made)
{
  gint64 now = get_modified (made->about), then = get_modified (other);
  return now != then ? then > now : strcmp (path, made->path) < 0;
}

/* If the index file at `path` is of the same trace as `made`, removes one of the two files. `was_known`: TRUE if the
 * file at `path` existed when the job began; this file is then the older one, and is removed. If `was_known` is FALSE,
 * is_preferred() decides which file is removed. Returns FALSE if `made` was removed, otherwise TRUE. */
static gboolean
settle_two (Job *job, const Made *made, const char *path, gboolean was_known)
{
  g_autoptr (LoomIndexAbout) other = strcmp (path, made->path) != 0 ? read_about (path) : NULL;
  if (other == NULL || (!loom_index_about_is_of_same_place (other, made->about) &&
                        !loom_index_about_is_of_same_content (other, made->about)))
    return TRUE;
  if (was_known || !is_preferred (other, path, made)) {
    g_remove (path);
    return TRUE;
  }
  g_remove (made->path);
  job->result->n_made--;
  job->result->n_of_several -= made->about->files->len > 1;
  job->result->n_current++;
  job->result->raw_bytes -= made->raw_bytes;
  job->result->index_bytes -= made->index_bytes;
  return FALSE;
}

/* Makes sure that each trace has only one index file. Two processes may index a trace at the same time; when they
 * begin, the folder does not contain the index file of the other process. The process that lists the folder last finds
 * both index files, and removes one. */
static void
settle (Job *job)
{
  g_autoptr (LoomIndexFolder) now = loom_index_folder_new (job->target->folder);
  for (guint i = 0; i < job->made->len; i++) {
    const Made *made = job->made->pdata[i];
    g_autoptr (GPtrArray) rivals = list_rivals (now, made), known = list_rivals (job->known, made);
    gboolean is_kept = TRUE;
    for (guint k = 0; k < rivals->len && is_kept; k++)
      is_kept = settle_two (job, made, rivals->pdata[k],
                            g_ptr_array_find_with_equal_func (known, rivals->pdata[k], g_str_equal, NULL));
  }
}

gboolean
loom_index_map_run (const char *const *paths, const LoomIndexMapTarget *target, const LoomLoadOptions *options,
                    LoomProgress *progress, LoomIndexMapResult *result, GError **error)
{
  Job job = { .target = target,
              .options = options->rank_from != NULL ? options->rank_from : "",
              .cancellable = loom_progress_get_cancellable (progress),
              .result = result };
  LoomLoadEach each = { wants, take, &job };
  LoomLoadOptions own = *options;
  *result = (LoomIndexMapResult) { .problems = g_ptr_array_new_with_free_func (g_free) };
  own.each = &each;
  own.no_arrows = TRUE;
  own.records_bytes = TRUE;
  if (g_mkdir_with_parents (target->folder, 0777) != 0) {
    loom_error_set_from_errno (error, LOOM_ERROR_WRITE, errno, N_ ("Cannot create the folder “%s”"), target->folder);
    return FALSE;
  }
  job.known = loom_index_folder_new (target->folder);
  g_mutex_init (&job.lock);
  job.made = g_ptr_array_new_with_free_func (made_free);
  result->run = loom_load_paths (paths, &own, progress, NULL, NULL, error);
  settle (&job);
  g_ptr_array_unref (job.made);
  g_mutex_clear (&job.lock);
  loom_index_folder_free (job.known);
  return result->run != NULL;
}

void
loom_index_map_result_clear (LoomIndexMapResult *result)
{
  g_clear_pointer (&result->run, loom_run_unref);
  g_clear_pointer (&result->problems, g_ptr_array_unref);
}
