/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills the rows of a LoomDataFrame: each span becomes one row. Spans of smdebug's timelines are processed in the order
 * of their files, so that their args are read sequentially. Two rows become one row if they are equal in all values
 * that smdebug keeps.
 */
#include <string.h>

#include "loom-block-cache.h"
#include "loom-data-frame-private.h"
#include "loom-int64-hash.h"
#include "loom-merge-sort.h"
#include "loom-parse-time.h"
#include "loom-progress-cancellable.h"
#include "loom-smdebug-node.h"
#include "loom-step-collector.h"
#include "loom-step-marks.h"
#include "loom-steps.h"
#include "loom-track-rank.h"

/* Number of spans processed between two checks of the cancellable. */
#define CANCEL_EVERY 16384

#define NO_TEXT G_MAXUINT32

/* Number of slots in a 64-byte cache line of Filler.slots, the hash table of known rows. */
#define LINE_SLOTS 16

/* A row of the LoomDataFrame before its columns are filled. */
typedef struct {
  /* sort key: first the position of the row's source in reading order, then the offset in the source; both are packed
   * like a LoomRef without flags */
  guint64 place;
  guint32 trace;
  guint32 span;
  guint32 track;
} Draft;

#define IS_BEFORE(a, b) ((a)->place < (b)->place)
LOOM_DEFINE_SORT (sort_drafts, Draft, IS_BEFORE)

/* The values that the args of a row's event contain. */
typedef struct {
  gint32 step;
  /* id of the row's display name in the texts of the LoomDataFrame; NO_TEXT if the display name is the event's name */
  guint32 metric;
  /* hash of the process ids, thread ids and numbers of bytes in the event and in its args; two rows are duplicates only
   * if their hashes are equal, too */
  guint64 rest;
  gboolean has_times;
  double ts_us, dur_us;
} RowArgs;

/* Values shared by all rows of a track. */
typedef struct {
  guint32 trace_number;
  const LoomTrace *trace; /* NULL if the members of this Lane are not set yet */
  const LoomTrack *track;
  const LoomSpans *spans;
  const char *format;
  const LoomClockMap *map;
  gint64 base_us;    /* offset of the track's clock, in µs; set only if numbers are computed as smdebug does */
  gboolean is_moved; /* TRUE if the timeline shifts the times that the file contains */
  gboolean reads;    /* TRUE if the args of the track's spans are read */
  guint32 worker, process;
  guint8 flags;
} Lane;

typedef struct {
  LoomDataFrame *frame;
  LoomRun *run;
  GCancellable *cancellable;
  GArray *drafts;       /* Draft: the spans that become rows */
  GHashTable *workers;  /* "host\ndisplay\nrank" → index in the workers of the LoomDataFrame, plus 1 */
  guint *source_places; /* for each source of the run: its position in reading order */
  LoomBlockCache *events;
  Lane **lanes;     /* two-dimensional: lanes[trace][track]; an element is NULL until it is used */
  LoomSteps *steps; /* all steps of the run; NULL if numbers are computed as smdebug does */
  /* metric_of_name[trace][name id]: id of the metric in the texts of the LoomDataFrame, or NO_TEXT; the array of a
   * trace is NULL until it is used */
  guint32 **metric_of_name;
  /* step_marks[trace][span]: LoomRowFlags; the array of a trace is NULL if the trace has no steps */
  guint8 **step_marks;
  /* key: LoomSpanId; value: number of the step, plus 1; only for steps of formats other than smdebug */
  GHashTable *numbers;
  /* hash table of the rows added so far. An element is the index of a row, plus 1; it is 0 if the slot is free. */
  guint32 *slots;
  guint32 n_slots; /* a power of two, at least LINE_SLOTS */
  /* length, in ns, of the time intervals of `slots`: rows that begin in the same interval share a cache line of
   * `slots` */
  guint64 line_ns;
  guint64 *rests; /* for each row, its RowArgs.rest */
  guint32 n_rows, n_room;
} Filler;

