/* SPDX-License-Identifier: Apache-2.0
 *
 * Imports traces of MosaicML Composer's profiler: files of one rank, and merged files. All files of a rank are imported
 * together, in the order of their profiling cycles.
 */
#include "loom-chrome-importer.h"

#include "loom-regex.h"
#include "loom-sniff.h"

#include <glib/gi18n.h>
#include <string.h>

#define TRIMESTER_NS (G_GINT64_CONSTANT (7889238) * LOOM_NS_PER_S)

typedef struct {
  guint index; /* index of this file among the files that are imported together */
  const char *path;
  GHashTable *ranks; /* set of the values of global_rank in the file */
  gint rank;         /* first value of global_rank in the file; −1: the file has none */
  gboolean has_sync;
  gint64 sync_ns;
  gint64 error_ns;
  gint64 wall_ns; /* latest time of the wall clock that an event has stated so far; 0: none yet */
  gboolean repaired;
  /* latest time of those events of torch that precede the first reading of the wall clock in the file; they are
   * converted after the whole file has been read; −1: there are none */
  gint64 loose_ns;
  /* The next members are used in a piece of the file (a range that a separate thread reads) until the piece contains a
   * reading of the wall clock: */
  gboolean wall_assumed;
  gint64 began_ns; /* the reading of the wall clock that is assumed to be the latest one before the piece */
  /* TRUE: an event of this piece is converted differently if the text before the piece contains no reading of the wall
   * clock */
  gboolean asked_if_known;
  gint64 least_ns, most_ns; /* `least_ns`, `most_ns`: earliest and latest time of those events of torch that were
                             * converted with `began_ns` */
  /* tid in the file → id + 1 of the thread with this tid in the previous file of the rank */
  GHashTable *last_threads;
  guint32 first_thread; /* number, in the builder, of the first thread from this file */
} Composer;

static gboolean
is_device_category (LoomJsonSlice cat)
{
  static const char *const known[] = { "\"kernel\"",    "\"gpu_memcpy\"", "\"gpu_memset\"", "\"gpu_user_annotation\"",
                                       "\"cuda_sync\"", "\"cuda_event\"" };
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (cat.text[1] == known[i][1] && loom_json_slice_equal (cat, known[i]))
      return TRUE;
  return FALSE;
}

/* A temporary process contains the flow events at the ends of launches: such events state their stream but not their
 * device, which is known only after the whole file has been read. The key of the process ends with this text. */
#define WAITING " launched"

static gboolean
is_launched (const LoomEvent *event)
{
  LoomJsonSlice cat = event->member[LOOM_MEMBER_CAT];
  return loom_event_phase (event) == 'f' &&
         (loom_json_slice_equal (cat, "\"ac2g\"") || loom_json_slice_equal (cat, "\"async_cpu_to_gpu\""));
}

static void
place_launched (LoomChromeImporter *chrome, const LoomEvent *event, guint32 *process, guint32 *thread)
{
  LoomJsonSlice pid = loom_chrome_importer_id_key (event->member[LOOM_MEMBER_PID]),
                tid = loom_chrome_importer_id_key (event->member[LOOM_MEMBER_TID]);
  g_autofree char *key = g_strdup_printf ("%.*s" WAITING, (int) pid.length, pid.text);
  *process = loom_trace_builder_process (chrome->builder, chrome->source, key, strlen (key));
  *thread = loom_trace_builder_thread (chrome->builder, *process, tid.text, tid.length);
}

/* Sets the process and thread of an event. In Composer files, the events of torch have the same pid on threads and on
 * streams of a GPU; here, streams get a process of their own. */
