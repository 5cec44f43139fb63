/* SPDX-License-Identifier: Apache-2.0
 *
 * Completes the events of a Perfetto trace after all packets have been read: converts their times to one clock, joins
 * begin and end events to spans, makes arrows from ids that connect events, and computes the values of counters. The
 * interface is described in loom-perfetto-pairs.h.
 */
#include "loom-perfetto-pairs.h"

#include "loom-perfetto-ids.h"
#include "loom-time.h"

#include <stdlib.h>

#define NONE G_MAXUINT32
#define MOST_ARROWS (1u << 29)

/* --- times -------------------------------------------------------------------------------------------------------- */

static gboolean
convert (const LoomPerfettoTrace *trace, const LoomPerfettoContext *context, gint64 *time_ns)
{
  gint64 converted_ns = *time_ns;
  if (!loom_perfetto_clocks_convert (trace->clocks, context->clock, &converted_ns))
    return context->is_soft;
  *time_ns = converted_ns;
  return TRUE;
}

/* Returns the clock that most events and samples use. The times of a trace without clock snapshots remain in this
 * clock. */
static guint
find_main_clock (const LoomPerfettoTrace *trace)
{
  if (trace->contexts->len == 1)
    return loom_perfetto_trace_get_context (trace, 0)->clock;
  g_autoptr (GArray) counts = g_array_new (FALSE, TRUE, sizeof (guint64));
  guint best = 0;
  for (guint i = 0; i < trace->contexts->len; i++)
    if (loom_perfetto_trace_get_context (trace, i)->clock >= counts->len)
      g_array_set_size (counts, loom_perfetto_trace_get_context (trace, i)->clock + 1);
  for (guint i = 0; i < trace->events.len; i++)
    g_array_index (counts, guint64,
                   loom_perfetto_trace_get_event_context (trace, loom_perfetto_trace_get_event (trace, i))->clock)++;
  for (guint i = 0; i < trace->samples->len; i++)
    g_array_index (
      counts, guint64,
      loom_perfetto_trace_get_context (trace, g_array_index (trace->samples, LoomPerfettoSample, i).context)->clock)++;
  for (guint i = 1; i < counts->len; i++)
    if (g_array_index (counts, guint64, i) > g_array_index (counts, guint64, best))
      best = i;
  return best;
}

static void
convert_event (LoomPerfettoTrace *trace, LoomPerfettoEvent *event)
{
  const LoomPerfettoContext *context = loom_perfetto_trace_get_event_context (trace, event);
  gboolean has_end = event->end_ns != LOOM_PERFETTO_OPEN;
  if (!convert (trace, context, &event->start_ns) || (has_end && !convert (trace, context, &event->end_ns))) {
    loom_perfetto_trace_lose (trace, LOOM_PERFETTO_UNRELATED, event->place);
    event->kind = LOOM_PERFETTO_REMOVED;
  } else if (has_end && event->end_ns < event->start_ns) { /* the wall clock was set back during the span, so its end
                                                            * precedes its start */
    event->end_ns = event->start_ns;
    loom_perfetto_trace_lose (trace, LOOM_PERFETTO_BACKWARDS, event->place);
  }
}

/* Converts the times of the events, and finds out whether most events have times that look like times since 1970. If
 * all events use the chosen clock, as in most traces, only unusual events must be converted: those that end before they
 * start, and those with a time out of range. */
static void
convert_events (LoomPerfettoTrace *trace)
{
  gboolean is_plain = trace->contexts->len == 1 &&
                      loom_perfetto_clocks_is_chosen (trace->clocks, loom_perfetto_trace_get_context (trace, 0)->clock);
  guint64 n_plausible = 0;
  if (is_plain && !trace->survey.is_unusual && trace->survey.n_unpaired == 0) {
    trace->is_epoch = trace->survey.n_plausible * 2 > trace->events.len;
    return;
  }
  trace->survey.is_unusual = TRUE; /* converting the times may remove events */
  for (guint i = 0; i < trace->events.len; i++) {
    LoomPerfettoEvent *event = loom_perfetto_trace_get_event (trace, i);
    gboolean is_usual = is_plain && event->end_ns >= event->start_ns && !loom_time_is_saturated (event->start_ns) &&
                        (event->end_ns == LOOM_PERFETTO_OPEN || !loom_time_is_saturated (event->end_ns));
    if (!is_usual)
      convert_event (trace, event);
    n_plausible += event->start_ns >= LOOM_TIME_PLAUSIBLE_MIN && event->start_ns < LOOM_TIME_PLAUSIBLE_MAX;
  }
  trace->is_epoch = n_plausible * 2 > trace->events.len;
}

