/* SPDX-License-Identifier: Apache-2.0
 *
 * Imports merged timelines of smdebug (MergedTimeline in smdebug/profiler/analysis/utils/merge_timelines.py) and of
 * Traceloom (layout in export/loom-trace-export.h). Restores the processes, nodes and names that the merged traces had
 * before the merge.
 */
#include "loom-chrome-importer.h"
#include "loom-track-rank.h"

#include "loom-chrome-track-cache.h"
#include "loom-system-metric-key.h"

#include <glib/gi18n.h>
#include <string.h>

/* --- nodes in merged files of smdebug ----------------------------------------------------------------------------- */

typedef struct {
  char *node;
  gint rank;
} Writer;

/* Returns the end of the node id in the label of a thread: the "_" after "-<number>" or, if the label has no
 * "-<number>_", the last "_". The first "_" is not used, because the name of a node or thread may contain "_". */
static const char *
find_node_end (const char *label)
{
  for (const char *at = strchr (label, '_'); at != NULL; at = strchr (at + 1, '_')) {
    const char *digits = at;
    while (digits > label && g_ascii_isdigit (digits[-1]))
      digits--;
    if (digits < at && digits > label + 1 && digits[-1] == '-')
      return at;
  }
  return strrchr (label, '_');
}

/* Splits the label of a thread, such as "algo-1-151_4487", into the node ("algo-1") and the number that smdebug uses as
 * the rank of the node (151). */
static gboolean
split_label (const char *label, Writer *writer)
{
  const char *end = label != NULL ? find_node_end (label) : NULL;
  if (end == NULL || end == label)
    return FALSE;
  writer->node = g_strndup (label, (gsize) (end - label));
  writer->rank = -1;
  char *dash = strrchr (writer->node, '-');
  gint64 rank;
  if (dash != NULL && dash != writer->node && loom_parse_time_parse_int (dash + 1, strlen (dash + 1), &rank) &&
      rank >= 0 && rank <= G_MAXINT) {
    writer->rank = (gint) rank;
    *dash = '\0';
  }
  return TRUE;
}

/* Returns the process of a phase (such as “Forward”) on one node. In the file, a phase has the same pid for all
 * nodes. */
static guint32
process_on (LoomChromeImporter *chrome, guint32 phase, const Writer *writer)
{
  LoomTraceBuilder *builder = chrome->builder;
  g_autofree char *key =
    g_strdup_printf ("%s %s %d", loom_trace_builder_process_get_key (builder, phase), writer->node, writer->rank);
  guint32 process = loom_trace_builder_process (builder, chrome->source, key, strlen (key));
  loom_trace_builder_process_copy (builder, process, phase);
  loom_trace_builder_process_set_place (builder, process, writer->node, writer->rank);
  return process;
}

/* Moves threads so that there is a separate process for each node. The label of a thread states its node. */
static void
spread_over_nodes (LoomChromeImporter *chrome, guint32 first_thread)
{
  LoomTraceBuilder *builder = chrome->builder;
  for (guint32 i = first_thread; i < loom_trace_builder_get_n_threads (builder); i++) {
    Writer writer;
    if (!split_label (loom_trace_builder_thread_get_label (builder, i), &writer))
      continue;
    loom_trace_builder_thread_set_process (
      builder, i, process_on (chrome, loom_trace_builder_thread_get_process (builder, i), &writer));
    g_free (writer.node);
  }
}

/* --- counters in merged files of smdebug -------------------------------------------------------------------------- */

#define SYSTEM_PHASE "sys_metrics"
#define VALUE "value" /* the only args member of smdebug's counter events */

/* Returns the series to which a file of system metrics would add the values of the counter with this name. Returns
 * LOOM_ID_NONE if the name is not that of a system metric; such a counter must be kept. */
static guint32
series_of_key (LoomChromeImporter *chrome, guint32 phase, const char *text)
{
  LoomTraceBuilder *builder = chrome->builder;
  LoomSystemMetricKey key;
  if (!loom_system_metric_key_split (text, &key))
    return LOOM_ID_NONE;
  Writer writer = { key.node, -1 };
  guint32 process = process_on (chrome, phase, &writer);
  guint32 counter = loom_trace_builder_counter (builder, process, "", 0, key.name, strlen (key.name), "", 0);
  guint32 series = loom_trace_builder_series (builder, counter, key.dimension, strlen (key.dimension));
  loom_trace_builder_series_set_unit (builder, series, loom_system_metric_key_unit (key.name, key.dimension));
  loom_system_metric_key_clear (&key);
  return series;
}