static void
on_place (LoomChromeImporter *chrome, const LoomEvent *event, guint32 *process, guint32 *thread)
{
  LoomJsonSlice cat = event->member[LOOM_MEMBER_CAT], args = event->member[LOOM_MEMBER_ARGS];
  if (cat.length >= 6 && is_launched (event)) {
    place_launched (chrome, event, process, thread);
    return;
  }
  if (cat.length < 8 || !is_device_category (cat)) {
    loom_chrome_importer_place_by_ids (chrome, event, process, thread);
    return;
  }
  LoomJsonSlice pid = loom_chrome_importer_id_key (event->member[LOOM_MEMBER_PID]);
  LoomJsonSlice device = loom_json_slice_member (args, "device"), stream = loom_json_slice_member (args, "stream");
  if (stream.text == NULL)
    stream = loom_chrome_importer_id_key (event->member[LOOM_MEMBER_TID]);
  g_autofree char *key = g_strdup_printf ("%.*s gpu%.*s", (int) pid.length, pid.text, (int) device.length,
                                          device.text != NULL ? device.text : "");
  *process = loom_trace_builder_process (chrome->builder, chrome->source, key, strlen (key));
  if (loom_trace_builder_process_get_label (chrome->builder, *process) == NULL) {
    g_autofree char *label =
      g_strdup_printf ("GPU %s", device.text != NULL ? loom_chrome_importer_text (chrome, device) : "");
    loom_trace_builder_process_set_label (chrome->builder, *process, g_strchomp (label));
    loom_trace_builder_process_add_flags (chrome->builder, *process, LOOM_TRACK_DEVICE);
  }
  *thread = loom_trace_builder_thread (chrome->builder, *process, stream.text, stream.length);
}

static void
set_wall (Composer *composer, gint64 wall_ns)
{
  composer->wall_ns = wall_ns;
  composer->wall_assumed = FALSE;
}

static void
take_rank (LoomChromeImporter *chrome, const LoomEvent *event, LoomJsonSlice value)
{
  Composer *composer = chrome->data;
  LoomJsonSlice ts = event->member[LOOM_MEMBER_TS];
  LoomExactTime wall;
  gint64 rank;
  guint32 process, thread;
  if (!loom_parse_time_parse_int (value.text, value.length, &rank) || rank < 0 || rank > G_MAXINT)
    return;
  g_hash_table_add (composer->ranks, GINT_TO_POINTER ((gint) rank));
  if (composer->rank < 0)
    composer->rank = (gint) rank;
  composer->asked_if_known |= composer->wall_assumed;
  if (composer->wall_ns == 0 && ts.text != NULL && loom_parse_time_parse_us (ts.text, ts.length, &wall))
    set_wall (composer, wall.ns);
  loom_chrome_importer_place_by_ids (chrome, event, &process, &thread);
  loom_trace_builder_process_set_place (chrome->builder, process, NULL, (gint) rank);
}

static void
take_sync (Composer *composer, LoomJsonSlice value)
{
  LoomExactTime time;
  if (composer->has_sync || !loom_parse_time_parse_us (value.text, value.length, &time))
    return;
  composer->has_sync = TRUE;
  composer->sync_ns = time.ns;
}

static gboolean
on_metadata (LoomChromeImporter *chrome, const LoomEvent *event)
{
  Composer *composer = chrome->data;
  LoomJsonSlice name = event->member[LOOM_MEMBER_NAME];
  LoomJsonSlice value = loom_json_slice_member (event->member[LOOM_MEMBER_ARGS], "value");
  LoomExactTime time;
  if (loom_json_slice_equal (name, "\"global_rank\"") && value.text != NULL) {
    take_rank (chrome, event, value);
  } else if (loom_json_slice_equal (name, "\"clock_sync_timestamp_us\"") && value.text != NULL) {
    take_sync (composer, value);
  } else if (loom_json_slice_equal (name, "\"clock_sync_error_bound\"") && value.text != NULL) {
    if (composer->error_ns < 0 && loom_parse_time_parse_us (value.text, value.length, &time))
      composer->error_ns = time.ns;
  }
  return FALSE; /* returns FALSE, so that the caller also adds the metadata to LoomSource.facts */
}

