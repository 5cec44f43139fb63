/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the merged trace in the layout of Composer's merger: the files one after another, with times shifted to the
 * clock of the lowest rank, and the process id replaced by the rank. Events keep the order of the files, so the texts
 * of the files are copied one by one, without a merge by time. The result is a JSON array, which has no place for a
 * table of stack frames outside of the events. Therefore each process gets a metadata event "stackFrames" that contains
 * the table; events still refer to frames by id.
 */
#include <string.h>

#include "loom-export-private.h"
#include "loom-export-stack-frames.h"
#include "loom-parse-time.h"
#include "loom-raw-events.h"

#define INDENT "    "
/* Sort indices that are written for threads. LATER_THREADS is written for every thread before its first event. The
 * thread of the training loop is nevertheless shown first: its file states the index 0 in an event that is copied
 * later. BACKWARD_THREAD is written at the end of the result, for the thread that runs the backward pass. */
#define LATER_THREADS 99999
#define BACKWARD_THREAD 1

typedef struct {
  gint rank;
  /* JSON literal of the tid of the thread that runs the backward pass, recognized by its event MulBackward0; NULL: no
   * such event was found */
  char *backward_tid;
} Rank;

typedef struct {
  LoomExport *merge;
  GArray *ranks;         /* Rank, in the order of the first file of each rank */
  GHashTable *threads;   /* set of "rank\ntid": threads whose sort index was written */
  GHashTable *announced; /* set of "source\npid": processes whose stack frames were written */
  gint next_rank;        /* rank that is given to the next file that does not state its rank */
  GString *text;         /* working memory: the text of an event with its new pid and ts */
  GError *error;
  /* The members below are the state of the current file. */
  const LoomClockMap *map;
  gint64 base_ns;
  guint source;                  /* index of the source in the run */
  const LoomStackFrames *stacks; /* stack frames of the current file; NULL: it has none */
  /* TRUE: the ids of stack frames get a prefix that makes them unique in the written file */
  gboolean renames_frames;
  gboolean merged; /* TRUE: the current file is the result of an earlier merge; its pids are kept */
  guint rank;      /* index into `ranks` of the rank of the current file */
  /* where the list of trace events begins and ends in the file; annotations outside of this range are not part of the
   * list */
  guint64 first_offset, last_offset;
  /* TRUE: times are shifted by `shift_ns`, as Composer's merger does, instead of being converted by `map`. Only with
   * the option `compat`, and only if a file of the rank has a clock sync (find_compat_shift()) */
  gboolean has_shift;
  gint64 shift_ns;
} Composer;

/* --- time of an event --------------------------------------------------------------------------------------------- */

/* Sets `start_ns` to the start of the event on the timeline. Returns FALSE if the event has no valid member ts. */
static gboolean
start_of (Composer *composer, const LoomEvent *event, gint64 *start_ns)
{
  LoomJsonSlice ts = event->member[LOOM_MEMBER_TS];
  LoomExactTime time;
  if (ts.text == NULL || !loom_parse_time_parse_us (ts.text, ts.length, &time))
    return FALSE;
  gint64 local_ns = loom_time_add (time.ns, composer->base_ns);
  *start_ns = composer->has_shift ? loom_time_add (local_ns, composer->shift_ns)
                                  : loom_clock_map_to_timeline (composer->map, local_ns);
  return TRUE;
}

static gboolean
is_in_range (Composer *composer, const LoomEvent *event, gint64 start_ns)
{
  const LoomExportOptions *options = composer->merge->options;
  LoomJsonSlice dur = event->member[LOOM_MEMBER_DUR];
  LoomExactTime length = { 0, 0 };
  if (!options->has_range || loom_event_phase (event) == 'M')
    return TRUE;
  if (loom_event_phase (event) == 'X' && dur.text != NULL && !loom_parse_time_parse_us (dur.text, dur.length, &length))
    length.ns = 0;
  return start_ns <= options->range.end_ns && loom_time_add (start_ns, length.ns) >= options->range.begin_ns;
}

