/* SPDX-License-Identifier: Apache-2.0
 *
 * The load job: finds the traces in files and folders, recognises their formats, and reads them into a run. The
 * interface is described in loom-load.h.
 */
#include "loom-load.h"

#include "loom-archive-path.h"
#include "loom-error.h"
#include "loom-importer.h"
#include "loom-indexed-trace.h"
#include "loom-load-candidates.h"
#include "loom-load-duplicates.h"
#include "loom-load-groups.h"
#include "loom-load-incremental.h"
#include "loom-natural-collate.h"
#include "loom-parallel.h"
#include "loom-regex.h"

#include <glib/gi18n.h>
#include <string.h>

#define MOST_READS 3

typedef struct {
  const LoomLoadOptions *options;
  LoomProgress *progress;
  GRegex *rank_from;
  LoomStepFolders *steps;
  GHashTable *configs;
  LoomHorovodAnchors *anchors;
  LoomFlightDumps *flights; /* the dumps of flight recorders in this load; NULL: there is at most one dump, or
                             * `options->each` is set */
  gint64 known_end_ns;      /* latest time of the flight recorder dumps in the run that was loaded before
                             * (LoomLoadOptions.known); LOOM_TIME_NONE: there are none */
  LoomTraceReady ready;
  gpointer user_data;
  GMutex ready_lock;
  guint n_threads;
  GPtrArray *units; /* LoomLoadUnit *: the units to load; the files of a unit are read together into one trace */
  guint64 n_bytes;  /* size in bytes of the files of all units */
  guint64 piece_bytes;
  LoomMemoryBudget *budget;
  LoomFileDiscovery *found;
  LoomLoadIncremental *known;
  LoomSourcePlacer *placer; /* finds the rank and node that the user has set for a source; NULL: the user has not set
                             * any */
} Job;

static const LoomImporterFunc importers[] = {
  [LOOM_FILE_FORMAT_TRACELOOM] = loom_importer_traceloom,
  [LOOM_FILE_FORMAT_SMDEBUG] = loom_importer_smdebug,
  [LOOM_FILE_FORMAT_SMDEBUG_SYSTEM] = loom_importer_system,
  [LOOM_FILE_FORMAT_SMDEBUG_MERGED] = loom_importer_smdebug_merged,
  [LOOM_FILE_FORMAT_TENSORFLOW] = loom_importer_tensorflow,
  [LOOM_FILE_FORMAT_KINETO] = loom_importer_kineto,
  [LOOM_FILE_FORMAT_COMPOSER] = loom_importer_composer,
  [LOOM_FILE_FORMAT_HOROVOD] = loom_importer_horovod,
  [LOOM_FILE_FORMAT_CHROME] = loom_importer_chrome,
  [LOOM_FILE_FORMAT_NSIGHT] = loom_importer_nsight,
  [LOOM_FILE_FORMAT_ROCM] = loom_importer_rocm,
  [LOOM_FILE_FORMAT_XPLANE] = loom_importer_xplane,
  [LOOM_FILE_FORMAT_PERFETTO] = loom_importer_perfetto,
  [LOOM_FILE_FORMAT_FLIGHT_RECORDER] = loom_importer_flight_recorder,
  [LOOM_FILE_FORMAT_MEMORY_SNAPSHOT] = loom_importer_memory_snapshot,
  [LOOM_FILE_FORMAT_CPROFILE] = loom_importer_cprofile,
  [LOOM_FILE_FORMAT_PYINSTRUMENT] = loom_importer_pyinstrument,
  [LOOM_FILE_FORMAT_INDEX] = loom_importer_index,
};

/* --- reading ---------------------------------------------------------------------------------------------------- */

/* Returns the number of threads for reading a unit: 1 if there are at least as many units as threads and the unit is at
 * most as large as the average work of a thread; otherwise all threads. */
