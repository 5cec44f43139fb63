/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-range-details.h: chooses the time ranges whose events are to be read, reads one range after the other
 * in a worker thread, shows the events in the rows, and frees the events that are no longer shown.
 */
#include "loom-range-details.h"

#include "loom-range-wanted.h"
#include "loom-rank-range.h"
#include "loom-run-details.h"
#include "loom-settings.h"
#include "loom-worker.h"

#include <glib/gi18n.h>

#define MB 1000000
#define SETTLE_MS 120 /* time in ms from a change of the view until look() is called */
/* Time in ms from the last removal of a range until the removed ranges are freed. If a worker thread is running at
 * this time, they are freed later. */
#define FREE_MS 1000
/* Time in s after which a failed range, which could not be read, is read again. The time is doubled after each
 * failure of the same range, up to MOST_RETRY_S. */
#define RETRY_S 4
#define MOST_RETRY_S 64

/* A part: a time range of one trace that was read, or that could not be read. */
typedef struct {
  guint trace;
  /* Number of the detail that contains the events of this range. A detail is a trace that is added to the run
   * (loom-run-details.h). G_MAXUINT if the range could not be read. */
  guint detail;
  LoomRange range;
  guint64 n_bytes;
  /* TRUE if the rows of the rank show this range. A range that the rows do not show is kept only while the user has
   * spans of it selected. */
  gboolean is_shown;
  /* If the range could not be read: the time of the failure, in µs. 0 if the range is to be read again at once. */
  gint64 failed_us;
  /* Time in s from the failure (`failed_us`) until the same range is read again: RETRY_S after the first failure,
   * doubled after each further failure. 0 if the memory limit was the only reason for the failure; RETRY_S is then used
   * instead of `wait_s`. */
  gint64 wait_s;
} Part;

struct _LoomRangeDetails {
  GObject parent;
  LoomTimelineState *view;
  /* The timeline of `parts`; owned. NULL if the view shows no timeline, or a timeline without index files. */
  LoomTimeline *timeline;
  LoomServeClient *through;
  GArray *parts; /* Part: the ranges that were read, and those that could not be read */
  GCancellable *running;
  LoomRangeWanted reading; /* the range that the worker thread is reading */
  guint look_id, free_id, retry_id;
  /* The trace whose row says that its events are being read, while in fact reading waits until the memory of removed
   * ranges is freed. G_MAXUINT if there is no such trace. */
  guint waiting;
  guint64 removed_bytes; /* memory in bytes of the parts that were removed but are not freed yet */
  /* the value of loom_row_list_get_tree_serial() when the shown parts were last added to the rows */
  guint tree_serial;
};

G_DEFINE_FINAL_TYPE (LoomRangeDetails, loom_range_details, G_TYPE_OBJECT)

static void look_later (LoomRangeDetails *self);

/* --- parts: ranges that were read or could not be read ------------------------------------------------------------ */

static Part *
get_part (LoomRangeDetails *self, guint i)
{
  return &g_array_index (self->parts, Part, i);
}

/* Returns a part (Part, a time range) of the trace: if `failed` is FALSE, the part that the rows of the trace show; if
 * `failed` is TRUE, the part that could not be read. Returns NULL if the trace has no such part. */
static Part *
find_part (LoomRangeDetails *self, guint trace, gboolean failed)
{
  for (guint i = 0; i < self->parts->len; i++) {
    Part *part = get_part (self, i);
    if (part->trace == trace && (part->detail == G_MAXUINT) == failed && (failed || part->is_shown))
      return part;
  }
  return NULL;
}

static gboolean
is_same_range (LoomRange a, LoomRange b)
{
  return a.begin_ns == b.begin_ns && a.end_ns == b.end_ns;
}

static Part
new_part (const LoomRangeWanted *wanted)
{
  return (Part) { .trace = wanted->trace, .detail = G_MAXUINT, .range = wanted->range };
}

static gboolean
covers (LoomRange outer, LoomRange inner)
{
  return outer.begin_ns <= inner.begin_ns && outer.end_ns >= inner.end_ns;
}