static void
on_member (LoomChromeImporter *chrome, LoomJsonSlice key, LoomJsonSlice value)
{
  Composer *composer = chrome->data;
  gint64 rank;
  if (loom_json_slice_equal (key, "\"global_rank\"") && loom_parse_time_parse_int (value.text, value.length, &rank)) {
    g_hash_table_add (composer->ranks, GINT_TO_POINTER ((gint) rank));
    composer->rank = composer->rank < 0 ? (gint) rank : composer->rank;
  }
  if (loom_json_slice_equal (key, "\"clock_sync_timestamp_us\""))
    take_sync (composer, value);
}

/* Returns the time from which `start_ns` counts: the beginning of a quarter of a year, in ns since 1970. `wall_ns`:
 * latest reading of the wall clock. Returns 0 if `wall_ns` is not plausible. */
static gint64
base_for (gint64 wall_ns, gint64 start_ns)
{
  if (wall_ns < LOOM_TIME_PLAUSIBLE_MIN)
    return 0;
  gint64 base_ns = wall_ns - wall_ns % TRIMESTER_NS;
  gboolean is_late = loom_time_add (base_ns, start_ns) > loom_time_add (wall_ns, 24 * 3600 * LOOM_NS_PER_S);
  return is_late ? base_ns - TRIMESTER_NS : base_ns;
}

static void
note_base (LoomChromeImporter *chrome, guint64 offset)
{
  ((Composer *) chrome->data)->repaired = TRUE;
  loom_import_log_add (chrome->info->log, LOOM_SEVERITY_WARNING, "torch-base", offset,
                       "Torch events lost their base time when they were merged; it was computed again");
}

/* Converts times of torch's events, which count from the beginning of a quarter of a year, to times since 1970.
 * Composer's own events count from 1970 already. */
static void
on_adjust (LoomChromeImporter *chrome, const LoomEvent *event, gint64 *start_ns, gint64 *dur_ns, guint *flags)
{
  Composer *composer = chrome->data;
  if (*start_ns >= LOOM_TIME_PLAUSIBLE_MIN && *start_ns < LOOM_TIME_PLAUSIBLE_MAX)
    set_wall (composer, *start_ns);
  if (*start_ns >= TRIMESTER_NS || *start_ns < 0 || event->member[LOOM_MEMBER_CAT].text == NULL)
    return;
  if (composer->wall_assumed) {
    composer->least_ns = MIN (composer->least_ns, *start_ns);
    composer->most_ns = MAX (composer->most_ns, *start_ns);
  }
  gint64 base_ns = base_for (composer->wall_ns, *start_ns);
  if (base_ns == 0) {
    composer->loose_ns = MAX (composer->loose_ns, *start_ns);
    return;
  }
  *start_ns = loom_time_add (*start_ns, base_ns);
  note_base (chrome, event->offset);
}

/* Converts the times of those events of torch that precede the first reading of the wall clock in the file. */
static void
settle_loose (LoomChromeImporter *chrome)
{
  const Composer *composer = chrome->data;
  gint64 base_ns = composer->loose_ns >= 0 ? base_for (composer->wall_ns, composer->loose_ns) : 0;
  if (base_ns == 0)
    return;
  loom_trace_builder_shift_source (chrome->builder, chrome->source, base_ns);
  note_base (chrome, LOOM_OFFSET_NONE);
}

/* --- reading pieces of a file ahead ------------------------------------------------------------------------------ */

static gpointer
fork_piece (const LoomChromeImporter *whole)
{
  const Composer *composer = whole->data;
  Composer *piece = g_new (Composer, 1);
  *piece = *composer;
  piece->ranks = g_hash_table_new (NULL, NULL);
  piece->wall_assumed = TRUE;
  piece->began_ns = composer->wall_ns;
  piece->least_ns = G_MAXINT64;
  piece->most_ns = G_MININT64;
  piece->loose_ns = -1;
  return piece;
}