static guint
threads_for (const Job *job, const LoomLoadUnit *unit)
{
  return job->units->len < job->n_threads || unit->n_bytes > job->n_bytes / job->n_threads ? job->n_threads : 1;
}

/* Reads the files of a unit with the importer for their format. Returns FALSE if cancelled. */
static gboolean
read_once (Job *job, LoomLoadUnit *unit, gboolean salvages, LoomImporter *import)
{
  *import = (LoomImporter) {
    .builder = loom_trace_builder_new (),
    .files = (LoomFoundFile *const *) unit->files->pdata,
    .n_files = unit->files->len,
    .lines = unit->lines,
    .records_bytes = job->options->records_bytes,
    .salvages = salvages,
    .rank_from = job->rank_from,
    .steps = job->steps,
    .anchors = job->anchors,
    .flights = job->flights,
    .configs = job->configs,
    .progress = job->progress,
    .n_threads = threads_for (job, unit),
    .piece_bytes = job->piece_bytes,
    .budget = job->budget,
    .failed = unit->failed,
  };
  return importers[unit->kind](import, &unit->error);
}

static gboolean
follow_renames (const Job *job, const LoomLoadUnit *unit)
{
  return loom_file_discovery_follow (job->found, (LoomFoundFile *const *) unit->files->pdata, unit->files->len,
                                     loom_progress_get_cancellable (job->progress));
}

static void
forget (Job *job, LoomLoadUnit *unit, LoomImporter *import)
{
  loom_memory_budget_reserve (job->budget, -import->reserved);
  loom_trace_builder_free (import->builder);
  import->builder = NULL;
  g_ptr_array_set_size (unit->failed, 0);
}

/* Reads a unit. If a database turns out to be damaged, reads it again, and then also searches for rows that SQLite does
 * not find. */
static gboolean
read_unit (Job *job, LoomLoadUnit *unit, LoomImporter *import)
{
  gboolean good = read_once (job, unit, FALSE, import);
  if (!good || !import->wants_salvage)
    return good;
  forget (job, unit, import);
  loom_progress_add_total (job->progress, unit->n_bytes);
  return read_once (job, unit, TRUE, import);
}

/* Reads a unit. If files were renamed meanwhile, reads the unit again under the new names, because an old name may have
 * belonged to another file when it was opened. */
static gboolean
read_settled (Job *job, LoomLoadUnit *unit, LoomImporter *import)
{
  follow_renames (job, unit);
  gboolean good = read_unit (job, unit, import);
  for (guint n = 1; good && n < MOST_READS && follow_renames (job, unit); n++) {
    forget (job, unit, import);
    loom_progress_add_total (job->progress, unit->n_bytes);
    good = read_unit (job, unit, import);
  }
  return good;
}

static void
tell_ready (Job *job, LoomTrace *trace)
{
  if (job->ready == NULL)
    return;
  g_mutex_lock (&job->ready_lock);
  job->ready (trace, job->user_data);
  g_mutex_unlock (&job->ready_lock);
}

/* Sets the ranks and nodes that the user has chosen for sources. */
static void
place_sources (const Job *job, LoomTraceBuilder *builder)
{
  for (guint i = 0; job->placer != NULL && i < loom_trace_builder_get_n_sources (builder); i++) {
    LoomSourcePlace place;
    if (loom_source_overrides_placer_find (job->placer, loom_trace_builder_get_source (builder, i)->path, &place))
      loom_trace_builder_source_set_place (builder, i, place.has_node ? place.node : NULL,
                                           place.has_rank ? place.rank : -1);
    loom_source_overrides_place_clear (&place);
  }
}

/* Returns the stamp of a unit (loom-load-incremental.h), from its files and the options that affect reading; NULL if
 * changes of the files could not be detected. `end_ns`: the latest time of all dumps of flight recorders, which affects
 * the spans of the dumps; LOOM_TIME_NONE: unknown. Owned by the caller. */