/* Frees the removed details of the run (loom-run-details.h), which contain the events of ranges that are no longer
 * shown. A running worker thread may use the details; in this case, they are freed at a later attempt. */
static gboolean
free_removed (gpointer user_data)
{
  LoomRangeDetails *self = user_data;
  if (!loom_worker_is_idle ())
    return G_SOURCE_CONTINUE;
  self->free_id = 0;
  self->removed_bytes = 0;
  if (self->timeline != NULL)
    loom_run_details_free_removed (loom_timeline_get_run (self->timeline));
  look_later (self); /* there may now be enough memory for a range that could not be read */
  return G_SOURCE_REMOVE;
}

/* Removes the part (Part, a time range) with the index `i` from the rows of its rank, and from the run. If the user has
 * selected spans of the part, the part stays in the run until these spans are no longer selected. */
static void
remove_part (LoomRangeDetails *self, guint i)
{
  Part *part = get_part (self, i);
  if (part->detail != G_MAXUINT) {
    if (part->is_shown)
      loom_timeline_state_remove_detail (self->view, part->detail);
    part->is_shown = FALSE;
    if (loom_timeline_state_selects_trace (self->view, part->detail))
      return;
    loom_run_details_remove (loom_timeline_get_run (self->timeline), part->detail);
    self->removed_bytes += part->n_bytes;
    g_clear_handle_id (
      &self->free_id,
      /* start the delay again at each removal, because the removed detail may still be in use for a moment, for
       * drawing or for the span under the mouse pointer */
      g_source_remove);
    self->free_id = g_timeout_add (FREE_MS, free_removed, self);
  }
  g_array_remove_index (self->parts, i);
}

static void
set_note (LoomRangeDetails *self, guint trace, const char *text, gboolean is_error)
{
  loom_timeline_state_set_note (self->view, trace, (LoomRowNote) { text, is_error });
}

static guint64
get_most_bytes (void)
{
  guint64 budget = (guint64) MAX (loom_settings_get_int (LOOM_SETTING_MEMORY_BUDGET), 0) * MB;
  return budget > 0 ? MIN (LOOM_RANGE_DETAILS_MOST_BYTES, budget / 4) : LOOM_RANGE_DETAILS_MOST_BYTES;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

typedef struct {
  LoomTimeline *timeline;
  LoomRangeWanted wanted;
  /* the command that reads the file if it is on another machine; NULL if the user gave no command */
  LoomServeClient *through;
  guint64 memory_budget;
  LoomRawRangeCost cost;
} Input;

static void
input_free (Input *input)
{
  loom_timeline_unref (input->timeline);
  loom_serve_client_unref (input->through);
  g_free (input);
}

static LoomTrace *
read_in_thread (Input *input, GCancellable *cancellable, GError **error)
{
  g_autoptr (LoomProgress) progress = loom_progress_new (cancellable);
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (input->timeline), input->wanted.trace);
  const LoomSource *source = loom_trace_get_source (trace, 0);
  gboolean is_here = source->is_indexed_here && g_file_test (source->indexed_path, G_FILE_TEST_EXISTS);
  LoomRankRangeRequest request = { input->timeline,      input->wanted.trace,
                                   input->wanted.range,  is_here ? NULL : input->through,
                                   input->memory_budget, progress };
  return loom_rank_range_read (&request, &input->cost, error);
}

static const char *
get_too_many_words (void)
{
  return _ ("Too many events are in view to show each of them; zoom in");
}

static const char *
get_reading_words (void)
{
  return _ ("Reading events…");
}

static void
remove_failure (LoomRangeDetails *self, guint trace)
{
  for (guint i = self->parts->len; i-- > 0;)
    if (get_part (self, i)->trace == trace && get_part (self, i)->detail == G_MAXUINT)
      remove_part (self, i);
}

static gboolean
retry (gpointer user_data)
{
  LoomRangeDetails *self = user_data;
  self->retry_id = 0;
  look_later (self);
  return G_SOURCE_REMOVE;
}