static gboolean
piece_fits (const LoomChromeImporter *whole, const LoomChromeImporter *chrome)
{
  const Composer *composer = whole->data, *piece = chrome->data;
  gint64 found_ns = composer->wall_ns, assumed_ns = piece->began_ns, least_ns = piece->least_ns,
         most_ns = piece->most_ns;
  if (piece->asked_if_known && (found_ns == 0) != (assumed_ns == 0))
    return FALSE;
  if (least_ns > most_ns || found_ns == assumed_ns)
    return TRUE;
  /* The piece was read with the assumed reading of the wall clock, `assumed_ns`; the real one is `found_ns`. The piece
   * can be used if both give the same base time (base_for()) for all times from least_ns to most_ns. */
  gint64 base_ns = base_for (assumed_ns, least_ns);
  return base_for (assumed_ns, most_ns) == base_ns && base_for (found_ns, least_ns) == base_ns &&
         base_for (found_ns, most_ns) == base_ns;
}

static void
pass_on (const LoomChromeImporter *chrome, LoomChromeImporter *whole)
{
  Composer *composer = whole->data;
  const Composer *piece = chrome->data;
  GHashTableIter iter;
  gpointer rank;
  g_hash_table_iter_init (&iter, piece->ranks);
  while (g_hash_table_iter_next (&iter, &rank, NULL))
    g_hash_table_add (composer->ranks, rank);
  if (composer->rank < 0)
    composer->rank = piece->rank;
  if (!composer->has_sync) {
    composer->has_sync = piece->has_sync;
    composer->sync_ns = piece->sync_ns;
  }
  if (composer->error_ns < 0)
    composer->error_ns = piece->error_ns;
  if (!piece->wall_assumed)
    composer->wall_ns = piece->wall_ns;
  composer->repaired |= piece->repaired;
  composer->loose_ns = MAX (composer->loose_ns, piece->loose_ns);
}

static void
drop_piece (gpointer data)
{
  Composer *piece = data;
  g_hash_table_unref (piece->ranks);
  g_free (piece);
}

/* --- files ------------------------------------------------------------------------------------------------------- */

/* Returns the path of a file's folder without the rank, so that the result is equal for all ranks of a run. Owned by
 * the caller. */
static char *
run_of (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  static gsize kept;
  const GRegex *regex = loom_regex_get (&kept, "rank[-_]?[0-9]+", G_REGEX_CASELESS);
  g_autofree char *run = g_regex_replace_literal (regex, folder, -1, 0, "rank", 0, NULL);
  return g_strconcat ("composer:", run, NULL);
}

static char *
cycle_of (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  static gsize kept;
  const GRegex *regex = loom_regex_get (&kept, "ep[0-9]+-ba[0-9]+", 0);
  g_autoptr (GMatchInfo) match = NULL;
  return g_regex_match (regex, base, 0, &match) ? g_match_info_fetch (match, 0) : g_strdup ("");
}

static void
declare_sync (LoomChromeImporter *chrome, const Composer *composer)
{
  LoomDeclaredClock *clock = loom_trace_builder_get_clock (chrome->builder, chrome->info->clock);
  clock->has_sync = TRUE;
  clock->sync_ns = composer->sync_ns;
  clock->sync_error_ns = composer->error_ns;
  clock->sync_group = run_of (composer->path);
  clock->sync_cycle = cycle_of (composer->path);
  clock->sync_order = (gint) composer->index;
}

/* Declares each thread of this file (from `first_thread` on) to be the same as the thread with the same process and tid
 * in the rank's previous file, because a marker may begin in one file and end in the next. */
