/* SPDX-License-Identifier: Apache-2.0
 *
 * Imports traces of TensorFlow's, XLA's and JAX's profilers (<host>.trace.json.gz). Their times count from the start of
 * the profiling session. The file does not state this start, so the names of the surrounding files and folders are used
 * to find it.
 */
#include "loom-chrome-importer.h"
#include "loom-sniff.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#define OLD_CAP 1000000
#define NEW_CAP 5000000
#define MAX_SEARCH_DEPTH 8
#define US_PER_S G_GINT64_CONSTANT (1000000)

struct _LoomStepFolders {
  GPtrArray *paths; /* char *: canonical paths of .metadata files, sorted */
  gboolean on_disk;
  GMutex lock;
  GHashTable *metadata; /* folder → GPtrArray of Metadata *, sorted by name */
};

typedef struct {
  /* facts about the run if the events were converted from an XSpace file; NULL: the profiler itself wrote this file */
  const LoomTensorFlowRun *run;
  const char *path;
  LoomStepFolders *steps;
  gint64 modified_s;
  LoomClockState state;
  const char *basis;
  gint64 start_ns; /* start of the profiling session, in ns since 1970; 0: unknown */
  /* if a date was too late for a gint64 in ns: untranslated words for the place where it was found; otherwise NULL */
  const char *far_date;
  char *node; /* owned; host in the name of the .metadata file; NULL: unknown */
} TensorFlow;

/* --- the .metadata file of smdebug ------------------------------------------------------------------------------ */

typedef struct {
  char *path;
  const char *name;        /* base name; points into `path` */
  char *host;              /* name of the host: "algo-1" if the node id is "901-algo-1" */
  gint64 start_us, end_us; /* time range in the name of the file, µs since 1970; limited to the range of gint64 */
} Metadata;

static void
metadata_free (gpointer data)
{
  Metadata *metadata = data;
  g_free (metadata->path);
  g_free (metadata->host);
  g_free (metadata);
}

/* Parses "<node>_<start us>_<end us>.metadata"; returns NULL for any other name. */
static Metadata *
metadata_new (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  g_auto (GStrv) parts = g_strsplit (name, "_", -1);
  guint n = g_strv_length (parts);
  gint number;
  if (!g_str_has_suffix (name, ".metadata") || n < 3)
    return NULL;
  gint64 start_us = g_ascii_strtoll (parts[n - 2], NULL, 10), end_us = g_ascii_strtoll (parts[n - 1], NULL, 10);
  if (start_us < G_GINT64_CONSTANT (1000000000000000) || start_us >= G_GINT64_CONSTANT (10000000000000000))
    return NULL;
  Metadata *metadata = g_new0 (Metadata, 1);
  g_autofree char *node = g_strndup (name, strlen (name) - strlen (parts[n - 1]) - strlen (parts[n - 2]) - 2);
  *metadata = (Metadata) { .path = g_strdup (path), .start_us = start_us, .end_us = end_us };
  metadata->name = metadata->path + strlen (path) - strlen (name);
  loom_sniff_smdebug_split_node (node, &number, &metadata->host);
  return metadata;
}

static void
take_metadata (GPtrArray *all, const char *path)
{
  Metadata *metadata = metadata_new (path);
  if (metadata != NULL)
    g_ptr_array_add (all, metadata);
}

static void
collect_metadata (const char *folder, guint depth, GPtrArray *all)
{
  g_autoptr (GDir) dir = depth < MAX_SEARCH_DEPTH ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (g_str_has_suffix (name, ".metadata"))
      take_metadata (all, path);
    else if (g_file_test (path, G_FILE_TEST_IS_DIR) && !g_file_test (path, G_FILE_TEST_IS_SYMLINK))
      collect_metadata (path, depth + 1, all);
  }
}

static gint
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Returns the paths of the .metadata files in canonical form, sorted so that those in one folder can be found by binary
 * search. Owned by the caller. */
static GPtrArray *
sort_metadata_paths (const GPtrArray *paths)
{
  GPtrArray *sorted = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < paths->len; i++)
    if (g_str_has_suffix (g_ptr_array_index (paths, i), ".metadata"))
      g_ptr_array_add (sorted, g_canonicalize_filename (g_ptr_array_index (paths, i), NULL));
  g_ptr_array_sort (sorted, compare_paths);
  return sorted;
}

/* Adds to `all` the .metadata files in the folder and its subfolders. `paths` must be sorted by
 * sort_metadata_paths(). */