/* Schedules look() for the time `retry_us`, in µs, to read a range again that could not be read. */
static void
retry_later (LoomRangeDetails *self, gint64 retry_us)
{
  gint64 ms = (retry_us - g_get_monotonic_time ()) / 1000 + 1;
  g_clear_handle_id (&self->retry_id, g_source_remove);
  self->retry_id = g_timeout_add ((guint) CLAMP (ms, SETTLE_MS, MOST_RETRY_S * 1000), retry, self);
}

/* Stores `part`, a time range that could not be read. It replaces an earlier such range of the same trace.
 * get_retry_us() returns the time at which the range is read again. `words`: text for the row of the trace. `is_error`:
 * FALSE if the only reason was the memory limit. */
static void
add_failure (LoomRangeDetails *self, Part part, const char *words, gboolean is_error)
{
  const Part *before = find_part (self, part.trace, TRUE);
  gboolean again = before != NULL && before->wait_s > 0 && is_same_range (before->range, part.range);
  part.wait_s = !is_error ? 0 : again ? MIN (2 * before->wait_s, MOST_RETRY_S) : RETRY_S;
  part.failed_us = g_get_monotonic_time ();
  remove_failure (self, part.trace);
  g_array_append_val (self->parts, part);
  set_note (self, part.trace, words, is_error);
}

/* Shows a range in the rows of its trace. It replaces the range that these rows showed before. */
static void
add_part (LoomRangeDetails *self, Part part, LoomTrace *trace)
{
  LoomRun *run = loom_timeline_get_run (self->timeline);
  part.detail = loom_run_details_add (run, part.trace, trace);
  if (part.detail == G_MAXUINT) {
    add_failure (self, part, get_too_many_words (), FALSE);
    return;
  }
  for (guint i = self->parts->len; i-- > 0;) {
    if (get_part (self, i)->trace != part.trace)
      continue;
    if (get_part (self, i)->detail != G_MAXUINT)
      loom_timeline_state_follow_detail (self->view, get_part (self, i)->detail, part.detail);
    remove_part (self, i);
  }
  part.is_shown = TRUE;
  g_array_append_val (self->parts, part);
  set_note (self, part.trace, NULL, FALSE);
  loom_timeline_state_add_detail (self->view, part.detail, part.range);
}

static void
range_read (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  LoomRangeDetails *self = owner;
  const Input *input = data;
  g_autoptr (LoomTrace) trace = result;
  Part part = new_part (&input->wanted);
  if (trace != NULL) {
    part.n_bytes = loom_trace_get_memory (trace) + input->cost.n_bytes;
    add_part (self, part, trace);
  } else {
    add_failure (self, part, error->message, TRUE);
  }
  look_later (self);
}

static void
read_range (LoomRangeDetails *self, const LoomRangeWanted *wanted)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) read_in_thread, (GDestroyNotify) input_free,
                                       (GDestroyNotify) loom_trace_unref };
  LoomServeClient *through = self->through != NULL ? loom_serve_client_ref (self->through) : NULL;
  guint64 budget = (guint64) MAX (loom_settings_get_int (LOOM_SETTING_MEMORY_BUDGET), 0) * MB;
  Input *input = LOOM_WORKER_INPUT (Input, loom_timeline_ref (self->timeline), *wanted, through, budget, { 0, 0 });
  self->reading = *wanted;
  /* if this trace already shows the reason of an earlier failure, the reason stays visible while the range is read
   * again */
  if (find_part (self, wanted->trace, TRUE) == NULL)
    set_note (self, wanted->trace, get_reading_words (), FALSE);
  loom_worker_start (&self->running, &kind, input, range_read, self);
}

static void
cancel (LoomRangeDetails *self)
{
  if (self->running != NULL && find_part (self, self->reading.trace, TRUE) == NULL)
    set_note (self, self->reading.trace, NULL, FALSE);
  loom_worker_cancel (&self->running);
}

/* --- looking ------------------------------------------------------------------------------------------------------ */