/* --- writing an event --------------------------------------------------------------------------------------------- */

/* Appends the text of the event from `from` up to `value`, a value in this text, and then `fresh` in place of this
 * value. Returns the position in the text after `value`. */
static const char *
replace_value (GString *out, const char *from, LoomJsonSlice value, const char *fresh, gsize length)
{
  g_string_append_len (out, from, value.text - from);
  g_string_append_len (out, fresh, (gssize) length);
  return value.text + value.length;
}

static void
rewrite (Composer *composer, const LoomEvent *event, gboolean has_start, gint64 start_ns)
{
  LoomJsonSlice pid = event->member[LOOM_MEMBER_PID], ts = event->member[LOOM_MEMBER_TS];
  char pid_digits[24], ts_digits[LOOM_TIME_US_MAX];
  gsize n_pid = loom_time_write_int (g_array_index (composer->ranks, Rank, composer->rank).rank, pid_digits);
  gsize n_ts = loom_time_write_us (start_ns, ts_digits);
  const char *from = event->text.text;
  gboolean pid_first = ts.text == NULL || pid.text < ts.text;
  g_string_truncate (composer->text, 0);
  if (pid_first && !composer->merged)
    from = replace_value (composer->text, from, pid, pid_digits, n_pid);
  if (has_start)
    from = replace_value (composer->text, from, ts, ts_digits, n_ts);
  if (!pid_first && !composer->merged)
    from = replace_value (composer->text, from, pid, pid_digits, n_pid);
  g_string_append_len (composer->text, from, event->text.text + event->text.length - from);
}

static void
put_thread_index (Composer *composer, gint rank, LoomJsonSlice tid, gint index)
{
  GString *line = composer->merge->line;
  g_string_append_printf (line, "{\"name\": \"thread_sort_index\", \"ph\": \"M\", \"pid\": %d, \"tid\": ", rank);
  loom_json_slice_append_strict (line, tid.text, tid.length);
  g_string_append_printf (line, ", \"args\": {\"sort_index\": %d}}", index);
  loom_export_put_event (composer->merge, INDENT, TRUE);
}

/* If this is the first event of its thread, writes the sort index of the thread. If the event is MulBackward0, stores
 * that this thread runs the backward pass. */
static void
note_thread (Composer *composer, const LoomEvent *event)
{
  Rank *rank = &g_array_index (composer->ranks, Rank, composer->rank);
  LoomJsonSlice tid = event->member[LOOM_MEMBER_TID];
  char *key = g_strdup_printf ("%d\n%.*s", rank->rank, (int) tid.length, tid.text);
  if (g_hash_table_add (composer->threads, key))
    put_thread_index (composer, rank->rank, tid, LATER_THREADS);
  if (!loom_json_slice_equal (event->member[LOOM_MEMBER_NAME], "\"MulBackward0\""))
    return;
  g_free (rank->backward_tid);
  rank->backward_tid = g_strndup (tid.text, tid.length);
}

static char *
make_frames_head (Composer *composer, LoomJsonSlice pid, LoomJsonSlice tid)
{
  const LoomExportResult *result = composer->merge->result;
  GString *head = g_string_new (result->n_events + result->n_metadata == 0 ? "\n" : ",\n");
  g_string_append (head, INDENT "{\"name\": \"stackFrames\", \"ph\": \"M\", \"pid\": ");
  loom_json_slice_append_strict (head, pid.text, pid.length);
  g_string_append (head, ", \"tid\": ");
  loom_json_slice_append_strict (head, tid.text, tid.length);
  g_string_append (head, ", \"args\": {\"stackFrames\": {");
  return g_string_free (head, FALSE);
}

