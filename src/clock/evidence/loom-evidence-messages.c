/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds point-to-point messages to the evidence about clocks (loom-evidence.h). A message is sent before it is received,
 * so it gives a lower or an upper bound for the offset between the clocks of sender and receiver. If there are messages
 * in both directions within an interval of time, the middle of the two bounds is used as the offset. The uncertainty of
 * the offset is half of the distance between the bounds, as in the network time protocol (D. L. Mills).
 */
#include "loom-evidence-groups.h"
#include "loom-evidence.h"

#include <string.h>

/* The messages between two clocks are divided into intervals, each of which gives one pair of times. This is the
 * maximum length of an interval, in ns of the clock with the lower index. It is so short that the drift of the clocks
 * within an interval is negligible. */
#define STRETCH_NS LOOM_NS_PER_S

/* The messages between two clocks are divided into intervals, each of which gives one pair of times. A short run is
 * divided into at most N_STRETCHES intervals with at least STRETCH_MESSAGES messages each. Several intervals are needed
 * to fit a line. An interval with few messages would limit the offset only roughly, because all its messages may be
 * slow. */
#define N_STRETCHES 10
#define STRETCH_MESSAGES 16

/* Maximum uncertainty of the offset between two clocks that is computed from the messages in one interval of time. If
 * the uncertainty is larger, the interval is not used. */
#define MOST_UNCERTAINTY_NS (100 * LOOM_NS_PER_MS)

typedef struct {
  LoomEvidenceGroups gathering;
  LoomOccurrences *occurrences;
} Messages;

/* A bound of the offset between two clocks, which follows from a message. `a` and `b`: indices of the clocks, a < b. A
 * time of `b` plus the offset is a time of `a`. If `is_least` is TRUE, the offset is at least `bound_ns`; if not, it is
 * at most `bound_ns`. */
typedef struct {
  guint32 a, b;
  gint64 at_ns; /* time of the message on clock `a` */
  gint64 bound_ns;
  gboolean is_least;
} Bound;

static void
add (const LoomTrace *trace, const LoomSyncEvent *meeting, guint clock, gpointer user_data)
{
  Messages *self = user_data;
  if (meeting->kind != LOOM_SYNC_EVENT_SEND && meeting->kind != LOOM_SYNC_EVENT_RECEIVE)
    return;
  const char *group = loom_trace_get_sync_event_text (trace, meeting->group),
             *name = loom_trace_get_sync_event_text (trace, meeting->name);
  guint64 key = loom_string_pool_hash_join (loom_string_pool_hash (group, strlen (group)),
                                            loom_string_pool_hash (name, strlen (name)));
  key = loom_string_pool_hash_join (key, (guint64) meeting->sequence);
  guint64 side = loom_string_pool_hash_join (loom_string_pool_hash_join (key, meeting->kind), clock);
  key = loom_string_pool_hash_join (key, loom_evidence_groups_count_occurrences (self->occurrences, side));
  gboolean sends = meeting->kind == LOOM_SYNC_EVENT_SEND;
  loom_evidence_groups_add (&self->gathering, key, clock, sends ? meeting->start_ns : meeting->end_ns, LOOM_TIME_NONE,
                            meeting->kind);
}

static int
compare_bounds (gconstpointer x, gconstpointer y)
{
  const Bound *p = x, *q = y;
  if (p->a != q->a)
    return p->a < q->a ? -1 : 1;
  if (p->b != q->b)
    return p->b < q->b ? -1 : 1;
  return p->at_ns < q->at_ns ? -1 : p->at_ns > q->at_ns;
}

static void
add_bound (GArray *bounds, const LoomObservation *sent, const LoomObservation *received)
{
  /* TRUE if `sent` has the clock `a` of the bound, which is the clock with the lower index; FALSE if `received` has the
   * clock `a` */
  gboolean forth = sent->clock < received->clock;
  const LoomObservation *a = forth ? sent : received, *b = forth ? received : sent;
  Bound bound = { a->clock, b->clock, a->local_ns, loom_time_sub (a->local_ns, b->local_ns), forth };
  g_array_append_val (bounds, bound);
}

/* Adds the evidence that a message gives: an order of two events (the message was sent before it was received), and the
 * bound that this order sets for the offset between the two clocks. Skips the message if it does not have exactly one
 * sender and one receiver, or if both have the same clock. */