static gboolean
is_covered (LoomRangeDetails *self, guint trace, LoomRange view)
{
  const Part *shown = find_part (self, trace, FALSE);
  return shown != NULL && covers (shown->range, view);
}

/* Removes the parts (Part, time ranges of traces) that are no longer needed. A part that was read is removed if its
 * trace is not in `wanted`, if its range is outside of the view, or if the rows do not show it. A part that could not
 * be read is removed, with its note, if its trace is not in `wanted`, or if a range that was read contains the view. */
static void
drop_unwanted (LoomRangeDetails *self, const GArray *wanted, LoomRange view)
{
  for (guint i = self->parts->len; i-- > 0;) {
    const Part *part = get_part (self, i);
    gboolean is_wanted = loom_range_wanted_find (wanted, part->trace) != NULL;
    if (part->detail == G_MAXUINT && (!is_wanted || is_covered (self, part->trace, view))) {
      set_note (self, part->trace, NULL, FALSE);
      remove_part (self, i);
    } else if (part->detail != G_MAXUINT && (!is_wanted || !part->is_shown || part->range.end_ns <= view.begin_ns ||
                                             part->range.begin_ns >= view.end_ns)) {
      remove_part (self, i);
    }
  }
}

/* Returns the time, in µs, at which the range `wanted` is to be read. `failed`: a range of the same trace that could
 * not be read. If failed->failed_us is 0, returns 0, which means at once. If `failed` is the same range, and a command
 * for another machine is used, returns G_MAXINT64, so that the range is not read again before the view changes: the
 * command may take seconds and ask for a password. This does not apply if the memory limit was the only reason for the
 * failure. Otherwise returns the time of the failure plus a delay. */
static gint64
get_retry_us (LoomRangeDetails *self, const Part *failed, const LoomRangeWanted *wanted)
{
  gboolean again = failed->wait_s > 0 && is_same_range (failed->range, wanted->range);
  if (failed->failed_us == 0)
    return 0;
  if (again && self->through != NULL)
    return G_MAXINT64;
  return failed->failed_us + (again ? failed->wait_s : RETRY_S) * G_USEC_PER_SEC;
}

/* Returns TRUE if the range is to be read now. Returns FALSE if its events are already shown. Also returns FALSE if it
 * is to be read at a later time; sets `*retry_us` to that time, unless `*retry_us` is already earlier. */
static gboolean
must_read (LoomRangeDetails *self, const LoomRangeWanted *wanted, LoomRange view, gint64 *retry_us)
{
  const Part *failed = find_part (self, wanted->trace, TRUE);
  if (is_covered (self, wanted->trace, view))
    return FALSE;
  gint64 due_us = failed != NULL ? get_retry_us (self, failed, wanted) : 0;
  if (due_us <= g_get_monotonic_time ())
    return TRUE;
  *retry_us = MIN (*retry_us, due_us);
  return FALSE;
}

/* Returns TRUE if no range can be read until the memory of removed ranges is freed. */
static gboolean
must_wait (LoomRangeDetails *self)
{
  return self->free_id != 0 && (loom_run_details_is_full (loom_timeline_get_run (self->timeline)) ||
                                loom_range_details_get_bytes (self) + self->removed_bytes >= get_most_bytes ());
}

/* Sets the trace whose row says that its events are being read, while in fact reading waits until removed ranges are
 * freed. `trace`: G_MAXUINT if no trace waits any more. */
static void
set_waiting (LoomRangeDetails *self, guint trace)
{
  guint before = self->waiting;
  if (before == trace)
    return;
  self->waiting = trace;
  if (before != G_MAXUINT && find_part (self, before, TRUE) == NULL)
    set_note (self, before, NULL, FALSE);
  if (trace != G_MAXUINT && find_part (self, trace, TRUE) == NULL)
    set_note (self, trace, get_reading_words (), FALSE);
}

/* Starts to read a range. If all ranges together already use the maximum memory, does not read the range, but stores it
 * as one that could not be read. `retry_us`: see must_read(). */