/* If this is the first event of its process that refers to a stack frame, writes all stack frames of the source. */
static void
put_frames (Composer *composer, const LoomEvent *event)
{
  LoomEventStack stack;
  char digits[24];
  gint rank = g_array_index (composer->ranks, Rank, composer->rank).rank;
  LoomJsonSlice pid =
    composer->merged ? event->member[LOOM_MEMBER_PID] : (LoomJsonSlice) { digits, loom_time_write_int (rank, digits) };
  if (!loom_event_stack_find (event, &stack) ||
      (stack.frame[LOOM_EVENT_STACK_BEGIN].text == NULL && stack.frame[LOOM_EVENT_STACK_END].text == NULL) ||
      !g_hash_table_add (composer->announced,
                         g_strdup_printf ("%u\n%.*s", composer->source, (int) pid.length, pid.text)))
    return;
  g_autofree char *head = make_frames_head (composer, pid, event->member[LOOM_MEMBER_TID]);
  g_autofree char *process =
    composer->renames_frames ? NULL : loom_json_slice_dup_plain (event->member[LOOM_MEMBER_PID]);
  if (!loom_export_stack_frames_write_source (composer->merge, composer->source, process, head))
    return;
  loom_export_put (composer->merge, "}}}");
  composer->merge->result->n_metadata++;
}

/* Returns the reason why the layout cannot contain the event; LOOM_N_LEFT_OUT if it can contain the event. */
static LoomDroppedCount
find_reason (const LoomEvent *event)
{
  LoomJsonSlice tid = event->member[LOOM_MEMBER_TID];
  if (event->member[LOOM_MEMBER_PID].text == NULL || tid.text == NULL || event->member[LOOM_MEMBER_NAME].text == NULL ||
      loom_event_phase (event) == '\0')
    return LOOM_DROPPED_COUNT_NAMELESS;
  return g_strstr_len (tid.text, (gssize) tid.length, "PyTorch Profiler") != NULL ? LOOM_DROPPED_COUNT_PROFILER
                                                                                  : LOOM_N_LEFT_OUT;
}

static gboolean
put_event (Composer *composer, const LoomEvent *event, gboolean has_start, gint64 start_ns)
{
  LoomExport *merge = composer->merge;
  gboolean metadata = loom_event_phase (event) == 'M';
  if (!composer->merged)
    note_thread (composer, event);
  if (composer->stacks != NULL && !metadata)
    put_frames (composer, event);
  rewrite (composer, event, has_start, start_ns);
  if (composer->renames_frames)
    loom_export_stack_frames_rename (composer->text, event, composer->stacks, composer->source);
  gboolean clean = loom_trace_event_writer_is_clean (event);
  loom_trace_event_writer_append_value (merge->line, (LoomJsonSlice) { composer->text->str, composer->text->len },
                                        FALSE);
  loom_export_put_event (merge, INDENT, metadata);
  merge->result->n_repaired += !clean;
  return metadata || !has_start || loom_export_count (merge, start_ns, start_ns, &composer->error);
}

static gboolean
take_event (const LoomEvent *event, gpointer user_data)
{
  Composer *composer = user_data;
  char phase = loom_event_phase (event);
  composer->first_offset = MIN (composer->first_offset, event->offset);
  composer->last_offset = MAX (composer->last_offset, event->offset);
  LoomDroppedCount why = find_reason (event);
  gint64 start_ns = 0;
  gboolean has_start = start_of (composer, event, &start_ns);
  if (!is_in_range (composer, event, start_ns))
    return TRUE;
  if (composer->renames_frames && phase == 'M' &&
      loom_json_slice_equal (event->member[LOOM_MEMBER_NAME], "\"stackFrames\""))
    return TRUE; /* the stack frames are not copied here, because put_frames() writes them with their new ids */
  if (why == LOOM_N_LEFT_OUT)
    return put_event (composer, event, has_start, start_ns);
  /* metadata and events without a phase are dropped without being counted, because they are not drawn on the
   * timeline */
  return phase == 'M' || phase == '\0' || loom_export_leave_out (composer->merge, why, &composer->error);
}

/* --- source files, copied one after another ----------------------------------------------------------------------- */