/* Returns the set of the counters that have an event with other args than "value". Owned by the caller. */
static GHashTable *
find_rich_counters (LoomTraceBuilder *builder, guint32 first_series)
{
  GHashTable *rich = g_hash_table_new (NULL, NULL);
  for (guint32 i = first_series; i < loom_trace_builder_get_n_series (builder); i++)
    if (strcmp (loom_trace_builder_series_get_name (builder, i), VALUE) != 0)
      g_hash_table_add (rich, GUINT_TO_POINTER (loom_trace_builder_series_get_counter (builder, i)));
  return rich;
}

static void
name_counters (LoomChromeImporter *chrome, guint32 first_series)
{
  LoomTraceBuilder *builder = chrome->builder;
  guint32 n = loom_trace_builder_get_n_series (builder);
  g_autoptr (GHashTable) rich = find_rich_counters (builder, first_series);
  for (guint32 i = first_series; i < n; i++) {
    guint32 counter = loom_trace_builder_series_get_counter (builder, i),
            phase = loom_trace_builder_counter_get_process (builder, counter);
    if (g_hash_table_contains (rich, GUINT_TO_POINTER (counter)) ||
        g_strcmp0 (loom_trace_builder_process_get_label (builder, phase), SYSTEM_PHASE) != 0)
      continue;
    guint32 named = series_of_key (chrome, phase, loom_trace_builder_counter_get_name (builder, counter));
    if (named != LOOM_ID_NONE && named != i)
      loom_trace_builder_series_take_samples (builder, named, i);
  }
}

/* --- reading a merged file of smdebug ----------------------------------------------------------------------------- */

/* Numbers of threads and of series that the builder had before this file was read. */
typedef struct {
  guint32 n_threads, n_series;
} Before;

static void
finish_smdebug (LoomChromeImporter *chrome, LoomStreamReader *reader)
{
  const Before *before = chrome->data;
  spread_over_nodes (chrome, before->n_threads);
  name_counters (chrome, before->n_series);
  if (chrome->n_timed > 0 && loom_chrome_importer_is_absolute (chrome))
    loom_chrome_importer_set_clock (chrome, LOOM_CLOCK_EXACT, N_ ("microseconds since 1970"), 0);
}

gboolean
loom_importer_smdebug_merged (LoomImporter *import, GError **error)
{
  for (guint i = 0; i < import->n_files; i++) {
    Before before = { loom_trace_builder_get_n_threads (import->builder),
                      loom_trace_builder_get_n_series (import->builder) };
    LoomChromeImporterJob job = { .format = "smdebug-merged",
                                  .data = &before,
                                  .clock = G_MAXUINT,
                                  .splittable = TRUE,
                                  .keeps_places = TRUE,
                                  .finish = finish_smdebug };
    if (!loom_chrome_importer_read (import, import->files[i], &job, error))
      return FALSE;
  }
  return TRUE;
}

/* --- reading Traceloom's own merged files ------------------------------------------------------------------------- */

typedef struct {
  gboolean anchored;
  gint64 origin_ns;
  char *state;
  char *basis;
  GHashTable *processes; /* pid in the merged file → Place, which describes the process before the merge */
  GHashTable *keys;      /* set of the process keys that are in use */
} Own;

/* The keys that a pid of the merged file and its tids had before the merge. Keys are stored instead of ids of processes
 * and threads, because several builders read pieces of the file at the same time and assign different ids. */
typedef struct {
  char *process;
  gboolean is_named;   /* the member "traceloom" at the beginning of the file states the name of the process */
  GHashTable *threads; /* tid as it is written in the merged file → key that the thread had before the merge */
} Place;

static void
place_free (gpointer data)
{
  Place *place = data;
  g_free (place->process);
  g_hash_table_unref (place->threads);
  g_free (place);
}