static void
try_to_read (LoomRangeDetails *self, const LoomRangeWanted *next, LoomRange view, gint64 *retry_us)
{
  if (loom_range_details_get_bytes (self) < get_most_bytes ()) {
    set_waiting (self, G_MAXUINT);
    read_range (self, next);
    return;
  }
  add_failure (self, new_part (next), get_too_many_words (), FALSE);
  must_read (self, next, view, retry_us);
}

/* Starts to read a range for the topmost rank that must be read now, because the events that are in view have not
 * been read yet. */
static void
read_topmost (LoomRangeDetails *self, const GArray *wanted, LoomRange view)
{
  gint64 retry_us = G_MAXINT64;
  guint waiting = G_MAXUINT;
  for (guint i = 0; i < wanted->len && self->running == NULL && waiting == G_MAXUINT; i++) {
    const LoomRangeWanted *next = &g_array_index (wanted, LoomRangeWanted, i);
    if (!must_read (self, next, view, &retry_us))
      continue;
    if (must_wait (self))
      waiting = next->trace;
    else
      try_to_read (self, next, view, &retry_us);
  }
  set_waiting (self, waiting);
  if (retry_us != G_MAXINT64)
    retry_later (self, retry_us);
}

static void
read_next (LoomRangeDetails *self, const GArray *wanted, LoomRange view)
{
  const LoomRangeWanted *current = self->running != NULL ? loom_range_wanted_find (wanted, self->reading.trace) : NULL;
  if (self->running != NULL && current != NULL && covers (self->reading.range, view))
    return;
  cancel (self);
  read_topmost (self, wanted, view);
}

/* Called when the view may show another timeline. Removes all parts (Part, time ranges of traces) of the previous
 * timeline. If the new timeline is of the same run and only its clocks differ, the removed details are freed soon. If
 * it is of another run, the details are freed together with the previous run. */
static void
follow_timeline (LoomRangeDetails *self)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (self->view);
  if (timeline == self->timeline)
    return;
  loom_worker_cancel (&self->running);
  for (guint i = 0; i < self->parts->len; i++)
    if (get_part (self, i)->detail != G_MAXUINT)
      loom_run_details_remove (loom_timeline_get_run (self->timeline), get_part (self, i)->detail);
  g_array_set_size (self->parts, 0);
  self->waiting = G_MAXUINT;
  self->removed_bytes = 0;
  self->free_id = self->free_id != 0 ? self->free_id : g_timeout_add (FREE_MS, free_removed, self);
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  if (timeline != NULL && loom_run_has_index (loom_timeline_get_run (timeline)))
    self->timeline = loom_timeline_ref (timeline);
}

/* If the row list has made new rows, for example because a source was renamed, adds the shown parts (Part, time ranges
 * of traces) to the new rows. Also schedules another attempt to read the ranges that could not be read, because the new
 * rows do not have the notes about these ranges. Otherwise does nothing. */
static void
show_again (LoomRangeDetails *self)
{
  LoomRowList *rows = loom_timeline_state_get_row_list (self->view);
  if (self->tree_serial == loom_row_list_get_tree_serial (rows))
    return;
  self->tree_serial = loom_row_list_get_tree_serial (rows);
  for (guint i = 0; i < self->parts->len; i++) {
    Part *part = get_part (self, i);
    part->failed_us = 0;
    if (part->is_shown && !loom_row_list_has_detail (rows, part->detail))
      loom_timeline_state_add_detail (self->view, part->detail, part->range);
  }
}

static gboolean
look (gpointer user_data)
{
  LoomRangeDetails *self = user_data;
  self->look_id = 0;
  if (self->timeline == NULL)
    return G_SOURCE_REMOVE;
  const LoomViewport *viewport = loom_timeline_state_get_viewport (self->view);
  LoomRange view = { viewport->begin_ns, viewport->end_ns };
  show_again (self);
  g_autoptr (GArray) wanted = loom_range_wanted_list (self->view, self->timeline);
  drop_unwanted (self, wanted, view);
  read_next (self, wanted, view);
  return G_SOURCE_REMOVE;
}

/* Schedules look() in SETTLE_MS ms. If it is already scheduled, does not change the time; so look() is called
 * several times per second while the view moves. */