static guint
find_rank (Composer *composer, gint wanted)
{
  for (guint i = 0; i < composer->ranks->len; i++)
    if (g_array_index (composer->ranks, Rank, i).rank == wanted)
      return i;
  Rank fresh = { wanted, NULL };
  g_array_append_val (composer->ranks, fresh);
  return composer->ranks->len - 1;
}

static gboolean
is_merged (const LoomSource *source)
{
  return strcmp (source->format, "composer-merged") == 0 || strcmp (source->format, "traceloom") == 0 ||
         strcmp (source->format, "smdebug-merged") == 0;
}

/* Returns TRUE if the stack frames of the source have different scopes: the ids of some frames are valid in the whole
 * source, those of others only in one process. */
static gboolean
have_several_scopes (const LoomStackFrames *stacks)
{
  guint32 n = stacks->frames->len;
  for (guint32 i = 1; i < n; i++)
    if (strcmp (loom_stack_frames_get (stacks, i).scope, loom_stack_frames_get (stacks, 0).scope) != 0)
      return TRUE;
  return FALSE;
}

/* Returns TRUE if the same frame id could refer to different frames in the written file. This is possible in two cases:
 * the stack frames of the source have different scopes; or another source with stack frames may belong to the same
 * process. */
static gboolean
shares_frame_ids (LoomExport *merge, guint number)
{
  const LoomSource *source = loom_run_get_source (merge->run, number);
  if (source->stacks == NULL)
    return FALSE;
  if (!is_merged (source) && have_several_scopes (source->stacks))
    return TRUE;
  for (guint i = 0; i < loom_run_get_n_sources (merge->run); i++) {
    const LoomSource *other = loom_run_get_source (merge->run, i);
    gboolean same_rank = is_merged (source) || is_merged (other) || (source->rank >= 0 && source->rank == other->rank);
    if (i != number && same_rank && other->stacks != NULL && loom_export_wants (merge, i))
      return TRUE;
  }
  return FALSE;
}

/* Computes the shift of times that Composer's own merger uses: the clock sync of the lowest rank minus the clock sync
 * of `rank`. Each of the two is read from the last file of its rank that states one. Returns FALSE if no file of `rank`
 * states a clock sync. */
static gboolean
find_compat_shift (LoomExport *merge, gint rank, gint64 *shift_ns)
{
  gint lowest = G_MAXINT;
  gint64 own_ns = LOOM_TIME_NONE, base_ns = LOOM_TIME_NONE;
  for (guint i = 0; i < loom_run_get_n_sources (merge->run); i++) {
    const LoomSource *source = loom_run_get_source (merge->run, i);
    const LoomDeclaredClock *clock = loom_run_get_clock (merge->run, loom_run_get_clock_of_source (merge->run, i));
    if (!clock->has_sync || source->rank < 0 || is_merged (source))
      continue;
    if (source->rank == rank)
      own_ns = clock->sync_ns;
    if (source->rank <= lowest)
      lowest = source->rank, base_ns = clock->sync_ns;
  }
  if (own_ns == LOOM_TIME_NONE)
    return FALSE;
  *shift_ns = base_ns - own_ns;
  return TRUE;
}

/* Counts the items of a source that the timeline shows, but that are not written, because they are not in the source's
 * list of trace events. These are all items of a file without trace events (for example of metrics), and the samples
 * and annotations of any other file. `why`: the reason under which the items are counted. `kinds`: mask of the kinds of
 * items to count, as in LoomMergeOptions; 0: all kinds. */