static gboolean
is_smdebug (const char *format)
{
  return strcmp (format, "smdebug") == 0;
}

/* --- order in which sources are read ------------------------------------------------------------------------------ */

/* Returns the position of smdebug's parser for a file in the order in which smdebug runs its parsers. If numbers are
 * computed as smdebug does, files are sorted by this position. */
static guint
parser_of (const char *path, const char *format)
{
  g_autofree char *base = g_path_get_basename (path);
  if (strcmp (format, "tensorflow") == 0)
    return 2;
  return strstr (base, "model_timeline") != NULL            ? 1
         : strstr (base, "horovod_timeline") != NULL        ? 3
         : strstr (base, "smdataparallel_timeline") != NULL ? 4
                                                            : 0;
}

typedef struct {
  guint source, parser;
  guint64 name_time;
  const char *path;
} Place;

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Place *x = a, *y = b;
  if (x->parser != y->parser)
    return x->parser < y->parser ? -1 : 1;
  if (x->name_time != y->name_time)
    return x->name_time < y->name_time ? -1 : 1;
  int order = strcmp (x->path, y->path);
  return order != 0 ? order : x->source < y->source ? -1 : x->source > y->source;
}

static void
find_places (Filler *filler)
{
  guint n = loom_run_get_n_sources (filler->run);
  g_autofree Place *places = g_new (Place, MAX (n, 1));
  filler->source_places = g_new (guint, MAX (n, 1));
  for (guint i = 0; i < n; i++) {
    const LoomSource *source = loom_run_get_source (filler->run, i);
    g_autofree char *base = g_path_get_basename (source->path);
    places[i] =
      (Place) { i, parser_of (source->path, source->format), g_ascii_strtoull (base, NULL, 10), source->path };
  }
  if (filler->frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG)
    qsort (places, n, sizeof *places, compare_places);
  for (guint i = 0; i < n; i++)
    filler->source_places[places[i].source] = i;
}

/* --- gathering the spans ------------------------------------------------------------------------------------------ */

/* Returns TRUE if the spans of a track become rows of the LoomDataFrame. If numbers are computed as smdebug does, this
 * is the case only for tracks from smdebug and TensorFlow. Otherwise, it is the case for all tracks that were not
 * derived from other tracks. It is also the case for the tracks "Steps" of XPlane and TensorFlow, because no other
 * track contains their steps. */
static gboolean
takes_track (const Filler *filler, const LoomTrack *track, const char *format)
{
  if (filler->frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG)
    return track->kind == LOOM_TRACK_SPANS && (is_smdebug (format) || strcmp (format, "tensorflow") == 0);
  return (track->kind == LOOM_TRACK_SPANS || track->kind == LOOM_TRACK_ASYNC) &&
         ((track->flags & LOOM_TRACK_DERIVED) == 0 || loom_step_collector_is_line (track));
}

static void
gather_track (Filler *filler, guint t, const LoomTrace *trace, guint number)
{
  const LoomTrack *track = loom_trace_get_track (trace, number);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  guint first_source = loom_run_get_first_source (filler->run, t);
  for (guint32 r = 0; r < track->n_rows; r++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + r);
    guint n_before = filler->drafts->len;
    g_array_set_size (filler->drafts, n_before + row->n);
    Draft *next = (Draft *) (gpointer) filler->drafts->data + n_before;
    for (guint32 i = row->first; i < row->first + row->n; i++) {
      LoomRef ref = spans->ref[i];
      guint source = ref != LOOM_REF_NONE ? loom_source_ref_source (ref) : track->source;
      *next++ = (Draft) { (guint64) filler->source_places[first_source + source] << 46 |
                            (ref != LOOM_REF_NONE ? loom_source_ref_offset (ref) : 0),
                          t, i, number };
    }
  }
}

static void
gather_trace (Filler *filler, guint t)
{
  const LoomTrace *trace = loom_run_get_trace (filler->run, t);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    if (takes_track (filler, track, track->format))
      gather_track (filler, t, trace, i);
  }
}

/* --- workers and metrics ------------------------------------------------------------------------------------------ */