static guint
flags_of (LoomJsonSlice list)
{
  static const struct {
    const char *word;
    guint flag;
  } words[] = {
    { "\"derived\"", LOOM_TRACK_DERIVED },     { "\"collapsed\"", LOOM_TRACK_COLLAPSED },
    { "\"no-extent\"", LOOM_TRACK_NO_EXTENT }, { "\"device\"", LOOM_TRACK_DEVICE },
    { "\"global\"", LOOM_TRACK_GLOBAL },
  };
  LoomJsonIter iter;
  LoomJsonSlice key, value;
  guint flags = 0;
  if (!loom_json_slice_iter_init (&iter, list))
    return 0;
  while (loom_json_slice_iter_next (&iter, &key, &value))
    for (guint i = 0; i < G_N_ELEMENTS (words); i++)
      if (loom_json_slice_equal (value, words[i].word))
        flags |= words[i].flag;
  return flags;
}

static char *
text_member (LoomJsonSlice object, const char *key)
{
  LoomJsonSlice value = loom_json_slice_member (object, key);
  return loom_json_slice_is_string (value) ? loom_json_slice_dup_decoded (value) : NULL;
}

/* Returns the pid or tid before the merge, which the member "key" of `object` states. Returns `id` if this member is
 * absent, because the merge did not change the id. */
static char *
first_key (LoomJsonSlice object, LoomJsonSlice id)
{
  char *key = text_member (object, "key");
  return key != NULL ? key : g_strndup (id.text, id.length);
}

static void
take_threads (LoomChromeImporter *chrome, guint32 process, Place *place, LoomJsonSlice threads)
{
  LoomJsonIter iter;
  LoomJsonSlice none, object;
  if (!loom_json_slice_iter_init (&iter, threads))
    return;
  while (loom_json_slice_iter_next (&iter, &none, &object)) {
    LoomJsonSlice tid = loom_json_slice_member (object, "tid");
    if (tid.text == NULL)
      continue;
    char *key = first_key (object, tid);
    guint32 thread = loom_trace_builder_thread (chrome->builder, process, key, strlen (key));
    loom_trace_builder_thread_add_flags (chrome->builder, thread, flags_of (loom_json_slice_member (object, "flags")));
    g_hash_table_insert (place->threads, g_strndup (tid.text, tid.length), key);
  }
}

/* Returns a unique key for a process: its pid before the merge. If another process of the file already has this key,
 * appends the number of the source. If the loaded trace is exported again, the new file states these unique keys as the
 * pids before the merge, so nothing is appended when the new file is read. */
static const char *
own_key (LoomChromeImporter *chrome, LoomJsonSlice object, LoomJsonSlice pid)
{
  Own *own = chrome->data;
  LoomJsonSlice source = loom_json_slice_member (object, "source");
  char *key = first_key (object, pid);
  if (g_hash_table_contains (own->keys, key)) {
    char *unique = g_strdup_printf ("%s\n%.*s", key, (int) source.length, source.text != NULL ? source.text : "");
    g_free (key);
    key = unique;
  }
  g_hash_table_add (own->keys, key);
  return key;
}

/* Returns a table: number of each merged file → the object about it in the list "clocks". The objects are slices of the
 * text of `clocks`. */
static GHashTable *
index_files (LoomJsonSlice clocks)
{
  GHashTable *files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  LoomJsonIter iter;
  LoomJsonSlice none, file;
  if (!loom_json_slice_iter_init (&iter, clocks))
    return files;
  while (loom_json_slice_iter_next (&iter, &none, &file)) {
    LoomJsonSlice number = loom_json_slice_member (file, "source");
    if (number.text != NULL)
      g_hash_table_insert (files, g_strndup (number.text, number.length), g_memdup2 (&file, sizeof file));
  }
  return files;
}

/* Sets the path and format of the file in which the process was recorded. `object` contains either the number of this
 * file among the merged files, or, if the process comes from an earlier merge, the path and format. */
static void
take_recorder (LoomChromeImporter *chrome, guint32 process, LoomJsonSlice object, GHashTable *files)
{
  LoomJsonSlice number = loom_json_slice_member (object, "source");
  g_autofree char *literal = g_strndup (number.text, number.length);
  const LoomJsonSlice *file = literal != NULL ? g_hash_table_lookup (files, literal) : NULL;
  if (file == NULL || loom_json_slice_member (object, "format").text != NULL)
    file = &object;
  g_autofree char *path = text_member (*file, "path"), *format = text_member (*file, "format");
  loom_trace_builder_process_set_recorder (chrome->builder, process, path, format);
}