static void
continue_threads (LoomTraceBuilder *builder, Composer *composer, guint32 first_thread)
{
  for (guint32 thread = first_thread; thread < loom_trace_builder_get_n_threads (builder); thread++) {
    char *key = g_strdup_printf (
      "%s/%s", loom_trace_builder_process_get_key (builder, loom_trace_builder_thread_get_process (builder, thread)),
      loom_trace_builder_thread_get_key (builder, thread));
    guint32 earlier = GPOINTER_TO_UINT (g_hash_table_lookup (composer->last_threads, key));
    if (earlier != 0)
      loom_trace_builder_thread_continue (builder, earlier - 1, thread);
    g_hash_table_insert (composer->last_threads, key, GUINT_TO_POINTER (thread + 1));
  }
}

static void
label_processes (LoomChromeImporter *chrome, gboolean merged)
{
  LoomTraceBuilder *builder = chrome->builder;
  for (guint32 i = 0; i < loom_trace_builder_get_n_processes (builder); i++) {
    const char *key = loom_trace_builder_process_get_key (builder, i);
    char *rest;
    gint64 rank = merged ? g_ascii_strtoll (key, &rest, 10) : chrome->info->rank;
    if (merged && rest == key)
      continue;
    loom_trace_builder_process_set_place (builder, i, NULL, (gint) rank);
    if (merged && strchr (key, ' ') == NULL) {
      g_autofree char *label = g_strdup_printf ("Rank %d", (gint) rank);
      loom_trace_builder_process_set_label (builder, i, label);
    }
  }
}

/* Returns the thread that has the tid of `thread` and belongs to the process of the rank. The key of this process is
 * the first `length` bytes of `rank`. */
static guint32
thread_of (LoomTraceBuilder *builder, guint source, guint32 thread, const char *rank, gsize length)
{
  const char *key = loom_trace_builder_thread_get_key (builder, thread);
  guint32 process = loom_trace_builder_process (builder, source, rank, length);
  return loom_trace_builder_thread (builder, process, key, strlen (key));
}

static gboolean
any_flow (char phase, const char *category)
{
  return TRUE;
}

/* Returns a text that identifies a stream or thread of a rank: the rank, which is the first `length` bytes of the
 * process key, and the key of the thread. */
static char *
dup_stream_key (LoomTraceBuilder *builder, guint32 thread, gsize length)
{
  const char *process =
    loom_trace_builder_process_get_key (builder, loom_trace_builder_thread_get_process (builder, thread));
  return g_strdup_printf ("%.*s/%s", (int) length, process, loom_trace_builder_thread_get_key (builder, thread));
}

/* Moves the flow events at the ends of launches out of their temporary process (WAITING). Called when the whole file
 * has been read. Each event is moved to the stream whose number it states, among the streams of its rank. If the rank
 * does not have this stream, the event is moved to the thread with this number. */
static void
settle_launched (LoomChromeImporter *chrome, guint32 first_thread)
{
  LoomTraceBuilder *builder = chrome->builder;
  guint32 n = loom_trace_builder_get_n_threads (builder);
  g_autoptr (GHashTable) streams = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GArray) waiting = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 i = first_thread; i < n; i++) {
    const char *key = loom_trace_builder_process_get_key (builder, loom_trace_builder_thread_get_process (builder, i)),
               *blank = strchr (key, ' ');
    if (blank != NULL && strcmp (blank, WAITING) == 0)
      g_array_append_val (waiting, i);
    else if (blank != NULL)
      g_hash_table_replace (streams, dup_stream_key (builder, i, (gsize) (blank - key)), GUINT_TO_POINTER (i + 1));
  }
  if (waiting->len == 0)
    return;
  g_autofree guint32 *to = g_new (guint32, n);
  memset (to, 0xFF, n * sizeof *to);
  for (guint i = 0; i < waiting->len; i++) {
    guint32 thread = g_array_index (waiting, guint32, i);
    const char *process =
      loom_trace_builder_process_get_key (builder, loom_trace_builder_thread_get_process (builder, thread));
    gsize length = strlen (process) - strlen (WAITING);
    g_autofree char *key = dup_stream_key (builder, thread, length);
    guint32 found = GPOINTER_TO_UINT (g_hash_table_lookup (streams, key));
    to[thread] = found > 0 ? found - 1 : thread_of (builder, chrome->source, thread, process, length);
  }
  loom_trace_builder_move_flows (builder, to, n, any_flow);
}