static guint32
worker_of (Filler *filler, const LoomTrace *trace, const LoomTrack *track)
{
  g_autofree char *display = loom_smdebug_node_display (track->path, track->format, track->node, track->rank);
  g_autofree char *key = g_strdup_printf ("%s\n%s\n%d", track->node != NULL ? track->node : "", display, track->rank);
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (filler->workers, key));
  if (known != 0)
    return known - 1;
  LoomWorker worker = { .rank = track->rank,
                        .format = track->format,
                        .host_id = loom_data_frame_intern_host (filler->frame, track->node) };
  worker.host = loom_data_frame_get_host (filler->frame, worker.host_id);
  worker.display = loom_data_frame_intern (filler->frame, display);
  worker.is_process = loom_track_rank_is_process (track, track->format);
  g_array_append_val (filler->frame->all_workers, worker);
  g_hash_table_insert (filler->workers, g_steal_pointer (&key), GUINT_TO_POINTER (filler->frame->all_workers->len));
  return filler->frame->all_workers->len - 1;
}

static void
fill_lane (Filler *filler, const Draft *draft, Lane *lane)
{
  const LoomTrace *trace = loom_run_get_trace (filler->run, draft->trace);
  const LoomTrack *track = loom_trace_get_track (trace, draft->track);
  guint clock = loom_run_get_first_clock (filler->run, draft->trace) + track->clock;
  const LoomClockFit *fit = loom_alignment_get (loom_timeline_get_alignment (filler->frame->timeline), clock);
  const char *process = track->process[0] != '\0' ? track->process : "Unknown";
  gboolean is_good =
    fit->state == LOOM_CLOCK_EXACT || fit->state == LOOM_CLOCK_SYNCHRONISED || fit->state == LOOM_CLOCK_DERIVED;
  *lane = (Lane) { .trace_number = draft->trace,
                   .trace = trace,
                   .track = track,
                   .spans = loom_trace_get_spans (trace),
                   .format = track->format,
                   .map = &fit->map,
                   .worker = worker_of (filler, trace, track),
                   .base_us = loom_run_get_clock (filler->run, clock)->base_ns / LOOM_NS_PER_US,
                   .is_moved = fit->map.offset_ns != 0 || fit->map.drift_ppt != 0,
                   .reads = is_smdebug (track->format) || filler->frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG,
                   .process = loom_string_pool_intern (filler->frame->texts, process, strlen (process)) };
  if (!is_good && fit->user_offset_ns == 0)
    lane->flags |= LOOM_ROW_LOOSE;
  if (parser_of (track->path, track->format) == 0)
    lane->flags |= LOOM_ROW_PYTHON;
}

static const Lane *
lane_of (Filler *filler, const Draft *draft)
{
  Lane **lanes = &filler->lanes[draft->trace];
  if (*lanes == NULL)
    *lanes = g_new0 (Lane, loom_trace_get_n_tracks (loom_run_get_trace (filler->run, draft->trace)));
  Lane *lane = &(*lanes)[draft->track];
  if (lane->trace == NULL)
    fill_lane (filler, draft, lane);
  return lane;
}

static guint32
metric_of (Filler *filler, const Lane *lane, guint32 name_id)
{
  guint32 **metrics = &filler->metric_of_name[lane->trace_number];
  if (*metrics == NULL) {
    guint n = loom_trace_get_n_names (lane->trace);
    *metrics = g_new (guint32, MAX (n, 1));
    memset (*metrics, 0xFF, n * sizeof **metrics);
  }
  if ((*metrics)[name_id] == NO_TEXT) {
    const char *text = loom_trace_get_name (lane->trace, name_id)->text;
    (*metrics)[name_id] = loom_string_pool_intern (filler->frame->texts, text, strlen (text));
  }
  return (*metrics)[name_id];
}

/* --- args of the spans -------------------------------------------------------------------------------------------- */

static guint64
mix (guint64 hash, LoomJsonSlice slice)
{
  return slice.text != NULL ? loom_string_pool_hash_join (hash, loom_string_pool_hash (slice.text, slice.length))
                            : hash;
}