static void
take_processes (LoomChromeImporter *chrome, LoomJsonSlice processes, GHashTable *files)
{
  Own *own = chrome->data;
  LoomJsonIter iter;
  LoomJsonSlice none, object;
  if (!loom_json_slice_iter_init (&iter, processes))
    return;
  while (loom_json_slice_iter_next (&iter, &none, &object)) {
    LoomJsonSlice pid = loom_json_slice_member (object, "pid"), rank = loom_json_slice_member (object, "rank");
    gint64 number = -1;
    if (pid.text == NULL)
      continue;
    LoomJsonSlice process_id = loom_json_slice_member (object, "process_id");
    gboolean is_process = process_id.text != NULL &&
                          loom_parse_time_parse_int (process_id.text, process_id.length, &number) && number <= G_MAXINT;
    if (!is_process && (rank.text == NULL || !loom_parse_time_parse_int (rank.text, rank.length, &number)))
      number = -1;
    Place *place = g_new0 (Place, 1);
    g_autofree char *node = text_member (object, "node");
    place->process = g_strdup (own_key (chrome, object, pid));
    place->threads = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    guint32 process =
      loom_trace_builder_process (chrome->builder, chrome->source, place->process, strlen (place->process));
    loom_trace_builder_process_set_place (chrome->builder, process, node, (gint) number);
    loom_trace_builder_process_add_flags (chrome->builder, process,
                                          flags_of (loom_json_slice_member (object, "flags")) |
                                            (is_process ? LOOM_TRACK_PROCESS_ID : 0));
    g_autofree char *label = text_member (object, "name");
    if (label != NULL)
      loom_trace_builder_process_set_label (chrome->builder, process, label);
    place->is_named = label != NULL;
    take_recorder (chrome, process, object, files);
    take_threads (chrome, process, place, loom_json_slice_member (object, "threads"));
    g_hash_table_insert (own->processes, g_strndup (pid.text, pid.length), place);
  }
}

/* Sets the unit of a counter series, because the events of a counter do not state it. */
static void
take_unit (LoomChromeImporter *chrome, LoomJsonSlice object)
{
  const Own *own = chrome->data;
  LoomJsonSlice pid = loom_json_slice_member (object, "pid");
  g_autofree char *literal = g_strndup (pid.text, pid.length);
  const Place *place = literal != NULL ? g_hash_table_lookup (own->processes, literal) : NULL;
  g_autofree char *category = text_member (object, "category"), *name = text_member (object, "name"),
                  *id = text_member (object, "id"), *series = text_member (object, "series"),
                  *unit = text_member (object, "unit");
  if (place == NULL || category == NULL || name == NULL || id == NULL || series == NULL || unit == NULL)
    return;
  guint32 process =
    loom_trace_builder_process (chrome->builder, chrome->source, place->process, strlen (place->process));
  guint32 counter = loom_trace_builder_counter (chrome->builder, process, category, strlen (category), name,
                                                strlen (name), id, strlen (id));
  guint32 number = loom_trace_builder_series (chrome->builder, counter, series, strlen (series));
  loom_trace_builder_series_set_unit (chrome->builder, number, unit);
}

static void
take_units (LoomChromeImporter *chrome, LoomJsonSlice units)
{
  LoomJsonIter iter;
  LoomJsonSlice none, object;
  if (!loom_json_slice_iter_init (&iter, units))
    return;
  while (loom_json_slice_iter_next (&iter, &none, &object))
    take_unit (chrome, object);
}

/* `losses` describes data that was lost or skipped when the file was merged, such as events of a damaged input file.
 * Adds these descriptions to the log of the source. The user must know that this data is missing, and the merged file
 * itself is not damaged, so nothing else would show it. */
static void
take_losses (LoomChromeImporter *chrome, LoomJsonSlice losses)
{
  LoomJsonIter iter;
  LoomJsonSlice none, object;
  if (!loom_json_slice_iter_init (&iter, losses))
    return;
  while (loom_json_slice_iter_next (&iter, &none, &object)) {
    g_autofree char *file = text_member (object, "file"), *code = text_member (object, "code"),
                    *message = text_member (object, "message");
    loom_importer_log_merged_loss (chrome->info, file, code, message);
  }
}

/* Sets the uncertainty of the source's clock to the largest uncertainty that the file states for the clock of a merged
 * file. */