static void
look_later (LoomRangeDetails *self)
{
  if (self->look_id == 0 && self->timeline != NULL)
    self->look_id = g_timeout_add (SETTLE_MS, look, self);
}

static void
timeline_changed (LoomRangeDetails *self)
{
  follow_timeline (self);
  look_later (self);
}

/* --- GObject class and public functions --------------------------------------------------------------------------- */

static gboolean
free_left (gpointer user_data)
{
  if (!loom_worker_is_idle ())
    return G_SOURCE_CONTINUE;
  loom_run_details_free_removed (loom_timeline_get_run (user_data));
  return G_SOURCE_REMOVE;
}

/* Removes all parts (Part, time ranges of traces) from the run. The run may continue to exist, because the undo history
 * may use it. The memory of the removed details is freed when no worker thread uses them and they are no longer
 * drawn. */
static void
free_later (LoomRangeDetails *self)
{
  for (guint i = 0; i < self->parts->len; i++)
    if (get_part (self, i)->detail != G_MAXUINT)
      loom_run_details_remove (loom_timeline_get_run (self->timeline), get_part (self, i)->detail);
  g_array_set_size (self->parts, 0);
  g_timeout_add_full (G_PRIORITY_DEFAULT, FREE_MS, free_left, loom_timeline_ref (self->timeline),
                      (GDestroyNotify) loom_timeline_unref);
}

static void
dispose (GObject *object)
{
  LoomRangeDetails *self = LOOM_RANGE_DETAILS (object);
  loom_worker_cancel (&self->running);
  if (self->timeline != NULL)
    free_later (self);
  g_clear_handle_id (&self->look_id, g_source_remove);
  g_clear_handle_id (&self->free_id, g_source_remove);
  g_clear_handle_id (&self->retry_id, g_source_remove);
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  g_clear_pointer (&self->through, loom_serve_client_unref);
  g_clear_object (&self->view);
  G_OBJECT_CLASS (loom_range_details_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  g_array_unref (LOOM_RANGE_DETAILS (object)->parts);
  G_OBJECT_CLASS (loom_range_details_parent_class)->finalize (object);
}

static void
loom_range_details_class_init (LoomRangeDetailsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
}

static void
loom_range_details_init (LoomRangeDetails *self)
{
  self->parts = g_array_new (FALSE, FALSE, sizeof (Part));
  self->waiting = G_MAXUINT;
}

LoomRangeDetails *
loom_range_details_new (LoomTimelineState *view)
{
  LoomRangeDetails *self = g_object_new (LOOM_TYPE_RANGE_DETAILS, NULL);
  self->view = g_object_ref (view);
  g_signal_connect_object (view, "timeline-changed", G_CALLBACK (timeline_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "view-changed", G_CALLBACK (look_later), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "rows-changed", G_CALLBACK (look_later), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "selection-changed", G_CALLBACK (look_later), self, G_CONNECT_SWAPPED);
  timeline_changed (self);
  return self;
}

void
loom_range_details_set_through (LoomRangeDetails *self, LoomServeClient *through)
{
  LoomServeClient *old = self->through;
  self->through = through != NULL ? loom_serve_client_ref (through) : NULL;
  loom_serve_client_unref (old);
  for (guint i = self->parts->len; i-- > 0;)
    get_part (self, i)->failed_us = 0;
  look_later (self);
}

gboolean
loom_range_details_is_idle (LoomRangeDetails *self)
{
  return self->running == NULL && self->look_id == 0;
}

guint
loom_range_details_find (LoomRangeDetails *self, guint trace, LoomRange range)
{
  const Part *part = find_part (self, trace, FALSE);
  return part != NULL && covers (part->range, range) ? part->detail : G_MAXUINT;
}

guint64
loom_range_details_get_bytes (LoomRangeDetails *self)
{
  guint64 n_bytes = 0;
  for (guint i = 0; i < self->parts->len; i++)
    n_bytes += get_part (self, i)->n_bytes;
  return n_bytes;
}