void
loom_perfetto_pairs_convert_times (LoomPerfettoTrace *trace)
{
  guint main = find_main_clock (trace);
  trace->is_utc = loom_perfetto_clocks_choose (trace->clocks, main);
  trace->is_by_snapshots = loom_perfetto_clocks_get_n_snapshots (trace->clocks) > 0;
  trace->drift_ns = loom_perfetto_clocks_find_drift (trace->clocks, main);
  convert_events (trace);
  for (guint i = 0; i < trace->links->len; i++) {
    LoomPerfettoLink *link = &g_array_index (trace->links, LoomPerfettoLink, i);
    convert (trace, loom_perfetto_trace_get_context (trace, link->context), &link->time_ns);
  }
  for (guint i = 0; i < trace->samples->len; i++) {
    LoomPerfettoSample *sample = &g_array_index (trace->samples, LoomPerfettoSample, i);
    if (convert (trace, loom_perfetto_trace_get_context (trace, sample->context), &sample->time_ns))
      continue;
    loom_perfetto_trace_lose (trace, LOOM_PERFETTO_UNRELATED, G_MAXUINT64);
    sample->context = NONE;
  }
}

/* --- pairs -------------------------------------------------------------------------------------------------------- */

typedef struct {
  gint64 time_ns;
  guint32 event;
} Mark;

static gint
compare_marks (const void *a, const void *b)
{
  const Mark *x = a, *y = b;
  if (x->time_ns != y->time_ns)
    return x->time_ns < y->time_ns ? -1 : 1;
  return (x->event > y->event) - (x->event < y->event);
}

static gboolean
is_sorted (const GArray *marks)
{
  for (guint i = 1; i < marks->len; i++)
    if (compare_marks (&g_array_index (marks, Mark, i - 1), &g_array_index (marks, Mark, i)) > 0)
      return FALSE;
  return TRUE;
}

/* Returns the numbers of the events that have the kind `kind` or `other`, sorted by time; events of equal time remain
 * in the order of the file. Owned by the caller. */
static GArray *
list_marks (const LoomPerfettoTrace *trace, LoomPerfettoKind kind, LoomPerfettoKind other)
{
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (Mark));
  for (guint32 i = 0; i < trace->events.len; i++) {
    const LoomPerfettoEvent *event = loom_perfetto_trace_get_event (trace, i);
    Mark mark = { event->start_ns, i };
    if (event->kind == kind || event->kind == other)
      g_array_append_val (marks, mark);
  }
  if (!is_sorted (marks))
    qsort (marks->data, marks->len, sizeof (Mark), compare_marks);
  return marks;
}

static guint32 *
new_table (guint n)
{
  guint32 *table = g_new (guint32, n + 1);
  for (guint i = 0; i <= n; i++)
    table[i] = NONE;
  return table;
}

/* Returns TRUE if a damaged part of the file lies between two places. */
static gboolean
is_gap_between (const LoomPerfettoTrace *trace, guint64 first, guint64 last)
{
  guint low = 0, high = trace->gaps->len;
  while (low < high) {
    guint middle = (low + high) / 2;
    if (g_array_index (trace->gaps, LoomPerfettoGap, middle).begin <= first)
      low = middle + 1;
    else
      high = middle;
  }
  return low < trace->gaps->len && g_array_index (trace->gaps, LoomPerfettoGap, low).begin <= last;
}

/* Ends the innermost span that is open on the track of the end event `number`. `open`: array indexed by track: number
 * of the innermost open begin event. The `end_ns` of an open begin event contains the number of the next outer open
 * begin event of the track. */