static void
take_merged_clocks (LoomSource *source, LoomJsonSlice clocks)
{
  LoomJsonIter iter;
  LoomJsonSlice none, object;
  source->is_merged = TRUE;
  if (!loom_json_slice_iter_init (&iter, clocks))
    return;
  while (loom_json_slice_iter_next (&iter, &none, &object)) {
    LoomJsonSlice error = loom_json_slice_member (object, "error_ns");
    gint64 error_ns;
    if (error.text != NULL && loom_parse_time_parse_int (error.text, error.length, &error_ns))
      source->merged_error_ns = MAX (source->merged_error_ns, error_ns);
  }
}

static void
on_member (LoomChromeImporter *chrome, LoomJsonSlice key, LoomJsonSlice value)
{
  Own *own = chrome->data;
  LoomJsonSlice ours = loom_json_slice_equal (key, "\"otherData\"") ? loom_json_slice_member (value, "traceloom")
                                                                    : (LoomJsonSlice) { NULL, 0 };
  if (ours.text == NULL)
    return;
  LoomJsonSlice origin = loom_json_slice_member (ours, "origin_ns"),
                anchored = loom_json_slice_member (ours, "anchored");
  if (origin.text != NULL && loom_parse_time_parse_int (origin.text, origin.length, &own->origin_ns))
    chrome->base_ns = own->origin_ns;
  own->anchored = loom_json_slice_equal (anchored, "true");
  g_free (own->state);
  g_free (own->basis);
  own->state = text_member (ours, "state");
  own->basis = text_member (ours, "basis");
  take_losses (chrome, loom_json_slice_member (ours, "incomplete"));
  take_merged_clocks (chrome->info, loom_json_slice_member (ours, "clocks"));
  g_autoptr (GHashTable) files = index_files (loom_json_slice_member (ours, "clocks"));
  take_processes (chrome, loom_json_slice_member (ours, "processes"), files);
  take_units (chrome, loom_json_slice_member (ours, "units"));
}

static void
on_place (LoomChromeImporter *chrome, const LoomEvent *event, guint32 *process, guint32 *thread)
{
  Own *own = chrome->data;
  if (loom_chrome_track_cache_find (chrome->lanes, event->member[LOOM_MEMBER_PID], event->member[LOOM_MEMBER_TID],
                                    process, thread))
    return;
  LoomJsonSlice pid = loom_chrome_importer_id_key (event->member[LOOM_MEMBER_PID]),
                tid = loom_chrome_importer_id_key (event->member[LOOM_MEMBER_TID]);
  g_autofree char *pid_text = g_strndup (pid.text, pid.length), *tid_text = g_strndup (tid.text, tid.length);
  Place *place = g_hash_table_lookup (own->processes, pid_text);
  if (place == NULL) {
    loom_chrome_importer_place_by_ids (chrome, event, process, thread);
    return;
  }
  const char *key = g_hash_table_lookup (place->threads, tid_text);
  *process = loom_trace_builder_process (chrome->builder, chrome->source, place->process, strlen (place->process));
  *thread = loom_trace_builder_thread (chrome->builder, *process, key != NULL ? key : tid_text,
                                       key != NULL ? strlen (key) : tid.length);
  loom_chrome_track_cache_add (chrome->lanes, event->member[LOOM_MEMBER_PID], event->member[LOOM_MEMBER_TID], *process,
                               *thread);
}

/* Returns TRUE if a label of a process is one that Traceloom's export writes only for other programs: "rank …" or "node
 * …". Traceloom itself reads the rank and the node from the member "traceloom" at the beginning of the file. */
static gboolean
is_place (LoomChromeImporter *chrome, LoomJsonSlice name, LoomJsonSlice args)
{
  gint64 rank;
  if (!loom_json_slice_equal (name, "\"process_labels\""))
    return FALSE;
  const char *label = loom_chrome_importer_text (chrome, loom_json_slice_member (args, "labels"));
  return g_str_has_prefix (label, "node ") ||
         (g_str_has_prefix (label, "rank ") && loom_parse_time_parse_int (label + 5, strcspn (label + 5, ","), &rank));
}

/* Returns TRUE if the beginning of the file states the name of the process. In this case, the name in the metadata
 * event is ignored, because Traceloom's export has put the rank in front of it for other programs. */
static gboolean
is_named_in_head (LoomChromeImporter *chrome, LoomJsonSlice pid)
{
  const Own *own = chrome->data;
  LoomJsonSlice id = loom_chrome_importer_id_key (pid);
  g_autofree char *text = g_strndup (id.text, id.length);
  const Place *place = g_hash_table_lookup (own->processes, text);
  return place != NULL && place->is_named;
}

