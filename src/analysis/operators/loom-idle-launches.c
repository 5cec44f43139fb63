/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-idle-launches.h"

#include "loom-merge-sort.h"
#include "loom-track-rank.h"

#define IS_BEFORE(a, b) ((a)->launch < (b)->launch)
LOOM_DEFINE_SORT (sort_calls, LoomIdleCall, IS_BEFORE)

/* --- joining the elements of a call ------------------------------------------------------------------------------- */

static void
join_call (LoomIdleCall *call, const LoomIdleCall *other)
{
  if (other->begin_ns < call->begin_ns) {
    call->begin_ns = other->begin_ns;
    call->launch_ns = other->launch_ns;
  }
  call->device_ns = loom_time_add (call->device_ns, other->device_ns);
  call->inside_ns = loom_time_add (call->inside_ns, other->inside_ns);
  call->is_cut |= other->is_cut;
}

void
loom_idle_launches_add (GArray *calls, const LoomIdleCall *call)
{
  LoomIdleCall *last = calls->len > 0 ? &g_array_index (calls, LoomIdleCall, calls->len - 1) : NULL;
  if (last != NULL && last->launch == call->launch)
    join_call (last, call);
  else
    g_array_append_vals (calls, call, 1);
}

/* Joins the elements of `calls` that belong to one call. A call has several elements if it launched kernels on several
 * streams. */
static void
join_calls (GArray *calls)
{
  LoomIdleCall *all = (LoomIdleCall *) (gpointer) calls->data;
  guint n = 0;
  sort_calls (all, calls->len);
  for (guint i = 0; i < calls->len; i++) {
    if (n > 0 && all[n - 1].launch == all[i].launch)
      join_call (&all[n - 1], &all[i]);
    else
      all[n++] = all[i];
  }
  g_array_set_size (calls, n);
}

/* --- sums of the launches with the same rank and name ------------------------------------------------------------- */

typedef struct {
  GArray *launches;
  LoomTimeline *timeline;
  const LoomTrace *trace;
  guint number;   /* index of the trace in the run */
  GHashTable *of; /* LaunchKey → 1 + the index in `launches` of the sum for this rank and name */
} Sums;

/* Identifies a sum over launches: all launches that have the same name and were made by the same rank. A trace may
 * contain several ranks; a launch is made by the rank of its thread's track. */
typedef struct {
  const char *node; /* borrowed from the trace; NULL: unknown */
  gint rank;
  guint source;
  guint32 name_id;
} LaunchKey;

static guint
hash_launch_key (gconstpointer data)
{
  const LaunchKey *key = data;
  guint hash = key->name_id * 31 + (guint) key->rank;
  return (hash * 31 + key->source) * 31 + (key->node != NULL ? g_str_hash (key->node) : 0);
}

static gboolean
equal_launch_keys (gconstpointer a, gconstpointer b)
{
  const LaunchKey *x = a, *y = b;
  return x->name_id == y->name_id && x->rank == y->rank && x->source == y->source && g_strcmp0 (x->node, y->node) == 0;
}

static LoomIdleLaunches *
find_launches (Sums *sums, guint32 launch)
{
  guint32 name_id = loom_trace_get_spans (sums->trace)->name_id[launch], track, row;
  loom_trace_locate_span (sums->trace, launch, &track, &row);
  const LoomTrack *own = loom_trace_get_track (sums->trace, track);
  LaunchKey key = { own->node, own->rank, own->source, name_id };
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (sums->of, &key));
  if (found == 0) {
    LoomRun *run = loom_timeline_get_run (sums->timeline);
    LoomIdleLaunches empty = { .trace = sums->number,
                               .name = loom_trace_get_name (sums->trace, name_id)->text,
                               .node = own->node,
                               .rank = own->rank,
                               .is_process = loom_track_rank_is_process (own, own->format),
                               .source = loom_run_get_first_source (run, sums->number) + own->source,
                               .longest = launch };
    g_array_append_val (sums->launches, empty);
    found = sums->launches->len;
    g_hash_table_insert (sums->of, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (found));
  }
  return &g_array_index (sums->launches, LoomIdleLaunches, found - 1);
}

/* Returns how many ns of the time from `begin_ns` to `end_ns` are inside the range. All times are on the clock of the
 * device. */
static gint64
cut_to_range (const LoomIdleCall *call, gint64 begin_ns, gint64 end_ns)
{
  return MAX (0, loom_time_sub (MIN (end_ns, call->range.end_ns), MAX (begin_ns, call->range.begin_ns)));
}

static void
add_delay (LoomIdleLaunches *launches, const LoomIdleCall *call, gint64 host_ns)
{
  gint64 end_ns = loom_time_add (call->launch_ns, host_ns), delay_ns = loom_time_sub (call->begin_ns, end_ns);
  launches->n_early += call->begin_ns < call->launch_ns;
  launches->n_long_delays += delay_ns > LOOM_IDLE_TIME_LONG_DELAY_NS;
  delay_ns = MAX (delay_ns, 0);
  launches->whole_delays_ns = loom_time_add (launches->whole_delays_ns, delay_ns);
  launches->delay_ns = loom_time_add (launches->delay_ns, cut_to_range (call, end_ns, call->begin_ns));
  if (delay_ns > launches->longest_delay_ns) {
    launches->longest_delay_ns = delay_ns;
    launches->longest = call->launch;
  }
}

static void
add_to_sums (Sums *sums, const LoomIdleCall *call)
{
  LoomIdleLaunches *launches = find_launches (sums, call->launch);
  gint64 host_ns = loom_trace_get_spans (sums->trace)->dur_ns[call->launch];
  launches->n++;
  launches->n_slow_calls += host_ns > LOOM_IDLE_TIME_SLOW_CALL_NS;
  launches->whole_calls_ns = loom_time_add (launches->whole_calls_ns, host_ns);
  launches->host_ns =
    loom_time_add (launches->host_ns, cut_to_range (call, call->launch_ns, loom_time_add (call->launch_ns, host_ns)));
  launches->device_ns = loom_time_add (launches->device_ns, call->inside_ns);
  if (call->is_cut)
    return;
  launches->n_short += call->device_ns < host_ns && host_ns <= LOOM_IDLE_TIME_SLOW_CALL_NS;
  add_delay (launches, call, host_ns);
}

static int
compare_launches (gconstpointer a, gconstpointer b)
{
  const LoomIdleLaunches *x = a, *y = b;
  if (x->n != y->n)
    return x->n > y->n ? -1 : 1;
  gint order = g_strcmp0 (x->name, y->name);
  return order != 0 ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

void
loom_idle_launches_sum (GArray *launches, LoomTimeline *timeline, guint trace, GArray *calls)
{
  const LoomTrace *own = loom_run_get_trace (loom_timeline_get_run (timeline), trace);
  g_autoptr (GHashTable) of = g_hash_table_new_full (hash_launch_key, equal_launch_keys, g_free, NULL);
  Sums sums = { launches, timeline, own, trace, of };
  join_calls (calls);
  for (guint i = 0; i < calls->len; i++)
    add_to_sums (&sums, &g_array_index (calls, LoomIdleCall, i));
  g_array_sort (launches, compare_launches);
}