static void
take_message (LoomEvidence *evidence, GArray *bounds, const LoomObservation *sides, guint n)
{
  if (n != 2 || sides[0].tag == sides[1].tag || sides[0].clock == sides[1].clock)
    return;
  const LoomObservation *sent = sides[0].tag == LOOM_SYNC_EVENT_SEND ? &sides[0] : &sides[1];
  const LoomObservation *received = sent == &sides[0] ? &sides[1] : &sides[0];
  loom_evidence_order (evidence, sent->clock, sent->local_ns, received->clock, received->local_ns, FALSE);
  add_bound (bounds, sent, received);
}

/* Computes the offset between two clocks from the messages in one interval of time (`bounds`), and adds it as an event
 * that both clocks recorded. Messages in one direction give a lower bound of the offset, messages in the other
 * direction an upper bound. Adds nothing if one of the bounds is missing, if the bounds contradict each other, or if
 * they are too far apart. */
static void
take_stretch (LoomEvidence *evidence, const Bound *bounds, guint n)
{
  gint64 least_ns = G_MININT64, most_ns = G_MAXINT64;
  for (guint i = 0; i < n; i++) {
    if (bounds[i].is_least)
      least_ns = MAX (least_ns, bounds[i].bound_ns);
    else
      most_ns = MIN (most_ns, bounds[i].bound_ns);
  }
  if (least_ns == G_MININT64 || most_ns == G_MAXINT64 || least_ns > most_ns)
    return;
  gint64 half_ns = loom_time_sub (most_ns, least_ns) / 2;
  if (half_ns > MOST_UNCERTAINTY_NS)
    return;
  loom_evidence_begin (evidence, LOOM_EVIDENCE_MESSAGES, MAX (half_ns, LOOM_NS_PER_US));
  loom_evidence_read (evidence, bounds[0].a, bounds[n / 2].at_ns, LOOM_TIME_NONE);
  loom_evidence_read (evidence, bounds[0].b, loom_time_sub (bounds[n / 2].at_ns, least_ns + half_ns), LOOM_TIME_NONE);
  loom_evidence_end (evidence);
}

/* The messages between two clocks are divided into intervals of time, for each of which one offset is computed
 * (take_stretch()). Returns the length of these intervals in ns, which is at least 1. `bounds`: the messages, in order
 * of time. */
static gint64
stretch_of (const Bound *bounds, guint n)
{
  gint64 span_ns = loom_time_sub (bounds[n - 1].at_ns, bounds[0].at_ns);
  return MIN (STRETCH_NS, span_ns / CLAMP (n / STRETCH_MESSAGES, 1, N_STRETCHES) + 1);
}

/* Divides the messages between two clocks into intervals of time (stretch_of()), and calls take_stretch() for each
 * interval. */
static void
take_clocks (LoomEvidence *evidence, const Bound *bounds, guint n)
{
  gint64 stretch_ns = stretch_of (bounds, n);
  for (guint i = 0, next; i < n; i = next) {
    for (next = i + 1; next < n && loom_time_sub (bounds[next].at_ns, bounds[i].at_ns) < stretch_ns;)
      next++;
    take_stretch (evidence, &bounds[i], next - i);
  }
}

static void
take_bounds (LoomEvidence *evidence, GArray *bounds)
{
  const Bound *all = (const Bound *) (gpointer) bounds->data;
  g_array_sort (bounds, compare_bounds);
  for (guint i = 0, next; i < bounds->len; i = next) {
    for (next = i + 1; next < bounds->len && all[next].a == all[i].a && all[next].b == all[i].b;)
      next++;
    take_clocks (evidence, &all[i], next - i);
  }
}

void
loom_evidence_add_messages (LoomEvidence *evidence, const LoomRun *run)
{
  Messages self = { .occurrences = loom_evidence_groups_new_occurrences () };
  g_autoptr (GArray) bounds = g_array_new (FALSE, FALSE, sizeof (Bound));
  loom_evidence_groups_init (&self.gathering);
  loom_evidence_groups_for_each_sync_event (run, add, &self);
  loom_evidence_groups_close (&self.gathering);
  const LoomObservation *all = (const LoomObservation *) (gpointer) self.gathering.all->data;
  for (guint i = 0, n; i < self.gathering.all->len; i += n) {
    n = loom_evidence_groups_count_equal (&self.gathering, i);
    take_message (evidence, bounds, &all[i], n);
  }
  take_bounds (evidence, bounds);
  loom_evidence_groups_clear (&self.gathering);
  g_hash_table_unref (self.occurrences);
}