static void
finish (LoomChromeImporter *chrome, LoomStreamReader *reader)
{
  Composer *composer = chrome->data;
  LoomImportLog *log = chrome->info->log;
  gboolean merged = g_hash_table_size (composer->ranks) > 1;
  if (composer->rank >= 0 && chrome->info->rank >= 0 && composer->rank != chrome->info->rank && !merged)
    loom_import_log_printf (log, LOOM_SEVERITY_WARNING, "rank-conflict", LOOM_OFFSET_NONE,
                            "The path says rank %d, but the content says rank %d; the rank in the content is used",
                            chrome->info->rank, composer->rank);
  if (composer->rank >= 0)
    chrome->info->rank = merged ? -1 : composer->rank;
  if (merged)
    chrome->info->format = "composer-merged";
  settle_launched (chrome, composer->first_thread);
  settle_loose (chrome);
  label_processes (chrome, merged);
  if (chrome->n_timed > 0 && !loom_chrome_importer_is_absolute (chrome) && composer->wall_ns < LOOM_TIME_PLAUSIBLE_MIN)
    /* No clock is declared: the times are not those of Composer's wall clock, and their zero point is unknown. */
    return;
  if (merged)
    loom_chrome_importer_set_clock (chrome, LOOM_CLOCK_SYNCHRONISED,
                                    N_ ("merged file; times are on the lowest rank’s clock"), 0);
  else if (composer->repaired)
    loom_chrome_importer_set_clock (
      chrome, LOOM_CLOCK_DERIVED, N_ ("wall clock; times of torch events count from the start of a three-month period"),
      0);
  else
    loom_chrome_importer_set_clock (chrome, LOOM_CLOCK_EXACT, N_ ("wall clock"), 0);
  if (!merged && composer->has_sync)
    declare_sync (chrome, composer);
  else if (chrome->info->n_events == 0)
    loom_import_log_add (log, LOOM_SEVERITY_INFO, "no-events", LOOM_OFFSET_NONE, "No events");
  else if (!merged)
    loom_import_log_add (log, LOOM_SEVERITY_WARNING, "no-sync", LOOM_OFFSET_NONE,
                         "The rank’s file states no barrier time, so its clock was not shifted");
}

gboolean
loom_importer_composer (LoomImporter *import, GError **error)
{
  static const LoomChromeImporterHooks hooks = { .metadata = on_metadata,
                                                 .place = on_place,
                                                 .adjust = on_adjust,
                                                 .member = on_member,
                                                 .fork = fork_piece,
                                                 .fits = piece_fits,
                                                 .pass_on = pass_on,
                                                 .drop = drop_piece };
  g_autoptr (GHashTable) last_threads = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < import->n_files; i++) {
    g_autoptr (GHashTable) ranks = g_hash_table_new (NULL, NULL);
    Composer composer = { .index = i,
                          .path = import->files[i]->path,
                          .ranks = ranks,
                          .rank = -1,
                          .error_ns = -1,
                          .loose_ns = -1,
                          .last_threads = last_threads,
                          .first_thread = loom_trace_builder_get_n_threads (import->builder) };
    LoomChromeImporterJob job = { .format = "composer",
                                  .hooks = &hooks,
                                  .data = &composer,
                                  .clock = G_MAXUINT,
                                  .splittable = TRUE,
                                  .keeps_places = TRUE,
                                  .finish = finish };
    if (!loom_chrome_importer_read (import, import->files[i], &job, error))
      return FALSE;
    continue_threads (import->builder, &composer, composer.first_thread);
  }
  return TRUE;
}