static guint32
intern_slice (Filler *filler, LoomJsonSlice value)
{
  g_autofree char *text = loom_json_slice_dup_decoded (value);
  return loom_string_pool_intern (filler->frame->texts, text, strlen (text));
}

static void
read_members (Filler *filler, LoomJsonSlice object, RowArgs *args)
{
  LoomJsonIter iter;
  LoomJsonSlice key, value, layer = { NULL, 0 }, name = { NULL, 0 };
  gint64 step;
  if (!loom_json_slice_is_object (object) || !loom_json_slice_iter_init (&iter, object))
    return;
  while (loom_json_slice_iter_next (&iter, &key, &value)) {
    if (loom_json_slice_equal (key, "\"step_num\"")) {
      if (loom_parse_time_parse_int (value.text, value.length, &step) && step >= 0 && step <= G_MAXINT32)
        args->step = (gint32) step;
    } else if (loom_json_slice_equal (key, "\"layer_name\"")) {
      layer = value;
    } else if (loom_json_slice_equal (key, "\"name\"")) {
      name = value;
    } else if (loom_json_slice_equal (key, "\"pid\"") || loom_json_slice_equal (key, "\"thread_id\"") ||
               loom_json_slice_equal (key, "\"bytes_fetched\"")) {
      args->rest = mix (mix (args->rest, key), value);
    }
  }
  if (layer.text != NULL || name.text != NULL)
    args->metric = intern_slice (filler, layer.text != NULL ? layer : name);
}

static void
read_args (Filler *filler, const Lane *lane, LoomRef ref, RowArgs *args)
{
  LoomEvent event;
  *args = (RowArgs) { .step = -1, .metric = NO_TEXT };
  if (ref == LOOM_REF_NONE)
    return;
  const LoomSource *source = loom_trace_get_source (lane->trace, loom_source_ref_source (ref));
  if (source->text == NULL ||
      !loom_block_cache_read (filler->events, source->text, loom_source_ref_offset (ref), &event, NULL))
    return;
  args->rest = mix (mix (0, event.member[LOOM_MEMBER_TID]), event.member[LOOM_MEMBER_PID]);
  LoomJsonSlice ts = event.member[LOOM_MEMBER_TS], dur = event.member[LOOM_MEMBER_DUR];
  args->has_times = strcmp (lane->format, "tensorflow") == 0 && ts.text != NULL && dur.text != NULL &&
                    loom_parse_time_parse_double (ts.text, ts.length, &args->ts_us) &&
                    loom_parse_time_parse_double (dur.text, dur.length, &args->dur_us);
  read_members (filler, event.member[LOOM_MEMBER_ARGS], args);
}

/* --- rows of the table -------------------------------------------------------------------------------------------- */

static gint64
whole_us (gint64 time_ns)
{
  gint64 rest = time_ns % LOOM_NS_PER_US;
  return time_ns - (rest < 0 ? rest + LOOM_NS_PER_US : rest);
}

/* Truncates the times of a row to whole µs. Exception: if the row comes from a TensorFlow trace, and its event has ts
 * and dur, first computes the times as doubles, as smdebug does; this rounds large times to 0.25 µs. Returns the
 * duration before truncating minus the duration after it, in ns. */
static gint64
write_times (const Lane *lane, const RowArgs *args, gint64 *start_ns, gint64 *end_ns)
{
  gint64 exact_ns = *end_ns - *start_ns;
  if (args->has_times && !lane->is_moved) {
    double start_us = (double) lane->base_us + args->ts_us, end_us = start_us + args->dur_us;
    *start_ns = (gint64) start_us * LOOM_NS_PER_US;
    *end_ns = (gint64) end_us * LOOM_NS_PER_US;
    exact_ns = (gint64) ((end_us - start_us) * (double) LOOM_NS_PER_US);
  } else {
    *start_ns = whole_us (*start_ns);
    *end_ns = whole_us (*end_ns);
  }
  return exact_ns - (*end_ns - *start_ns);
}