static void
collect_paths (const GPtrArray *paths, const char *folder, GPtrArray *all)
{
  g_autofree char *within = g_strconcat (folder, "/", NULL);
  guint first = 0, end = paths->len;
  while (first < end) {
    guint middle = first + (end - first) / 2;
    if (strcmp (g_ptr_array_index (paths, middle), within) < 0)
      first = middle + 1;
    else
      end = middle;
  }
  for (; first < paths->len && g_str_has_prefix (g_ptr_array_index (paths, first), within); first++)
    take_metadata (all, g_ptr_array_index (paths, first));
}

/* Compares two files by their base names only. */
static gint
compare_metadata (gconstpointer a, gconstpointer b)
{
  const Metadata *const *x = a, *const *y = b;
  return strcmp ((*x)->name, (*y)->name);
}

/* Returns the time in the name of the trace's run folder, "YYYY_MM_DD_HH_MM_SS", in seconds since 1970; 0 for other
 * names. `local`: TRUE if the time is in the local time zone, FALSE if it is in UTC. */
static gint64
run_time (const char *path, gboolean local)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *run = g_path_get_basename (folder);
  int year, month, day, hour, minute, second;
  char rest;
  if (sscanf (run, "%4d_%2d_%2d_%2d_%2d_%2d%c", &year, &month, &day, &hour, &minute, &second, &rest) != 6)
    return 0;
  g_autoptr (GTimeZone) zone = local ? g_time_zone_new_local () : g_time_zone_new_utc ();
  g_autoptr (GDateTime) when = g_date_time_new (zone, year, month, day, hour, minute, second);
  return when != NULL ? g_date_time_to_unix (when) : 0;
}

/* Returns the .metadata file of the profiling session that was running at the time in the name of the trace's run
 * folder. If there is none, returns the first .metadata file whose start fits into gint64 in ns; NULL: there is no such
 * file either. */
static const Metadata *
choose_metadata (TensorFlow *tf, const GPtrArray *all)
{
  gint64 run_us = loom_time_from (run_time (tf->path, FALSE), US_PER_S);
  const Metadata *chosen = NULL;
  for (guint i = 0; i < all->len; i++) {
    const Metadata *metadata = g_ptr_array_index (all, i);
    if (loom_time_is_saturated (loom_time_from (metadata->start_us, LOOM_NS_PER_US))) {
      tf->far_date = N_ ("the start time in the name of a .metadata file");
      continue;
    }
    if (run_us >= metadata->start_us - US_PER_S && run_us <= loom_time_add (metadata->end_us, US_PER_S))
      return metadata;
    chosen = chosen != NULL ? chosen : metadata;
  }
  return chosen;
}

/* Returns TRUE if all .metadata files (Metadata *) come from one host. Otherwise it is unknown which host recorded a
 * trace whose name does not state its host. */
static gboolean
is_one_host (const GPtrArray *all)
{
  for (guint i = 1; i < all->len; i++)
    if (strcmp (((const Metadata *) g_ptr_array_index (all, i))->host,
                ((const Metadata *) g_ptr_array_index (all, 0))->host) != 0)
      return FALSE;
  return TRUE;
}

/* Returns the folder of the step if the path of the trace is <step>/plugins/profile/<run>/<trace>; NULL for other
 * paths. Owned by the caller. */
static char *
dup_step_folder (const TensorFlow *tf)
{
  if (strstr (tf->path, "/plugins/profile/") == NULL)
    return NULL;
  char *folder = g_path_get_dirname (tf->path); /* the folder <run> */
  for (guint i = 0; i < 3; i++) {               /* goes up to the folders profile, plugins and <step> */
    char *up = g_path_get_dirname (folder);
    g_free (folder);
    folder = up;
  }
  return folder;
}

LoomStepFolders *
loom_importer_step_folders_new (const GPtrArray *paths, gboolean on_disk)
{
  LoomStepFolders *self = g_new0 (LoomStepFolders, 1);
  self->paths = sort_metadata_paths (paths);
  self->on_disk = on_disk;
  self->metadata = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  g_mutex_init (&self->lock);
  return self;
}

void
loom_importer_step_folders_free (LoomStepFolders *self)
{
  g_hash_table_unref (self->metadata);
  g_ptr_array_unref (self->paths);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* Lists the .metadata files in a folder. Takes ownership of `folder`; the list belongs to `self`. */
static const GPtrArray *
look_into (LoomStepFolders *self, char *folder)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (metadata_free);
  if (self->on_disk)
    collect_metadata (folder, 0, all);
  collect_paths (self->paths, folder, all);
  g_ptr_array_sort (all, compare_metadata);
  g_hash_table_insert (self->metadata, folder, all);
  return all;
}