static void
close_span (LoomPerfettoTrace *trace, guint32 *open, guint32 number)
{
  LoomPerfettoEvent *end = loom_perfetto_trace_get_event (trace, number);
  guint32 track = loom_perfetto_trace_get_track (trace, end), opened = open[track];
  if (opened == NONE) {
    loom_perfetto_trace_lose (trace, LOOM_PERFETTO_NO_BEGIN, end->place);
    end->kind = LOOM_PERFETTO_REMOVED;
    return;
  }
  LoomPerfettoEvent *begin = loom_perfetto_trace_get_event (trace, opened);
  LoomPerfettoTail tail = { opened, end->place };
  open[track] = (guint32) begin->end_ns;
  begin->end_ns = end->start_ns;
  begin->kind = LOOM_PERFETTO_SPAN;
  end->is_paired = TRUE;
  end->end_ns = opened;
  begin->has_tail = end->is_told;
  if (end->is_told)
    g_array_append_val (trace->tails, tail);
  if (is_gap_between (trace, begin->place, end->place))
    loom_perfetto_trace_lose (trace, LOOM_PERFETTO_ACROSS_DAMAGE, end->place);
}

static void
pair_by_time (LoomPerfettoTrace *trace)
{
  g_autoptr (GArray) marks = list_marks (trace, LOOM_PERFETTO_BEGIN, LOOM_PERFETTO_END);
  g_autofree guint32 *open = marks->len > 0 ? new_table (trace->tracks->tracks->len) : NULL;
  for (guint i = 0; i < marks->len; i++) {
    guint32 number = g_array_index (marks, Mark, i).event;
    LoomPerfettoEvent *event = loom_perfetto_trace_get_event (trace, number);
    if (event->kind == LOOM_PERFETTO_END) {
      close_span (trace, open, number);
    } else {
      guint32 track = loom_perfetto_trace_get_track (trace, event);
      event->end_ns = open[track];
      open[track] = number;
    }
  }
  for (guint i = 0; i < marks->len; i++) {
    LoomPerfettoEvent *event = loom_perfetto_trace_get_event (trace, g_array_index (marks, Mark, i).event);
    if (event->kind != LOOM_PERFETTO_BEGIN)
      continue;
    event->kind = LOOM_PERFETTO_SPAN;
    event->end_ns = LOOM_PERFETTO_OPEN; /* the span has no end; this is reported by loom_trace_builder_freeze() */
  }
}

/* Ends each state at the start of the next state of its track. The last state of a track ends at the end of the
 * trace. */
static void
end_states (LoomPerfettoTrace *trace)
{
  g_autoptr (GArray) marks = list_marks (trace, LOOM_PERFETTO_STATE, LOOM_PERFETTO_STATE);
  g_autofree guint32 *last = marks->len > 0 ? new_table (trace->tracks->tracks->len) : NULL;
  for (guint i = 0; i < marks->len; i++) {
    guint32 number = g_array_index (marks, Mark, i).event;
    LoomPerfettoEvent *event = loom_perfetto_trace_get_event (trace, number);
    guint32 track = loom_perfetto_trace_get_track (trace, event);
    if (!loom_perfetto_tracks_get (trace->tracks, track)->is_state) {
      loom_perfetto_trace_lose (trace, LOOM_PERFETTO_NO_STATE_TRACK, event->place);
      event->kind = LOOM_PERFETTO_REMOVED;
      continue;
    }
    if (last[track] != NONE)
      loom_perfetto_trace_get_event (trace, last[track])->end_ns = event->start_ns;
    event->end_ns = LOOM_PERFETTO_OPEN;
    last[track] = event->is_told ? number : NONE;
    if (!event->is_told) /* a state without a name only ends the previous state and is not shown */
      event->kind = LOOM_PERFETTO_REMOVED;
  }
}

static gint
compare_tails (gconstpointer a, gconstpointer b)
{
  const LoomPerfettoTail *x = a, *y = b;
  return (x->event > y->event) - (x->event < y->event);
}

/* Changes each link (LoomPerfettoLink) that refers to the end event of a span, so that it refers to the span itself. */
static void
move_links_to_spans (LoomPerfettoTrace *trace)
{
  for (guint i = 0; i < trace->links->len; i++) {
    LoomPerfettoLink *link = &g_array_index (trace->links, LoomPerfettoLink, i);
    const LoomPerfettoEvent *event = loom_perfetto_trace_get_event (trace, link->event);
    if (event->kind == LOOM_PERFETTO_END && event->is_paired)
      link->event = (guint32) event->end_ns;
  }
}