static gboolean
leave_out_source (Composer *composer, guint number, guint kinds, LoomDroppedCount why, GError **error)
{
  LoomExport *merge = composer->merge;
  g_autofree gboolean *sources = g_new0 (gboolean, loom_run_get_n_sources (merge->run));
  LoomMergeOptions options = {
    .has_range = merge->options->has_range, .range = merge->options->range, .sources = sources, .kinds = kinds
  };
  LoomMergeItem item;
  gboolean good = TRUE;
  sources[number] = TRUE;
  g_autoptr (LoomKwayMerge) sweep = loom_kway_merge_new (merge->timeline, merge->places, &options);
  while (good && loom_kway_merge_next (sweep, &item)) {
    guint64 offset = loom_source_ref_offset (item.ref);
    if (item.ref == LOOM_REF_NONE || offset < composer->first_offset || offset > composer->last_offset)
      good = loom_export_leave_out (merge, why, error);
  }
  return good;
}

static gboolean
put_source (Composer *composer, guint number, GError **error)
{
  LoomExport *merge = composer->merge;
  const LoomSource *source = loom_run_get_source (merge->run, number);
  guint clock = loom_run_get_clock_of_source (merge->run, number);
  composer->first_offset = G_MAXUINT64, composer->last_offset = 0;
  if (strcmp (source->format, "smdebug-system") == 0)
    return leave_out_source (composer, number, 0, LOOM_DROPPED_COUNT_METRIC, error);
  if (!loom_raw_events_has_events (source))
    return leave_out_source (composer, number, 0, LOOM_DROPPED_COUNT_TEXTLESS, error);
  composer->map = &loom_alignment_get (loom_timeline_get_alignment (merge->timeline), clock)->map;
  composer->base_ns = source->base_ns;
  composer->source = number;
  composer->stacks = source->stacks;
  composer->renames_frames = shares_frame_ids (merge, number);
  composer->merged = is_merged (source);
  composer->rank = find_rank (composer, source->rank >= 0  ? source->rank
                                        : composer->merged ? 0
                                                           : composer->next_rank++);
  composer->has_shift = merge->options->compat && find_compat_shift (merge, source->rank, &composer->shift_ns);
  if (!loom_raw_events_run (source, merge->progress, take_event, composer, error))
    return FALSE;
  if (composer->error == NULL)
    return loom_output_file_is_good (merge->output) &&
           leave_out_source (composer, number, 1u << LOOM_KWAY_MERGE_INSTANT, LOOM_DROPPED_COUNT_TEXTLESS, error);
  g_propagate_error (error, g_steal_pointer (&composer->error));
  return FALSE;
}

static void
put_backward_threads (Composer *composer)
{
  for (guint i = 0; i < composer->ranks->len; i++) {
    const Rank *rank = &g_array_index (composer->ranks, Rank, i);
    if (rank->backward_tid != NULL)
      put_thread_index (composer, rank->rank, (LoomJsonSlice) { rank->backward_tid, strlen (rank->backward_tid) },
                        BACKWARD_THREAD);
  }
}

static gint
first_free_rank (LoomExport *merge)
{
  gint next = 0;
  for (guint i = 0; i < loom_run_get_n_sources (merge->run); i++)
    next = MAX (next, loom_run_get_source (merge->run, i)->rank + 1);
  return next;
}

static void
clear_rank (gpointer data)
{
  g_free (((Rank *) data)->backward_tid);
}

gboolean
loom_export_write_composer (LoomExport *merge, GError **error)
{
  Composer composer = { .merge = merge,
                        .ranks = g_array_new (FALSE, FALSE, sizeof (Rank)),
                        .text = g_string_new (NULL),
                        .threads = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                        .announced = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                        .next_rank = first_free_rank (merge) };
  gboolean good = TRUE;
  g_array_set_clear_func (composer.ranks, clear_rank);
  loom_export_put (merge, "[");
  for (guint i = 0; good && i < loom_run_get_n_sources (merge->run); i++)
    if (loom_export_wants (merge, i))
      good = put_source (&composer, i, error);
  put_backward_threads (&composer);
  loom_export_put (merge, "\n]\n");
  g_string_free (composer.text, TRUE);
  g_hash_table_unref (composer.announced);
  g_hash_table_unref (composer.threads);
  g_array_unref (composer.ranks);
  return good;
}