static gboolean
on_metadata (LoomChromeImporter *chrome, const LoomEvent *event)
{
  LoomJsonSlice name = event->member[LOOM_MEMBER_NAME], args = event->member[LOOM_MEMBER_ARGS];
  LoomJsonSlice index = loom_json_slice_member (args, "sort_index");
  guint32 process, thread;
  gint64 sort;
  on_place (chrome, event, &process, &thread);
  if (is_place (chrome, name, args))
    return TRUE;
  if (loom_json_slice_equal (name, "\"process_name\"")) {
    if (!is_named_in_head (chrome, event->member[LOOM_MEMBER_PID]))
      loom_trace_builder_process_set_label (chrome->builder, process,
                                            loom_chrome_importer_text (chrome, loom_json_slice_member (args, "name")));
  } else if (loom_json_slice_equal (name, "\"thread_name\""))
    loom_trace_builder_thread_set_label (chrome->builder, thread,
                                         loom_chrome_importer_text (chrome, loom_json_slice_member (args, "name")));
  else if (index.text == NULL || !loom_parse_time_parse_int (index.text, index.length, &sort))
    return FALSE;
  else if (loom_json_slice_equal (name, "\"process_sort_index\""))
    loom_trace_builder_process_set_sort (chrome->builder, process, sort);
  else if (loom_json_slice_equal (name, "\"thread_sort_index\""))
    loom_trace_builder_thread_set_sort (chrome->builder, thread, sort);
  return TRUE;
}

void
loom_chrome_importer_adjust_marked (LoomChromeImporter *chrome, const LoomEvent *event, gint64 *start_ns,
                                    gint64 *dur_ns, guint *flags)
{
  LoomJsonSlice text = event->text;
  gsize look = MIN (text.length, 40);
  const char *mark = g_strstr_len (text.text + text.length - look, (gssize) look, "\"traceloom\":\"");
  if (mark == NULL)
    return;
  gssize left = text.text + text.length - mark;
  if (g_strstr_len (mark, left, "open") != NULL)
    *flags |= LOOM_REF_OPEN;
  if (g_strstr_len (mark, left, "suspect") != NULL)
    *flags |= LOOM_REF_SUSPECT;
}

/* Returns the name of a counter before the merge, from the member "traceloom_name"; a slice with text NULL if this
 * member is absent. Traceloom's export splits a counter whose events have different series into several counters with
 * other names. */
static LoomJsonSlice
first_counter_name (const LoomEvent *event)
{
  LoomJsonSlice name = loom_json_slice_member (event->text, "traceloom_name");
  return loom_json_slice_is_string (name) ? name : (LoomJsonSlice) { NULL, 0 };
}

static void
finish_own (LoomChromeImporter *chrome, LoomStreamReader *reader)
{
  const Own *own = chrome->data;
  LoomClockState state = LOOM_CLOCK_NONE;
  for (int i = LOOM_CLOCK_NONE; own->anchored && i <= LOOM_CLOCK_EXACT; i++)
    if (g_strcmp0 (own->state, loom_declared_clock_state_to_string (i)) == 0)
      state = i;
  loom_chrome_importer_set_clock (chrome, state, own->basis != NULL ? own->basis : "merged", own->origin_ns);
}

gboolean
loom_importer_traceloom (LoomImporter *import, GError **error)
{
  static const LoomChromeImporterHooks hooks = { .metadata = on_metadata,
                                                 .place = on_place,
                                                 .adjust = loom_chrome_importer_adjust_marked,
                                                 .member = on_member,
                                                 .counter_name = first_counter_name };
  for (guint i = 0; i < import->n_files; i++) {
    Own own = { .processes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, place_free),
                .keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) };
    LoomChromeImporterJob job = { .format = "traceloom",
                                  .hooks = &hooks,
                                  .data = &own,
                                  .clock = G_MAXUINT,
                                  .splittable = TRUE,
                                  .keeps_places = TRUE,
                                  .finish = finish_own };
    gboolean good = loom_chrome_importer_read (import, import->files[i], &job, error);
    g_hash_table_unref (own.processes);
    g_hash_table_unref (own.keys);
    g_free (own.state);
    g_free (own.basis);
    if (!good)
      return FALSE;
  }
  return TRUE;
}