static void
renumber (LoomPerfettoTrace *trace, const guint32 *moved)
{
  guint n = 0;
  for (guint i = 0; i < trace->tails->len; i++) {
    LoomPerfettoTail *tail = &g_array_index (trace->tails, LoomPerfettoTail, i);
    tail->event = moved[tail->event];
  }
  for (guint i = 0; i < trace->links->len; i++) {
    LoomPerfettoLink link = g_array_index (trace->links, LoomPerfettoLink, i);
    link.event = moved[link.event];
    if (link.event != NONE)
      g_array_index (trace->links, LoomPerfettoLink, n++) = link;
  }
  g_array_set_size (trace->links, n);
}

/* Removes end events, and events of kind REMOVED, from the list of events. */
static void
compact (LoomPerfettoTrace *trace)
{
  guint32 n = 0, first = 0;
  for (; first < trace->events.len; first++) {
    const LoomPerfettoEvent *event = loom_perfetto_trace_get_event (trace, first);
    if (event->kind == LOOM_PERFETTO_END || event->kind == LOOM_PERFETTO_REMOVED)
      break;
  }
  if (first == trace->events.len)
    return;
  g_autofree guint32 *moved = g_new (guint32, trace->events.len);
  for (guint32 i = 0; i < trace->events.len; i++) {
    LoomPerfettoEvent event = *loom_perfetto_trace_get_event (trace, i);
    gboolean is_kept = event.kind != LOOM_PERFETTO_END && event.kind != LOOM_PERFETTO_REMOVED;
    moved[i] = is_kept ? n : NONE;
    if (is_kept)
      *loom_perfetto_trace_get_event (trace, n++) = event;
  }
  trace->events.len = n;
  renumber (trace, moved);
}

/* Removes the tails (places of end events with args, see LoomPerfettoTail) for which loom_perfetto_packets_can_reread()
 * returns FALSE, because unpacking their packets again would take too long. Calls it in the order of the events,
 * because the tails are read later in this order. */
static void
limit_tails (LoomPerfettoTrace *trace)
{
  guint n = 0;
  for (guint i = 0; i < trace->tails->len; i++) {
    LoomPerfettoTail tail = g_array_index (trace->tails, LoomPerfettoTail, i);
    if (tail.event == NONE) /* the span of this tail was removed */
      continue;
    if (loom_perfetto_packets_can_reread (trace->packets, tail.place)) {
      g_array_index (trace->tails, LoomPerfettoTail, n++) = tail;
      continue;
    }
    loom_perfetto_trace_get_event (trace, tail.event)->has_tail = FALSE;
    loom_perfetto_trace_lose (trace, LOOM_PERFETTO_FAR_ARGS, tail.place);
  }
  g_array_set_size (trace->tails, n);
}

void
loom_perfetto_pairs_find (LoomPerfettoTrace *trace)
{
  if (trace->survey.n_unpaired > 0) {
    pair_by_time (trace);
    end_states (trace);
  }
  move_links_to_spans (trace);
  if (trace->survey.is_unusual)
    compact (trace);
  g_array_sort (trace->tails, compare_tails);
  limit_tails (trace);
}

/* --- arrows ------------------------------------------------------------------------------------------------------- */