static guint8
step_flags_of_name (const char *name)
{
  if (!g_str_has_prefix (name, "Step:ModeKeys."))
    return 0;
  return LOOM_ROW_STEP |
         (strcmp (name, "Step:ModeKeys.TRAIN") == 0 || strcmp (name, "Step:ModeKeys.GLOBAL") == 0 ? LOOM_ROW_TRAIN : 0);
}

static gboolean
is_same (const LoomDataFrameRows *rows, const guint64 *rests, guint32 a, guint32 b)
{
  return rows->start_ns[a] == rows->start_ns[b] && rows->end_ns[a] == rows->end_ns[b] &&
         rows->metric[a] == rows->metric[b] && rows->process[a] == rows->process[b] &&
         rows->worker[a] == rows->worker[b] && rows->step[a] == rows->step[b] && rests[a] == rests[b];
}

/* Returns the index of the first slot of the cache line to which a row belongs. Rows that begin at nearly the same time
 * share a cache line, so that adding rows in order of time accesses even a large table sequentially. The caller uses
 * the hash of the row to select a slot within the cache line. */
static guint32
line_of (const Filler *filler, guint32 row)
{
  guint64 nth = (guint64) filler->frame->rows.start_ns[row] / filler->line_ns;
  return (guint32) (nth * LINE_SLOTS) & (filler->n_slots - 1);
}

/* Returns TRUE if the table already has an equal row. If it has none, adds `row` to the table and returns FALSE.
 * Usually, searches only one cache line. If the cache line is full, because too many rows begin in its time interval,
 * the search continues at a slot that depends only on the hash. */
static gboolean
is_seen (Filler *filler, guint32 row)
{
  const LoomDataFrameRows *rows = &filler->frame->rows;
  guint64 hash = loom_string_pool_hash_join ((guint64) rows->start_ns[row], (guint64) rows->end_ns[row]);
  hash = loom_string_pool_hash_join (hash, (guint64) rows->metric[row] << 32 | rows->worker[row]);
  hash = loom_string_pool_hash_join (hash, filler->rests[row] ^ (guint32) rows->step[row]);
  guint32 line = line_of (filler, row), slot = line | ((guint32) (hash >> 32) & (LINE_SLOTS - 1));
  for (guint tries = 1; filler->slots[slot] != 0; tries++) {
    if (is_same (rows, filler->rests, filler->slots[slot] - 1, row))
      return TRUE;
    if (tries < LINE_SLOTS)
      slot = line | ((slot + 1) & (LINE_SLOTS - 1));
    else if (tries == LINE_SLOTS)
      slot = (guint32) hash & (filler->n_slots - 1);
    else
      slot = (slot + 1) & (filler->n_slots - 1);
  }
  filler->slots[slot] = row + 1;
  return FALSE;
}

static guint8
mark_of (const Filler *filler, const Draft *draft, const Lane *lane)
{
  if (filler->steps == NULL)
    return step_flags_of_name (loom_trace_get_name (lane->trace, lane->spans->name_id[draft->span])->text);
  return filler->step_marks[draft->trace] != NULL ? filler->step_marks[draft->trace][draft->span] : 0;
}

/* Returns TRUE if a span must not become a row. `mark`: result of mark_of() for the span. There are three kinds of such
 * spans: additional recordings of a step; annotations of steps on devices; spans without a number on a track
 * "Steps". */
static gboolean
is_skipped (const Filler *filler, const Draft *draft, const Lane *lane, guint8 mark)
{
  gboolean is_derived = (lane->track->flags & LOOM_TRACK_DERIVED) != 0,
           is_device = (lane->track->flags & LOOM_TRACK_DEVICE) != 0;
  if (filler->steps == NULL || mark != 0)
    return mark == LOOM_STEP_MARKS_AGAIN;
  const char *name = loom_trace_get_name (lane->trace, lane->spans->name_id[draft->span])->text;
  return is_derived || (is_device && g_str_has_prefix (name, "ProfilerStep#"));
}