/* Returns the .metadata files (Metadata *) in the step folder of the trace, sorted by name; NULL: the path of the trace
 * contains no step folder. If several threads need the same folder, the first one lists it, and the others wait. */
static const GPtrArray *
list_metadata (const TensorFlow *tf)
{
  g_autofree char *folder = dup_step_folder (tf);
  if (folder == NULL)
    return NULL;
  g_mutex_lock (&tf->steps->lock);
  const GPtrArray *all = g_hash_table_lookup (tf->steps->metadata, folder);
  if (all == NULL)
    all = look_into (tf->steps, g_steal_pointer (&folder));
  g_mutex_unlock (&tf->steps->lock);
  return all;
}

char *
loom_importer_tensorflow_dup_metadata (const char *path, LoomStepFolders *steps)
{
  g_autofree char *canonical = g_canonicalize_filename (path, NULL);
  TensorFlow tf = { .path = canonical, .steps = steps };
  const GPtrArray *all = list_metadata (&tf);
  const Metadata *chosen = all != NULL ? choose_metadata (&tf, all) : NULL;
  return chosen != NULL ? g_strdup (chosen->path) : NULL;
}

static gboolean
anchor_by_metadata (TensorFlow *tf)
{
  const GPtrArray *all = list_metadata (tf);
  const Metadata *chosen = all != NULL ? choose_metadata (tf, all) : NULL;
  if (chosen == NULL)
    return FALSE;
  tf->start_ns = loom_time_from (chosen->start_us, LOOM_NS_PER_US);
  tf->node = is_one_host (all) && chosen->host[0] != '\0' ? g_strdup (chosen->host) : NULL;
  tf->state = LOOM_CLOCK_DERIVED;
  tf->basis = N_ ("start time in the .metadata file’s name");
  return TRUE;
}

static void
find_anchor (TensorFlow *tf)
{
  if (tf->run != NULL && (tf->run->start_ns != 0 || tf->run->is_absolute)) {
    tf->start_ns = tf->run->start_ns;
    tf->state = LOOM_CLOCK_EXACT;
    tf->basis = tf->run->is_absolute ? N_ ("nanoseconds since 1970") : "profile_start_time";
    return;
  }
  if (anchor_by_metadata (tf))
    return;
  gint64 run_ns = loom_time_from (run_time (tf->path, TRUE), LOOM_NS_PER_S);
  if (loom_time_is_saturated (run_ns)) {
    /* Translators: where a date was found: "A date outside the years 1677 to 2262 was not used: the name …" */
    tf->far_date = N_ ("the name of the run’s folder");
  } else if (run_ns != 0) {
    tf->start_ns = run_ns;
    tf->state = LOOM_CLOCK_APPROXIMATE;
    tf->basis = N_ ("run folder’s name, read as local time");
  }
}

/* --- events ----------------------------------------------------------------------------------------------------- */

static void
on_adjust (LoomChromeImporter *chrome, const LoomEvent *event, gint64 *start_ns, gint64 *dur_ns, guint *flags)
{
  /* Times of a thread that began before the session count from 1970 already, so the base is subtracted again. */
  gint64 own_ns = loom_time_sub (*start_ns, chrome->base_ns);
  if (chrome->base_ns != 0 && own_ns >= LOOM_TIME_EPOCH_MIN)
    *start_ns = own_ns;
}

/* Returns TRUE for a thread (line) that the profiler derives from the events of other threads. On a TPU, which has
 * no streams, the lines of operations are recorded, not derived. */
static gboolean
is_derived_line (const char *process, const char *label)
{
  static const char *const known[] = {
    "Steps",
    "XLA Modules",
    "XLA Ops",
    "TensorFlow Ops",
    "Framework Ops",
    "TensorFlow Name Scope",
    "Framework Name Scope",
    "Launch Stats",
    "Source code",
    "Async XLA Ops",
  };
  if (g_str_has_prefix (process, "/device:TPU") && strcmp (label, "XLA Ops") == 0)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (strcmp (label, known[i]) == 0)
      return TRUE;
  return FALSE;
}

static void
mark_lines (LoomChromeImporter *chrome)
{
  LoomTraceBuilder *builder = chrome->builder;
  for (guint32 i = 0; i < loom_trace_builder_get_n_processes (builder); i++) {
    const char *label = loom_trace_builder_process_get_label (builder, i);
    if (label != NULL && g_str_has_prefix (label, "/device:"))
      loom_trace_builder_process_add_flags (builder, i, LOOM_TRACK_DEVICE);
  }
  for (guint32 i = 0; i < loom_trace_builder_get_n_threads (builder); i++) {
    const char *label = loom_trace_builder_thread_get_label (builder, i);
    const char *process =
      loom_trace_builder_process_get_label (builder, loom_trace_builder_thread_get_process (builder, i));
    if (label != NULL && process != NULL && g_str_has_prefix (process, "/device:") && is_derived_line (process, label))
      loom_trace_builder_thread_add_flags (builder, i, LOOM_TRACK_DERIVED);
  }
}