static gint
compare_links (const void *a, const void *b)
{
  const LoomPerfettoLink *x = a, *y = b;
  if (x->id != y->id)
    return x->id < y->id ? -1 : 1;
  return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

static gint
compare_arrows (const void *a, const void *b)
{
  const LoomPerfettoArrow *x = a, *y = b;
  return (x->event > y->event) - (x->event < y->event);
}

/* Sorts an array and keeps the order of equal elements. Fast if the array is already sorted. */
static void
sort_if_needed (GArray *array, gsize n_bytes, gint (*compare) (const void *a, const void *b))
{
  for (guint i = 1; i < array->len; i++)
    if (compare (array->data + (i - 1) * n_bytes, array->data + i * n_bytes) > 0) {
      g_array_sort (array, compare);
      return;
    }
}

/* Returns the links that have the kind `kind` or `other`, sorted by id; links with equal ids are sorted by time. Owned
 * by the caller. */
static GArray *
list_links (const LoomPerfettoTrace *trace, LoomPerfettoLinkKind kind, LoomPerfettoLinkKind other)
{
  GArray *links = g_array_new (FALSE, FALSE, sizeof (LoomPerfettoLink));
  for (guint i = 0; i < trace->links->len; i++) {
    const LoomPerfettoLink *link = &g_array_index (trace->links, LoomPerfettoLink, i);
    if (link->kind == kind || link->kind == other)
      g_array_append_val (links, *link);
  }
  sort_if_needed (links, sizeof (LoomPerfettoLink), compare_links);
  return links;
}

static void
add_arrow (LoomPerfettoTrace *trace, LoomPerfettoArrowKind kind, guint32 from, guint32 to)
{
  guint32 number = trace->arrows->len / 2;
  LoomPerfettoArrow tail = { from, number, FALSE, kind }, head = { to, number, TRUE, kind };
  if (number >= MOST_ARROWS || from == to)
    return;
  g_array_append_val (trace->arrows, tail);
  g_array_append_val (trace->arrows, head);
  loom_perfetto_trace_get_event (trace, from)->has_arrows = TRUE;
  loom_perfetto_trace_get_event (trace, to)->has_arrows = TRUE;
}

/* Adds an arrow from each event with a flow id to the next event in time with the same flow id, except from an event at
 * which the flow ends. */
static void
link_flows (LoomPerfettoTrace *trace)
{
  g_autoptr (GArray) links = list_links (trace, LOOM_PERFETTO_LINK_FLOW, LOOM_PERFETTO_LINK_LAST_FLOW);
  const LoomPerfettoLink *last = NULL;
  for (guint i = 0; i < links->len; i++) {
    const LoomPerfettoLink *link = &g_array_index (links, LoomPerfettoLink, i);
    if (last != NULL && last->id == link->id)
      add_arrow (trace, LOOM_PERFETTO_FLOW, last->event, link->event);
    last = link->kind == LOOM_PERFETTO_LINK_FLOW ? link : NULL;
  }
}

/* Returns the index of the first link whose id is at least `id`. */
static guint
find_link (const GArray *links, guint64 id)
{
  guint low = 0, high = links->len;
  while (low < high) {
    guint middle = (low + high) / 2;
    if (g_array_index (links, LoomPerfettoLink, middle).id < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Adds an arrow from each event that launches a GPU stage to the stage, and from each stage to each event that waits
 * for it. */
static void
link_stages (LoomPerfettoTrace *trace)
{
  /* maximum number of stages with the same id that get arrows, because a damaged file may have any number of such
   * stages */
  enum { MOST_STAGES = 16 };
  g_autoptr (GArray) users = list_links (trace, LOOM_PERFETTO_LINK_LAUNCHES, LOOM_PERFETTO_LINK_AWAITS);
  g_autoptr (GArray) stages = list_links (trace, LOOM_PERFETTO_LINK_STAGE, LOOM_PERFETTO_LINK_STAGE);
  for (guint i = 0; i < users->len; i++) {
    const LoomPerfettoLink *user = &g_array_index (users, LoomPerfettoLink, i);
    guint first = find_link (stages, user->id);
    for (guint j = first; j < stages->len && j < first + MOST_STAGES; j++) {
      const LoomPerfettoLink *stage = &g_array_index (stages, LoomPerfettoLink, j);
      if (stage->id != user->id)
        break;
      if (user->kind == LOOM_PERFETTO_LINK_LAUNCHES)
        add_arrow (trace, LOOM_PERFETTO_LAUNCH, user->event, stage->event);
      else
        add_arrow (trace, LOOM_PERFETTO_WAIT, stage->event, user->event);
    }
  }
}

void
loom_perfetto_pairs_link (LoomPerfettoTrace *trace)
{
  link_flows (trace);
  link_stages (trace);
  sort_if_needed (trace->arrows, sizeof (LoomPerfettoArrow), compare_arrows);
  g_clear_pointer (&trace->links, g_array_unref);
}

/* --- samples ------------------------------------------------------------------------------------------------------ */

static double
get_real (const LoomPerfettoSample *sample)
{
  return sample->is_real ? sample->value.real : (double) sample->value.integer;
}

static void
set_real (LoomPerfettoSample *sample, double value)
{
  sample->value.real = value;
  sample->is_real = TRUE;
}

/* Replaces the increment in a sample of an incremental counter by the value of the counter: the sum of this increment
 * and of all earlier increments since the state of the sequence was last cleared. */
static void
add_up (GHashTable *sums, guint32 generation, LoomPerfettoSample *sample)
{
  LoomPerfettoSample *sum = loom_perfetto_ids_find (sums, generation, sample->track, 0);
  if (sum == NULL) {
    loom_perfetto_ids_insert (sums, generation, sample->track, 0, g_memdup2 (sample, sizeof *sample));
    return;
  }
  if (sum->is_real || sample->is_real ||
      __builtin_add_overflow (sum->value.integer, sample->value.integer, &sum->value.integer))
    set_real (sum, get_real (sum) + get_real (sample));
  sample->value = sum->value;
  sample->is_real = sum->is_real;
}

/* Moves the value of a GPU counter's sample to the previous sample of the track, because Perfetto writes the value of a
 * period at the end of the period. The last sample of the track gets 0 later. */
static void
shift_back (LoomPerfettoTrace *trace, guint32 *last, guint number)
{
  LoomPerfettoSample *sample = &g_array_index (trace->samples, LoomPerfettoSample, number);
  guint32 before = last[sample->track];
  if (before == NONE) {
    loom_perfetto_trace_lose (trace, LOOM_PERFETTO_FIRST_SAMPLE, G_MAXUINT64);
  } else {
    LoomPerfettoSample *earlier = &g_array_index (trace->samples, LoomPerfettoSample, before);
    earlier->value = sample->value;
    earlier->is_real = sample->is_real;
  }
  last[sample->track] = number;
}

static gboolean
is_shifted (const LoomPerfettoTrace *trace, const LoomPerfettoSample *sample)
{
  const LoomPerfettoTrack *track = loom_perfetto_tracks_get (trace->tracks, sample->track);
  return sample->context != NONE && track->is_gpu_counter && !track->is_forwards;
}

static int
compare_times (gconstpointer a, gconstpointer b, gpointer samples)
{
  const LoomPerfettoSample *x = &g_array_index ((GArray *) samples, LoomPerfettoSample, *(const guint32 *) a),
                           *y = &g_array_index ((GArray *) samples, LoomPerfettoSample, *(const guint32 *) b);
  return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

/* Returns the indices of the samples to which shift_back() applies, sorted by time, because the packets in the file may
 * be in another order. Owned by the caller. */
static GArray *
list_shifted (const LoomPerfettoTrace *trace)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (guint32));
  gboolean is_sorted = TRUE;
  gint64 last_ns = G_MININT64;
  for (guint32 i = 0; i < trace->samples->len; i++) {
    const LoomPerfettoSample *sample = &g_array_index (trace->samples, LoomPerfettoSample, i);
    if (!is_shifted (trace, sample))
      continue;
    is_sorted &= sample->time_ns >= last_ns;
    last_ns = sample->time_ns;
    g_array_append_val (list, i);
  }
  if (!is_sorted)
    g_array_sort_with_data (list, compare_times, trace->samples);
  return list;
}

static void
finish_shifts (LoomPerfettoTrace *trace, const guint32 *last)
{
  for (guint32 i = 0; i < trace->tracks->tracks->len; i++)
    if (last[i] != NONE)
      set_real (&g_array_index (trace->samples, LoomPerfettoSample, last[i]), 0);
}

static void
settle_sample (LoomPerfettoTrace *trace, GHashTable *sums, LoomPerfettoSample *sample)
{
  const LoomPerfettoTrack *track = loom_perfetto_tracks_get (trace->tracks, sample->track);
  gint64 scaled;
  if (sample->is_real || __builtin_mul_overflow (sample->value.integer, track->multiplier, &scaled))
    set_real (sample, get_real (sample) * (double) track->multiplier);
  else
    sample->value.integer = scaled;
  if (track->is_incremental)
    add_up (sums, loom_perfetto_trace_get_context (trace, sample->context)->generation, sample);
}

void
loom_perfetto_pairs_add_up_samples (LoomPerfettoTrace *trace)
{
  g_autoptr (GHashTable) sums = loom_perfetto_ids_new (g_free);
  g_autofree guint32 *last = new_table (trace->tracks->tracks->len);
  for (guint i = 0; i < trace->samples->len; i++) {
    LoomPerfettoSample *sample = &g_array_index (trace->samples, LoomPerfettoSample, i);
    if (sample->context != NONE && !is_shifted (trace, sample))
      settle_sample (trace, sums, sample);
  }
  g_autoptr (GArray) shifted = list_shifted (trace);
  for (guint i = 0; i < shifted->len; i++)
    shift_back (trace, last, g_array_index (shifted, guint32, i));
  finish_shifts (trace, last);
}