static gint32
number_of (const Filler *filler, const Draft *draft)
{
  LoomSpanId id = { draft->trace, draft->span };
  return GPOINTER_TO_INT (g_hash_table_lookup (filler->numbers, loom_data_frame_span_key (id))) - 1;
}

/* Returns the metric of a span that is a step. This is the name of the span without the number of the step, so that all
 * steps have the same metric. */
static guint32
metric_of_step (Filler *filler, const Lane *lane, guint32 name_id)
{
  static const char profiler[] = "ProfilerStep", line[] = "Step";
  const char *name = loom_trace_get_name (lane->trace, name_id)->text;
  if (g_str_has_prefix (name, profiler))
    return loom_string_pool_intern (filler->frame->texts, profiler, strlen (profiler));
  if (g_ascii_isdigit (name[0]))
    return loom_string_pool_intern (filler->frame->texts, line, strlen (line));
  return metric_of (filler, lane, name_id);
}

static void
add_row (Filler *filler, const Draft *draft, const Lane *lane)
{
  LoomDataFrame *frame = filler->frame;
  guint32 at = filler->n_rows, span = draft->span;
  guint8 mark = mark_of (filler, draft, lane);
  if (is_skipped (filler, draft, lane, mark))
    return;
  RowArgs args = { .step = -1, .metric = NO_TEXT };
  if (lane->reads)
    read_args (filler, lane, lane->spans->ref[span], &args);
  gint64 start_ns = loom_clock_map_to_timeline (lane->map, lane->spans->start_ns[span]);
  gint64 end_ns =
    loom_clock_map_to_timeline (lane->map, loom_time_add (lane->spans->start_ns[span], lane->spans->dur_ns[span]));
  if (frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG) {
    gint64 cut_ns = write_times (lane, &args, &start_ns, &end_ns);
    if (cut_ns != 0)
      g_hash_table_insert (frame->cut_ns, loom_data_frame_span_key ((LoomSpanId) { draft->trace, span }),
                           GINT_TO_POINTER ((gint) cut_ns));
    if (frame->all_series->len > 0 && end_ns < frame->origin_ns)
      return;
  }
  ((gint64 *) frame->row_columns[0])[at] = start_ns;
  ((gint64 *) frame->row_columns[1])[at] = end_ns;
  if (args.metric == NO_TEXT)
    args.metric = mark != 0 && filler->steps != NULL ? metric_of_step (filler, lane, lane->spans->name_id[span])
                                                     : metric_of (filler, lane, lane->spans->name_id[span]);
  ((guint32 *) frame->row_columns[2])[at] = args.metric;
  ((guint32 *) frame->row_columns[3])[at] = lane->process;
  ((guint32 *) frame->row_columns[4])[at] = lane->worker;
  ((gint32 *) frame->row_columns[5])[at] =
    args.step < 0 && mark != 0 && filler->steps != NULL ? number_of (filler, draft) : args.step;
  ((guint8 *) frame->row_columns[6])[at] = lane->flags | mark;
  ((LoomSpanId *) frame->row_columns[7])[at] = (LoomSpanId) { draft->trace, span };
  if (lane->reads)
    filler->rests[at] = args.rest;
  if (!lane->reads || !is_seen (filler, at))
    filler->n_rows++;
}

static gboolean
add_rows (Filler *filler)
{
  for (guint i = 0; i < filler->drafts->len; i++) {
    const Draft *draft = &g_array_index (filler->drafts, Draft, i);
    add_row (filler, draft, lane_of (filler, draft));
    if (i % CANCEL_EVERY == 0 && g_cancellable_is_cancelled (filler->cancellable))
      return FALSE;
    if ((i + 1) % CANCEL_EVERY == 0)
      loom_progress_cancellable_add_done (filler->cancellable, CANCEL_EVERY);
  }
  loom_progress_cancellable_add_done (filler->cancellable, filler->drafts->len % CANCEL_EVERY);
  g_array_set_size (filler->drafts, 0);
  return TRUE;
}