static char *
stamp_for (const Job *job, const LoomLoadUnit *unit, gint64 end_ns)
{
  g_autoptr (GString) how = g_string_new (job->rank_from != NULL ? g_regex_get_pattern (job->rank_from) : "");
  for (guint i = 0; job->placer != NULL && i < unit->files->len; i++) {
    LoomSourcePlace place;
    if (loom_source_overrides_placer_find (job->placer, ((LoomFoundFile *) g_ptr_array_index (unit->files, i))->path,
                                           &place))
      g_string_append_printf (how, " %u=%d:%s", i, place.has_rank ? place.rank : -1, place.has_node ? place.node : "");
    loom_source_overrides_place_clear (&place);
  }
  if (unit->kind == LOOM_FILE_FORMAT_FLIGHT_RECORDER && end_ns != LOOM_TIME_NONE)
    g_string_append_printf (how, " until %" G_GINT64_FORMAT, end_ns);
  return strchr (how->str, '\n') == NULL ? loom_load_incremental_stamp_new (unit, how->str) : NULL;
}

static gboolean
is_wanted_anew (const Job *job, const LoomTrace *trace)
{
  const char *const *anew = job->options->anew;
  for (guint i = 0; anew != NULL && i < loom_trace_get_n_sources (trace); i++)
    if (g_strv_contains (anew, loom_trace_get_source (trace, i)->path))
      return TRUE;
  return FALSE;
}

/* Looks in job->known for a trace that was loaded before from the same unchanged files, which `stamp` identifies, and
 * makes this trace the trace of `unit`. Returns FALSE if there is no such trace, or if the user wants to read its files
 * again. */
static gboolean
take_known (Job *job, LoomLoadUnit *unit, const char *stamp)
{
  unit->trace = loom_load_incremental_find (job->known, stamp);
  if (unit->trace != NULL && is_wanted_anew (job, unit->trace))
    g_clear_pointer (&unit->trace, loom_trace_unref);
  if (unit->trace == NULL)
    return FALSE;
  loom_progress_add_done (job->progress, unit->n_bytes);
  return TRUE;
}

/* Returns TRUE if the caller of the load does not want the files of this unit (LoomLoadEach.wants). */
static gboolean
is_unwanted (Job *job, const LoomLoadUnit *unit)
{
  const LoomLoadEach *each = job->options->each;
  if (each == NULL || each->wants (unit->files, each->user_data))
    return FALSE;
  loom_progress_add_done (job->progress, unit->n_bytes);
  return TRUE;
}

static void
hand_over (Job *job, LoomLoadUnit *unit)
{
  const LoomLoadEach *each = job->options->each;
  if (each == NULL)
    return;
  each->take (unit->trace, unit->files, each->user_data);
  g_clear_pointer (&unit->trace, loom_trace_unref);
}

/* Sets the trace of a unit: a known trace (take_known()) or, if there is none, one that is read from the files. The
 * trace is NULL if nothing could be read. */