static void
anchor_by_file_time (LoomChromeImporter *chrome, const TensorFlow *tf, LoomStreamReader *reader)
{
  guint32 packed_s = loom_stream_reader_get_gzip_time (reader);
  gint64 written_s = packed_s != 0 ? (gint64) packed_s : tf->modified_s;
  if (written_s == 0 || chrome->n_timed == 0 || chrome->max_end_ns == LOOM_TIME_NONE)
    return;
  gint64 written_ns = loom_time_from (written_s, LOOM_NS_PER_S),
         base_ns = loom_time_sub (written_ns, chrome->max_end_ns);
  if (loom_time_is_saturated (written_ns) || loom_time_is_saturated (base_ns)) {
    loom_chrome_importer_note_far_date (chrome, N_ ("the file’s modification time"));
    return;
  }
  loom_trace_builder_shift_source (chrome->builder, chrome->source, base_ns);
  loom_chrome_importer_set_clock (chrome, LOOM_CLOCK_APPROXIMATE,
                                  packed_s != 0 ? N_ ("time in the gzip header") : N_ ("the file’s modification time"),
                                  base_ns);
}

static void
finish (LoomChromeImporter *chrome, LoomStreamReader *reader)
{
  TensorFlow *tf = chrome->data;
  g_autofree char *base = g_path_get_basename (tf->path);
  const char *end = strstr (base, ".trace.json");
  chrome->info->flows_follow_spans = tf->run != NULL;
  if (tf->run != NULL && tf->run->node != NULL)
    chrome->info->node = g_strdup (tf->run->node);
  /* The host in the name of the .metadata file takes precedence over the host in the name of the trace, because other
   * files of the job contain only the former. */
  else if (tf->node != NULL)
    chrome->info->node = g_strdup (tf->node);
  else if (end != NULL && end != base)
    chrome->info->node = g_strndup (base, (gsize) (end - base));
  mark_lines (chrome);
  if (tf->far_date != NULL)
    loom_chrome_importer_note_far_date (chrome, tf->far_date);
  if (tf->start_ns != 0 || (tf->run != NULL && tf->run->is_absolute))
    loom_chrome_importer_set_clock (chrome, tf->state, tf->basis, tf->start_ns);
  else if (loom_chrome_importer_is_absolute (chrome) && chrome->n_timed > 0)
    loom_chrome_importer_set_clock (chrome, LOOM_CLOCK_DERIVED, N_ ("times look like microseconds since 1970"), 0);
  else
    anchor_by_file_time (chrome, tf, reader);
  if (chrome->info->n_events == OLD_CAP || chrome->info->n_events == NEW_CAP)
    loom_import_log_add (
      chrome->info->log, LOOM_SEVERITY_WARNING, "event-cap", LOOM_OFFSET_NONE,
      "The file has exactly the largest number of events that the profiler writes, so it may be truncated");
}

gboolean
loom_importer_tensorflow_read (LoomImporter *import, const LoomFoundFile *file, const LoomTensorFlowRun *run,
                               GError **error)
{
  static const LoomChromeImporterHooks hooks = { .adjust = on_adjust, .adjusts_from_ns = LOOM_TIME_EPOCH_MIN };
  g_autofree char *path = g_canonicalize_filename (file->path, NULL);
  TensorFlow tf = { .run = run, .path = path, .steps = import->steps, .modified_s = file->modified_s };
  find_anchor (&tf);
  LoomChromeImporterJob job = { .format = run != NULL ? run->format : "tensorflow",
                                .hooks = tf.start_ns != 0 ? &hooks : NULL,
                                .data = &tf,
                                .clock = G_MAXUINT,
                                .base_ns = tf.start_ns,
                                .open_x_is_point = TRUE,
                                .splittable = TRUE,
                                .scan = run != NULL ? run->scan : NULL,
                                .finish = finish };
  gboolean good = loom_chrome_importer_read (import, file, &job, error);
  g_free (tf.node);
  return good;
}

gboolean
loom_importer_tensorflow (LoomImporter *import, GError **error)
{
  for (guint i = 0; i < import->n_files; i++)
    if (!loom_importer_tensorflow_read (import, import->files[i], NULL, error))
      return FALSE;
  return TRUE;
}