/* --- steps of all formats ----------------------------------------------------------------------------------------- */

static gboolean
mark_steps (Filler *filler)
{
  filler->steps = loom_steps_new (filler->frame->timeline, filler->cancellable);
  if (filler->steps != NULL)
    loom_step_marks_set (filler->steps, filler->run, filler->step_marks, filler->numbers);
  return filler->steps != NULL;
}

static guint32
count_spans (const LoomRun *run)
{
  guint64 n = 0;
  for (guint t = 0; t < loom_run_get_n_traces (run); t++)
    n += loom_trace_get_spans (loom_run_get_trace (run, t))->n;
  return (guint32) MIN (n, G_MAXUINT32 / 4);
}

/* Reads the rows of one trace, adds them, and continues with the next trace; this needs little memory. If numbers
 * are computed as smdebug does, reads the rows of all traces first, because they must be sorted together. */
static gboolean
gather_and_add (Filler *filler)
{
  gboolean as_written = filler->frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG;
  guint n = loom_run_get_n_traces (filler->run);
  for (guint t = 0; t < n; t++) {
    gather_trace (filler, t);
    if (as_written && t + 1 < n)
      continue;
    const LoomTrace *trace = loom_run_get_trace (filler->run, t);
    if (as_written || is_smdebug (loom_trace_get_source (trace, 0)->format))
      sort_drafts ((Draft *) filler->drafts->data, filler->drafts->len);
    if (!add_rows (filler))
      return FALSE;
  }
  return TRUE;
}

static gboolean
fill (Filler *filler)
{
  guint32 n = count_spans (filler->run);
  loom_progress_cancellable_add_total (filler->cancellable, n);
  if (filler->frame->numbers == LOOM_NUMBER_CONVENTION_INTENDED && !mark_steps (filler))
    return FALSE;
  loom_data_frame_alloc_rows (filler->frame, n);
  for (filler->n_slots = LINE_SLOTS; filler->n_slots / 2 < n; filler->n_slots *= 2)
    ;
  LoomRange extent = { 0, 0 };
  loom_timeline_get_extent (filler->frame->timeline, &extent);
  filler->line_ns = ((guint64) extent.end_ns - (guint64) extent.begin_ns) / (filler->n_slots / LINE_SLOTS) + 1;
  filler->slots = g_new0 (guint32, filler->n_slots);
  filler->rests = g_new (guint64, MAX (n, 1));
  find_places (filler);
  if (!gather_and_add (filler))
    return FALSE;
  filler->frame->rows.n = filler->n_rows;
  return TRUE;
}

gboolean
loom_data_frame_fill_rows (LoomDataFrame *frame, GCancellable *cancellable)
{
  LoomRun *run = loom_timeline_get_run (frame->timeline);
  guint n_traces = loom_run_get_n_traces (run);
  g_autoptr (GArray) drafts = g_array_new (FALSE, FALSE, sizeof (Draft));
  g_autoptr (GHashTable) workers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) numbers = g_hash_table_new (loom_int64_hash_packed, NULL);
  g_autoptr (LoomBlockCache) events = loom_block_cache_new ();
  Filler filler = { .frame = frame,
                    .run = run,
                    .cancellable = cancellable,
                    .drafts = drafts,
                    .workers = workers,
                    .events = events,
                    .numbers = numbers,
                    .metric_of_name = g_new0 (guint32 *, n_traces + 1),
                    .step_marks = g_new0 (guint8 *, n_traces + 1),
                    .lanes = g_new0 (Lane *, n_traces + 1) };
  gboolean good = fill (&filler);
  g_clear_pointer (&filler.steps, loom_steps_unref);
  for (guint t = 0; t < n_traces; t++) {
    g_free (filler.metric_of_name[t]);
    g_free (filler.step_marks[t]);
    g_free (filler.lanes[t]);
  }
  g_free (filler.metric_of_name);
  g_free (filler.step_marks);
  g_free (filler.lanes);
  g_free (filler.source_places);
  g_free (filler.slots);
  g_free (filler.rests);
  return good;
}