static void
make_trace (Job *job, LoomLoadUnit *unit)
{
  const LoomFoundFile *first = g_ptr_array_index (unit->files, 0);
  loom_progress_set_label (job->progress, first->path);
  /* the stamp is made before the files are read: if a file changes during reading, its next stamp differs */
  g_autofree char *stamp =
    stamp_for (job, unit, job->flights != NULL ? loom_importer_flight_dumps_get_end (job->flights) : LOOM_TIME_NONE);
  if (take_known (job, unit, stamp))
    return;
  LoomImporter import;
  if (!read_settled (job, unit, &import) || loom_trace_builder_get_n_sources (import.builder) == 0) {
    loom_trace_builder_free (import.builder);
    return;
  }
  place_sources (job, import.builder);
  if (job->options->no_arrows)
    loom_trace_builder_leave_out_arrows (import.builder);
  unit->trace = loom_trace_builder_freeze (import.builder, import.n_threads, job->progress);
  loom_memory_budget_reserve (job->budget, -import.reserved);
  if (unit->trace == NULL)
    g_set_error_literal (&unit->error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled");
  else if (unit->failed->len == 0 && !loom_memory_budget_check (job->budget))
    loom_trace_set_stamp (unit->trace, stamp);
}

/* Reads the duplicates of a unit whose files are damaged or cut off, and keeps the trace with the most events. */
static void
try_duplicates (Job *job, LoomLoadUnit *unit)
{
  for (guint i = 0; loom_load_duplicates_are_needed (unit) && i < unit->duplicates->len; i++) {
    LoomLoadUnit *duplicate = g_ptr_array_index (unit->duplicates, i);
    loom_progress_add_total (job->progress, duplicate->n_bytes);
    make_trace (job, duplicate);
    if (duplicate->error != NULL)
      g_propagate_error (&unit->error, g_steal_pointer (&duplicate->error));
    else
      loom_load_duplicates_choose (unit, duplicate);
  }
}

static void
load_unit (Job *job, LoomLoadUnit *unit)
{
  if (loom_progress_is_cancelled (job->progress)) {
    g_set_error_literal (&unit->error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled");
    return;
  }
  unit->is_loaded = is_unwanted (job, unit);
  if (unit->is_loaded)
    return;
  make_trace (job, unit);
  try_duplicates (job, unit);
  if (unit->trace == NULL || unit->error != NULL)
    return;
  unit->is_loaded = TRUE;
  tell_ready (job, unit->trace);
  hand_over (job, unit);
}

static void
load_item (guint item, guint worker, gpointer user_data)
{
  Job *job = user_data;
  load_unit (job, g_ptr_array_index (job->units, item));
}

/* --- dumps of flight recorders ------------------------------------------------------------------------------------ */

static void
note_flights (LoomFlightDumps *flights, LoomTrace *trace)
{
  for (guint i = 0; i < loom_trace_get_n_sources (trace); i++)
    if (loom_trace_get_source (trace, i)->flight != NULL)
      loom_importer_flight_dumps_note (flights, loom_trace_get_source (trace, i)->flight,
                                       loom_trace_get_source (trace, i)->rank);
}

/* If the files of a unit are dumps of flight recorders, reads these dumps. Does nothing if the trace of the unit is
 * taken from the run that was loaded before (take_known()). */
static void
read_flights (guint item, guint worker, gpointer user_data)
{
  Job *job = user_data;
  const LoomLoadUnit *unit = g_ptr_array_index (job->units, item);
  if (unit->kind != LOOM_FILE_FORMAT_FLIGHT_RECORDER)
    return;
  g_autofree char *stamp = stamp_for (job, unit, job->known_end_ns);
  g_autoptr (LoomTrace) known = loom_load_incremental_find (job->known, stamp);
  if (known != NULL && !is_wanted_anew (job, known))
    return; /* note_known_flights() has already noted the times of this dump */
  const LoomImporter import = { .progress = job->progress, .budget = job->budget };
  for (guint i = 0; i < unit->files->len; i++)
    loom_importer_flight_dumps_read (job->flights, &import, g_ptr_array_index (unit->files, i));
}

/* Notes the times of all dumps of flight recorders in the run that was loaded before. Includes dumps whose files are
 * gone, because they stay on the timeline. Returns TRUE if the run has any dump. */
static gboolean
note_known_flights (Job *job)
{
  const LoomRun *run = job->options->known;
  for (guint i = 0; run != NULL && i < loom_run_get_n_traces (run); i++)
    note_flights (job->flights, loom_run_get_trace (run, i));
  job->known_end_ns = loom_importer_flight_dumps_get_end (job->flights);
  return job->known_end_ns != LOOM_TIME_NONE;
}

/* Reads all dumps of flight recorders, so that their latest time is known before the first one is imported. Does
 * nothing if LoomLoadOptions.each is set: such a load makes an index of each source, which must not depend on other
 * files. */
static void
read_all_flights (Job *job)
{
  guint n = 0;
  for (guint i = 0; i < job->units->len; i++)
    n += ((LoomLoadUnit *) g_ptr_array_index (job->units, i))->kind == LOOM_FILE_FORMAT_FLIGHT_RECORDER;
  if (n == 0 || job->options->each != NULL)
    return;
  job->flights = loom_importer_flight_dumps_new ();
  if (!note_known_flights (job) && n < 2) {
    g_clear_pointer (&job->flights, loom_importer_flight_dumps_free);
    return;
  }
  loom_parallel_for (job->units->len, job->n_threads, read_flights, job, job->progress);
}

/* Loads the units in new threads, which inherit the priority of this thread, and end when everything is loaded. Threads
 * of a GThreadPool, even of an exclusive one, would be used for other work later. After cancellation, load_item() is
 * still called for each unit, so that each unit gets the error "Cancelled". */
static void
load_units (GPtrArray *units, Job *job)
{
  job->units = units;
  job->n_threads = job->options->n_threads > 0 ? job->options->n_threads : g_get_num_processors ();
  for (guint i = 0; i < units->len; i++)
    job->n_bytes += ((LoomLoadUnit *) g_ptr_array_index (units, i))->n_bytes;
  read_all_flights (job);
  loom_parallel_for (units->len, job->n_threads, load_item, job, NULL);
  g_clear_pointer (&job->flights, loom_importer_flight_dumps_free);
}

static void
note_skipped (LoomRun *run, const LoomFileDiscovery *found, const LoomFetchedFolder *const *places)
{
  for (guint i = 0; i < found->skipped->len; i++) {
    const LoomSkippedFile *skipped = g_ptr_array_index (found->skipped, i);
    g_autofree char *path = loom_fetched_folder_dup_shown (skipped->path, places);
    loom_run_add_ignored (run, path, skipped->reason, skipped->failed);
  }
}

/* Returns LoomLoadOptions.piece_bytes or, if that is 0, the value of LOOM_SPLIT_BYTES in the environment; 0: neither is
 * set. */
static guint64
piece_bytes_of (const LoomLoadOptions *options)
{
  const char *text = g_getenv ("LOOM_SPLIT_BYTES");
  if (options->piece_bytes > 0)
    return options->piece_bytes;
  return text != NULL ? g_ascii_strtoull (text, NULL, 10) : 0;
}

static gint
compare_traces (gconstpointer a, gconstpointer b)
{
  return loom_natural_collate_compare (loom_trace_get_source (*(LoomTrace *const *) a, 0)->path,
                                       loom_trace_get_source (*(LoomTrace *const *) b, 0)->path);
}

static gboolean
is_removed (const LoomSourceOverrides *edits, const char *path)
{
  const LoomSourceEdit *edit = edits != NULL ? loom_source_overrides_find (edits, path) : NULL;
  return edit != NULL && edit->removed;
}

/* Returns TRUE if the user has removed all sources of the trace. */
static gboolean
is_removed_trace (const LoomSourceOverrides *edits, const LoomTrace *trace)
{
  for (guint i = 0; i < loom_trace_get_n_sources (trace); i++)
    if (!is_removed (edits, loom_trace_get_source (trace, i)->path))
      return FALSE;
  return TRUE;
}

/* Adds to `traces` the elements of `gone`, whose files were deleted, except those that the user has removed from the
 * run. Adds a note about each of these traces to `notes`. */
static void
keep_gone (GPtrArray *traces, const GPtrArray *gone, const LoomSourceOverrides *edits, LoomRun *notes)
{
  for (guint i = 0; i < gone->len; i++) {
    LoomTrace *trace = g_ptr_array_index (gone, i);
    if (is_removed_trace (edits, trace)) {
      loom_run_add_ignored (notes, loom_trace_get_source (trace, 0)->path, _ ("removed manually"), FALSE);
      continue;
    }
    g_ptr_array_add (traces, trace);
    loom_run_add_ignored (notes, loom_trace_get_source (trace, 0)->path,
                          _ ("no longer exists; the events that were read before are still shown"), FALSE);
  }
  if (gone->len > 0)
    g_ptr_array_sort (traces, compare_traces);
}

static LoomRun *
collect (GPtrArray *units, const GPtrArray *gone, const LoomSourceOverrides *edits, LoomRun *notes, GError **error)
{
  g_autoptr (GPtrArray) traces = g_ptr_array_new ();
  for (guint i = 0; i < units->len; i++) {
    LoomLoadUnit *unit = g_ptr_array_index (units, i);
    if (unit->error != NULL) {
      g_propagate_error (error, g_steal_pointer (&unit->error));
      return NULL;
    }
    if (unit->trace != NULL)
      g_ptr_array_add (traces, unit->trace);
  }
  keep_gone (traces, gone, edits, notes);
  loom_indexed_trace_drop (traces, notes);
  LoomRun *run = loom_run_new ((LoomTrace *const *) traces->pdata, traces->len);
  loom_run_copy_ignored (run, notes);
  for (guint i = 0; i < units->len; i++) {
    LoomLoadUnit *unit = g_ptr_array_index (units, i);
    for (guint j = 0; j + 1 < unit->failed->len; j += 2)
      loom_run_add_unread (run, g_ptr_array_index (unit->failed, j), g_ptr_array_index (unit->failed, j + 1));
  }
  loom_load_duplicates_note (units, run);
  return run;
}

/* Returns TRUE, and sets `error`, if only one path was given, and the file at this path cannot be opened. */
static gboolean
is_hopeless (const char *const *paths, const LoomFileDiscovery *found, const LoomFetchedFolder *const *places,
             GError **error)
{
  if (paths[0] == NULL || paths[1] != NULL || found->files->len > 0 || found->skipped->len != 1)
    return FALSE;
  for (const LoomFetchedFolder *const *place = places; place != NULL && *place != NULL; place++)
    /* `place` is a remote location from which nothing could be fetched. Such a location has no path in `paths`, but the
     * user has given it. So the path in `paths` is not the only one that the user gave */
    if ((*place)->failed)
      return FALSE;
  const LoomSkippedFile *skipped = g_ptr_array_index (found->skipped, 0);
  g_autofree char *given = loom_archive_path_dup_plain (paths[0]);
  if (!skipped->failed || strcmp (skipped->path, given) != 0)
    return FALSE;
  g_autofree char *there = loom_fetched_folder_dup_shown (given, places), *shown = loom_archive_path_dup_shown (there);
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("Cannot open “%s”: %s"), shown, skipped->reason);
  return TRUE;
}

/* Removes those candidates whose sources the user has removed from the run, and adds them to the ignored files of
 * `notes`. */
static void
leave_out (GPtrArray *candidates, const LoomSourceOverrides *edits, LoomRun *notes)
{
  for (guint i = candidates->len; edits != NULL && i > 0; i--) {
    const LoomCandidate *candidate = g_ptr_array_index (candidates, i - 1);
    if (!is_removed (edits, candidate->file->path))
      continue;
    loom_run_add_ignored (notes, candidate->file->path, _ ("removed manually"), FALSE);
    g_ptr_array_remove_index (candidates, i - 1);
  }
}

static gboolean
set_cancelled (LoomProgress *progress, GError **error)
{
  if (!loom_progress_is_cancelled (progress))
    return FALSE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled");
  return TRUE;
}

static void
count_bytes (const GPtrArray *units, LoomProgress *progress)
{
  for (guint i = 0; i < units->len; i++) {
    const LoomLoadUnit *unit = g_ptr_array_index (units, i);
    for (guint j = 0; j < unit->files->len; j++)
      loom_progress_add_total (progress, ((LoomFoundFile *) g_ptr_array_index (unit->files, j))->n_bytes);
  }
}

/* Returns the files to load (LoomCandidate *). Adds the files that are not loaded to the ignored files of `notes`. */
static GPtrArray *
choose_candidates (const Job *job, LoomRun *notes)
{
  const LoomLoadOptions *options = job->options;
  note_skipped (notes, job->found, options->places);
  if (options->places != NULL)
    loom_fetched_folder_take (job->found, options->places, notes);
  GPtrArray *candidates =
    loom_load_candidates_new (job->found, options->suffixes, options->n_threads, notes, job->progress);
  leave_out (candidates, options->edits, notes);
  return candidates;
}

/* Makes the objects that the importers of all units share (profiler configurations, ranks and nodes set by the user,
 * memory budget), and loads the units. */
static void
load_all (Job *job, GPtrArray *units, const GPtrArray *candidates)
{
  const LoomLoadOptions *options = job->options;
  g_autoptr (GHashTable) configs = loom_load_candidates_list_configs (candidates);
  g_autoptr (GPtrArray) files = loom_load_candidates_list_files (candidates);
  g_autoptr (LoomHorovodAnchors) anchors = loom_importer_horovod_anchors_new (files);
  g_autoptr (LoomSourcePlacer) placer =
    options->edits != NULL ? loom_source_overrides_placer_new (options->edits) : NULL;
  g_autoptr (LoomMemoryBudget) budget = loom_memory_budget_new (options->memory_budget);
  job->configs = configs;
  job->anchors = anchors;
  job->placer = placer;
  job->budget = budget;
  count_bytes (units, job->progress);
  g_mutex_init (&job->ready_lock);
  load_units (units, job);
  g_mutex_clear (&job->ready_lock);
}

static LoomRun *
load_found (Job *job, GError **error)
{
  const LoomLoadOptions *options = job->options;
  g_autoptr (LoomRun) notes = loom_run_new (NULL, 0);
  g_autoptr (GPtrArray) candidates = choose_candidates (job, notes);
  g_autoptr (GPtrArray) units = loom_load_groups_new (candidates, notes, job->progress),
                        members = loom_load_candidates_list_members (candidates);
  g_autoptr (LoomStepFolders) steps = loom_importer_step_folders_new (members, TRUE);
  /* Files that had not been examined before a cancellation belong to no unit. Without this check, the function would
   * return an incomplete run without an error. */
  if (set_cancelled (job->progress, error))
    return NULL;
  g_autoptr (LoomLoadIncremental) known = loom_load_incremental_new (options->known);
  g_autoptr (GPtrArray) gone = loom_load_incremental_list_gone (known, candidates);
  job->steps = steps;
  job->known = known;
  load_all (job, units, candidates);
  return collect (units, gone, options->edits, notes, error);
}

LoomRun *
loom_load_paths (const char *const *paths, const LoomLoadOptions *options, LoomProgress *progress, LoomTraceReady ready,
                 gpointer user_data, GError **error)
{
  static const LoomLoadOptions defaults;
  options = options != NULL ? options : &defaults;
  Job job = { .options = options,
              .progress = progress,
              .ready = ready,
              .user_data = user_data,
              .piece_bytes = piece_bytes_of (options) };
  g_autoptr (GRegex) rank_from = NULL;
  if (options->rank_from != NULL) {
    rank_from = loom_regex_new (options->rank_from, 0, error);
    if (rank_from == NULL)
      return NULL;
    job.rank_from = rank_from;
  }
  g_autoptr (LoomFileDiscovery) found =
    loom_file_discovery_run (paths, options->suffixes, loom_progress_get_cancellable (progress));
  if (set_cancelled (progress, error) || is_hopeless (paths, found, options->places, error))
    return NULL;
  job.found = found;
  return load_found (&job, error);
}
