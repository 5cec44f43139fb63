/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-custom-rule-groups.h"

#include <math.h>
#include <string.h>

#include "loom-custom-rule-counters.h"
#include "loom-custom-rule-label.h"
#include "loom-custom-rule-regex.h"
#include "loom-int64-hash.h"
#include "loom-loop-threads.h"
#include "loom-merge-sort.h"
#include "loom-ranges.h"
#include "loom-statistics.h"
#include "loom-work-kind.h"

#define CANCEL_EVERY 65536

typedef struct {
  LoomDataFrame *frame;
  const LoomCustomRule *rule;
  LoomCustomRuleRegex match[LOOM_N_CUSTOM_RULE_FIELDS];
  GHashTable *types; /* category of a span → whether the rule matches the category */
  /* [trace][name id] 1: the rule matches the category of the name; 2: it does not; 0: unknown. types_of[trace] is NULL
   * until a name of the trace is looked up */
  guint8 **types_of;
  GHashTable *messages; /* trace → set of the file positions (LoomRef) of the trace's send and receive events */
  GHashTable *threads;  /* trace → LoomLoopThreads */
  GHashTable *by_key;   /* key of a group (gint64) → LoomCustomRuleGroup */
  /* results of the last lookups in `by_key` and `messages`; a cache, because the rows of one worker and trace follow
   * each other */
  gint64 last_key;
  LoomCustomRuleGroup *last_group;
  const LoomTrace *last_trace;
  GHashTable *last_messages;
  /* a cache of data of the last row of the LoomDataFrame that was examined: its worker, process and group; the index of
   * its trace; and the names and categories of this trace */
  guint32 row_worker, row_process;
  LoomCustomRuleGroup *row_group;
  guint32 row_trace;
  const guint32 *row_names;
  guint8 *row_types;
  GPtrArray *groups;
} Gatherer;

static void
free_group (gpointer data)
{
  LoomCustomRuleGroup *group = data;
  g_array_unref (group->items);
  g_array_unref (group->computing);
  g_free (group->label);
  g_free (group->key);
  g_free (group);
}

/* --- groups, as the rule's “per” states: by rank, node or device -------------------------------------------------- */

static LoomCustomRuleGroup *
group_at (Gatherer *gatherer, gint64 key)
{
  if (gatherer->last_group != NULL && gatherer->last_key == key)
    return gatherer->last_group;
  LoomCustomRuleGroup *group = g_hash_table_lookup (gatherer->by_key, &key);
  gatherer->last_key = key;
  gatherer->last_group = group;
  if (group != NULL)
    return group;
  gatherer->last_group = group = g_new0 (LoomCustomRuleGroup, 1);
  *group = (LoomCustomRuleGroup) { .host = "",
                                   .device = "",
                                   .writer = "",
                                   .rank = -1,
                                   .worker = G_MAXUINT32,
                                   .items = g_array_new (FALSE, FALSE, sizeof (LoomCustomRuleItem)),
                                   .computing = g_array_new (FALSE, FALSE, sizeof (LoomRange)),
                                   .known = { G_MAXINT64, G_MININT64 } };
  g_hash_table_insert (gatherer->by_key, g_memdup2 (&key, sizeof key), group);
  g_ptr_array_add (gatherer->groups, group);
  return group;
}

static void
see (LoomCustomRuleGroup *group, gint64 begin_ns, gint64 end_ns)
{
  group->known.begin_ns = MIN (group->known.begin_ns, begin_ns);
  group->known.end_ns = MAX (group->known.end_ns, end_ns);
  group->n_known++;
}

/* --- spans that the rule selects ---------------------------------------------------------------------------------- */

static LoomCustomRuleGroup *
find_group_of_row (Gatherer *gatherer, const LoomDataFrameRows *rows, guint32 row)
{
  const LoomWorker *worker = &gatherer->frame->workers[rows->worker[row]];
  LoomCustomRulePer per = gatherer->rule->per;
  gint64 key = per == LOOM_CUSTOM_RULE_PER_RUN    ? 0
               : per == LOOM_CUSTOM_RULE_PER_NODE ? worker->host_id
                                                  : rows->worker[row];
  const char *device =
    per == LOOM_CUSTOM_RULE_PER_DEVICE ? loom_data_frame_get_text (gatherer->frame, rows->process[row]) : "";
  if (per == LOOM_CUSTOM_RULE_PER_DEVICE)
    key = key << 32 | rows->process[row];
  LoomCustomRuleGroup *group = group_at (gatherer, key);
  if (group->label != NULL)
    return group;
  if (per != LOOM_CUSTOM_RULE_PER_RUN)
    group->host = worker->host;
  if (per >= LOOM_CUSTOM_RULE_PER_RANK) {
    group->writer = worker->display != NULL ? worker->display : "";
    group->rank = worker->rank;
    group->is_process = worker->is_process;
    group->worker = rows->worker[row];
  }
  group->device = per == LOOM_CUSTOM_RULE_PER_DEVICE ? device : group->writer;
  loom_custom_rule_label_set (group, group->rank, device);
  return group;
}

static inline LoomCustomRuleGroup *
group_of_row (Gatherer *gatherer, const LoomDataFrameRows *rows, guint32 row)
{
  if (gatherer->row_group == NULL || gatherer->row_worker != rows->worker[row] ||
      gatherer->row_process != rows->process[row])
    gatherer->row_group = find_group_of_row (gatherer, rows, row);
  gatherer->row_worker = rows->worker[row];
  gatherer->row_process = rows->process[row];
  return gatherer->row_group;
}

/* Returns TRUE if the rule matches a category. Results are cached by the address of the category's text: spans of one
 * category share one text, and a trace has few categories. */
static gboolean
matches_category (Gatherer *gatherer, const char *category)
{
  LoomCustomRuleRegex *match = &gatherer->match[LOOM_CUSTOM_RULE_TYPE];
  gpointer answer;
  if (!g_hash_table_lookup_extended (gatherer->types, category, NULL, &answer)) {
    answer = GINT_TO_POINTER (loom_custom_rule_regex_ask_once (match, category));
    g_hash_table_insert (gatherer->types, (gpointer) category, answer);
  }
  return GPOINTER_TO_INT (answer);
}

static void
enter_trace (Gatherer *gatherer, guint32 number)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (gatherer->frame->timeline), number);
  if (gatherer->types_of[number] == NULL)
    gatherer->types_of[number] = g_new0 (guint8, loom_trace_get_n_names (trace) + 1);
  gatherer->row_trace = number;
  gatherer->row_names = loom_trace_get_spans (trace)->name_id;
  gatherer->row_types = gatherer->types_of[number];
}

/* Returns TRUE if the rule matches the category of a span. */
static inline gboolean
has_type (Gatherer *gatherer, LoomSpanId id)
{
  if (gatherer->match[LOOM_CUSTOM_RULE_TYPE].regex == NULL)
    return TRUE;
  if (gatherer->row_types == NULL || gatherer->row_trace != id.trace)
    enter_trace (gatherer, id.trace);
  guint32 name = gatherer->row_names[id.span];
  if (gatherer->row_types[name] == 0) {
    const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (gatherer->frame->timeline), id.trace);
    gatherer->row_types[name] = matches_category (gatherer, loom_trace_get_name (trace, name)->category) ? 1 : 2;
  }
  return gatherer->row_types[name] == 1;
}

/* Returns the set of the file positions (LoomRef) of the send and receive events of a trace. The elements of the set
 * are pointers into the trace. */
static GHashTable *
new_messages (const LoomTrace *trace)
{
  guint32 n;
  const LoomSyncEvent *events = loom_trace_get_meetings (trace, &n);
  GHashTable *messages = g_hash_table_new (loom_int64_hash, g_int64_equal);
  for (guint32 i = 0; i < n; i++)
    if (events[i].kind == LOOM_SYNC_EVENT_SEND || events[i].kind == LOOM_SYNC_EVENT_RECEIVE)
      g_hash_table_add (messages, (gpointer) &events[i].ref);
  return messages;
}

static GHashTable *
messages_of (Gatherer *gatherer, const LoomTrace *trace)
{
  if (gatherer->last_trace == trace)
    return gatherer->last_messages;
  GHashTable *messages = g_hash_table_lookup (gatherer->messages, trace);
  if (messages == NULL) {
    messages = new_messages (trace);
    g_hash_table_insert (gatherer->messages, (gpointer) trace, messages);
  }
  gatherer->last_trace = trace;
  gatherer->last_messages = messages;
  return messages;
}

/* Returns TRUE if the rule excludes a span because the training loop does not wait for the thread of the span
 * (loop_threads_only). */
static gboolean
is_of_other_thread (Gatherer *gatherer, LoomSpanId id)
{
  if (!gatherer->rule->loop_threads_only)
    return FALSE;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (gatherer->frame->timeline), id.trace);
  LoomLoopThreads *threads = g_hash_table_lookup (gatherer->threads, trace);
  guint32 track, row;
  if (threads == NULL) {
    threads = loom_loop_threads_new (trace);
    g_hash_table_insert (gatherer->threads, (gpointer) trace, threads);
  }
  loom_trace_locate_span (trace, id.span, &track, &row);
  return !loom_loop_threads_has (threads, track);
}

/* Returns TRUE if a span is a send or receive and the rule excludes these (no_messages). */
static gboolean
is_left_out_message (Gatherer *gatherer, LoomSpanId id)
{
  if (!gatherer->rule->no_messages)
    return FALSE;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (gatherer->frame->timeline), id.trace);
  GHashTable *messages = messages_of (gatherer, trace);
  return g_hash_table_size (messages) > 0 &&
         g_hash_table_contains (messages, &loom_trace_get_spans (trace)->ref[id.span]);
}

/* Returns TRUE if a span is a kernel that computes. */
static gboolean
is_computation (Gatherer *gatherer, LoomSpanId id)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (gatherer->frame->timeline), id.trace);
  const guint8 *works = loom_work_kind_of_names (trace, TRUE);
  return works[loom_trace_get_spans (trace)->name_id[id.span]] == LOOM_WORK_KIND_COMPUTE;
}

/* Returns the times of a row of the LoomDataFrame. If a part of the span is outside the range, the times are clipped to
 * the range, as in reports. */
static inline LoomRange
get_times (const LoomDataFrame *frame, guint32 row)
{
  LoomRange times = { frame->rows.start_ns[row], frame->rows.end_ns[row] };
  if (frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG)
    return times;
  times.begin_ns = MAX (times.begin_ns, frame->range.begin_ns);
  times.end_ns = MAX (times.begin_ns, MIN (times.end_ns, frame->range.end_ns));
  return times;
}

static void
add_item (const LoomDataFrame *frame, guint32 row, LoomRange times, GArray *items)
{
  gint64 begin_ns = frame->rows.start_ns[row];
  const LoomCustomRuleItem item = { times.begin_ns, times.end_ns, (double) (frame->rows.end_ns[row] - begin_ns),
                                    frame->rows.span[row], begin_ns < times.begin_ns };
  g_array_append_val (items, item);
}

/* Returns TRUE if a field of the rule matches a text of the frame. Each text is matched only once, because the result
 * is stored. */
static inline gboolean
matches_text (Gatherer *gatherer, guint field, guint32 text)
{
  LoomCustomRuleRegex *match = &gatherer->match[field];
  if (match->regex != NULL && match->answers[text] == 0)
    loom_custom_rule_regex_ask (match, text, loom_data_frame_get_text (gatherer->frame, text));
  return match->regex == NULL || match->answers[text] > 0;
}

static inline gboolean
matches_node (Gatherer *gatherer, guint32 worker_number)
{
  LoomCustomRuleRegex *node = &gatherer->match[LOOM_CUSTOM_RULE_NODE];
  const LoomWorker *worker = &gatherer->frame->workers[worker_number];
  return node->regex == NULL || loom_custom_rule_regex_ask (node, worker->host_id, worker->host);
}

static void
take_row (Gatherer *gatherer, const LoomDataFrameRows *rows, guint32 row)
{
  if (!matches_node (gatherer, rows->worker[row]) || !has_type (gatherer, rows->span[row]))
    return;
  LoomCustomRuleGroup *group = group_of_row (gatherer, rows, row);
  LoomRange times = get_times (gatherer->frame, row);
  see (group, times.begin_ns, times.end_ns);
  if (gatherer->rule->exposed_only && is_computation (gatherer, rows->span[row]))
    g_array_append_val (group->computing, times);
  if (matches_text (gatherer, LOOM_CUSTOM_RULE_PHASE, rows->process[row]) &&
      matches_text (gatherer, LOOM_CUSTOM_RULE_NAME, rows->metric[row]) &&
      !is_left_out_message (gatherer, rows->span[row]) && !is_of_other_thread (gatherer, rows->span[row]))
    add_item (gatherer->frame, row, times, group->items);
}

static gboolean
gather_spans (Gatherer *gatherer, GCancellable *cancellable)
{
  const LoomDataFrameRows *rows = &gatherer->frame->rows;
  for (guint32 i = 0; i < rows->n; i++) {
    take_row (gatherer, rows, i);
    if (i % CANCEL_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      return FALSE;
  }
  return TRUE;
}

/* --- samples that the rule selects -------------------------------------------------------------------------------- */

static gboolean
is_wanted (const LoomCustomRuleCounter *counter, gpointer data)
{
  LoomCustomRuleRegex *match = ((Gatherer *) data)->match;
  return loom_custom_rule_regex_ask_once (&match[LOOM_CUSTOM_RULE_NODE], counter->node) &&
         loom_custom_rule_regex_ask_once (&match[LOOM_CUSTOM_RULE_TYPE], counter->type) &&
         loom_custom_rule_regex_ask_once (&match[LOOM_CUSTOM_RULE_NAME], counter->name) &&
         loom_custom_rule_regex_ask_once (&match[LOOM_CUSTOM_RULE_DIMENSION], counter->dimension);
}

static void
take_counter (Gatherer *gatherer, const LoomCustomRuleCounter *counter, guint number)
{
  LoomCustomRulePer per = gatherer->rule->per;
  gboolean of_device = per == LOOM_CUSTOM_RULE_PER_DEVICE;
  LoomCustomRuleGroup *group = group_at (gatherer, per == LOOM_CUSTOM_RULE_PER_RUN    ? 0
                                                   : per == LOOM_CUSTOM_RULE_PER_NODE ? counter->node_id
                                                                                      : number);
  if (group->label == NULL) {
    group->host = per == LOOM_CUSTOM_RULE_PER_RUN ? "" : counter->node;
    group->device = of_device ? counter->name : "";
    group->rank = of_device ? counter->rank : -1;
    group->is_process = of_device && counter->is_process;
    loom_custom_rule_label_set (group, group->rank, group->device);
  }
  for (guint32 i = 0; i < counter->n; i++) {
    gint64 time_ns = counter->time_ns[i];
    LoomCustomRuleItem item = { time_ns, time_ns, counter->value[i], LOOM_SPAN_ID_NONE, FALSE };
    see (group, time_ns, time_ns);
    g_array_append_val (group->items, item);
  }
}

static gboolean
gather_samples (Gatherer *gatherer, GCancellable *cancellable)
{
  g_autoptr (GArray) counters = loom_custom_rule_counters_list (gatherer->frame, is_wanted, gatherer, cancellable);
  for (guint i = 0; i < counters->len; i++)
    take_counter (gatherer, &g_array_index (counters, LoomCustomRuleCounter, i), i);
  return !g_cancellable_is_cancelled (cancellable);
}

/* --- all items of a rule, by group -------------------------------------------------------------------------------- */

#define IS_BEFORE(a, b)                                           \
  ((a)->begin_ns != (b)->begin_ns ? (a)->begin_ns < (b)->begin_ns \
   : !(a)->is_cut != !(b)->is_cut ? (a)->is_cut                   \
                                  : (a)->end_ns < (b)->end_ns)
LOOM_DEFINE_SORT (sort_items, LoomCustomRuleItem, IS_BEFORE)

static gboolean
is_sorted (const GArray *items)
{
  for (guint i = 1; i < items->len; i++) {
    const LoomCustomRuleItem *before = &g_array_index (items, LoomCustomRuleItem, i - 1), *item = before + 1;
    if (before->begin_ns > item->begin_ns || (before->begin_ns == item->begin_ns && !before->is_cut && item->is_cut))
      return FALSE;
  }
  return TRUE;
}

static void
sort_groups (const GPtrArray *groups)
{
  for (guint i = 0; i < groups->len; i++) {
    LoomCustomRuleGroup *group = groups->pdata[i];
    if (!is_sorted (group->items))
      sort_items ((LoomCustomRuleItem *) (gpointer) group->items->data, group->items->len);
    loom_ranges_join (group->computing);
  }
}

static void
finish (Gatherer *gatherer, char **too_hard)
{
  *too_hard = NULL;
  for (guint i = 0; i < LOOM_N_CUSTOM_RULE_FIELDS; i++) {
    if (*too_hard == NULL)
      *too_hard = g_steal_pointer (&gatherer->match[i].too_hard);
    loom_custom_rule_regex_clear (&gatherer->match[i]);
  }
  g_hash_table_unref (gatherer->types);
  for (guint i = 0; i < loom_run_get_n_traces (loom_timeline_get_run (gatherer->frame->timeline)); i++)
    g_free (gatherer->types_of[i]);
  g_free (gatherer->types_of);
  g_hash_table_unref (gatherer->messages);
  g_hash_table_unref (gatherer->threads);
  g_hash_table_unref (gatherer->by_key);
}

GPtrArray *
loom_custom_rule_groups (LoomDataFrame *frame, const LoomCustomRule *rule, char **too_hard, GCancellable *cancellable)
{
  Gatherer gatherer = { .frame = frame, .rule = rule };
  guint32 n_texts = loom_data_frame_get_n_texts (frame);
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func (free_group);
  for (guint i = 0; i < LOOM_N_CUSTOM_RULE_FIELDS; i++)
    loom_custom_rule_regex_init (&gatherer.match[i], rule->where[i],
                                 i == LOOM_CUSTOM_RULE_NODE ? frame->n_hosts : n_texts);
  gatherer.types = g_hash_table_new (NULL, NULL);
  gatherer.types_of = g_new0 (guint8 *, loom_run_get_n_traces (loom_timeline_get_run (frame->timeline)) + 1);
  gatherer.messages = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_hash_table_unref);
  gatherer.threads = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) loom_loop_threads_free);
  gatherer.by_key = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL);
  gatherer.groups = groups;
  gboolean done = rule->source == LOOM_CUSTOM_RULE_SPANS ? gather_spans (&gatherer, cancellable)
                                                         : gather_samples (&gatherer, cancellable);
  finish (&gatherer, too_hard);
  if (!done)
    return NULL;
  sort_groups (groups);
  return g_steal_pointer (&groups);
}

/* Maximum number of windows of one group. If a group would have more windows, its windows are made longer. */
#define MAX_WINDOWS 1000000

/* --- start and end of windows ------------------------------------------------------------------------------------- */

static void
add_slice (GArray *slices, gint64 begin_ns, gint64 end_ns)
{
  LoomCustomRuleSlice slice = { .begin_ns = begin_ns, .end_ns = end_ns, .value = NAN };
  if (end_ns > begin_ns)
    g_array_append_val (slices, slice);
}

/* Adds windows of equal lengths. Only the last window may reach beyond the end of the data. In a rule about samples,
 * such a window keeps its length, because it is unknown how long the last sample counts. In a rule about spans, it is
 * shortened to end with the data, so that shares of time are correct. Exception: if the statistic is a count or a
 * duration, a shortened window cannot be compared with the others; then it is omitted, unless it is the only window. */
static void
add_times (GArray *slices, const LoomCustomRule *rule, LoomRange known)
{
  gint64 width_ns = MAX (rule->window_ns, loom_time_sub (known.end_ns, known.begin_ns) / MAX_WINDOWS + 1);
  gboolean of_spans = rule->source == LOOM_CUSTOM_RULE_SPANS;
  gboolean adds_up = rule->statistic == LOOM_CUSTOM_RULE_COUNT || rule->statistic == LOOM_CUSTOM_RULE_DURATION;
  for (gint64 at = known.begin_ns; at < known.end_ns; at = loom_time_add (at, width_ns)) {
    gint64 end_ns = loom_time_add (at, width_ns);
    if (!of_spans || end_ns <= known.end_ns || !adds_up || slices->len == 0)
      add_slice (slices, at, of_spans ? MIN (end_ns, known.end_ns) : end_ns);
  }
}

static void
add_samples (GArray *slices, const LoomCustomRuleGroup *group, guint n)
{
  for (guint i = 0; i + n <= group->items->len; i += n)
    add_slice (slices, g_array_index (group->items, LoomCustomRuleItem, i).begin_ns,
               g_array_index (group->items, LoomCustomRuleItem, i + n - 1).end_ns + 1);
}

static void
add_steps (GArray *slices, const GArray *steps)
{
  for (guint i = 0; steps != NULL && i < steps->len; i++) {
    LoomRange step = g_array_index (steps, LoomRange, i);
    add_slice (slices, step.begin_ns, step.end_ns);
  }
}

static void
lay_out (GArray *slices, const LoomCustomRuleSteps *steps, const LoomCustomRule *rule, const LoomCustomRuleGroup *group)
{
  switch (rule->window) {
  case LOOM_CUSTOM_RULE_WINDOW_STEP: add_steps (slices, loom_custom_rule_steps_get (steps, group->worker)); break;
  case LOOM_CUSTOM_RULE_WINDOW_TIME: add_times (slices, rule, group->known); break;
  case LOOM_CUSTOM_RULE_WINDOW_SAMPLES: add_samples (slices, group, rule->window_samples); break;
  default:
    add_slice (slices, group->known.begin_ns, group->known.end_ns + (rule->source == LOOM_CUSTOM_RULE_SAMPLES));
    break;
  }
}

/* --- items in windows --------------------------------------------------------------------------------------------- */

/* Sets the items of each window. If windows are steps, spans that begin before the range are skipped, because they
 * belong to an earlier step. */
static void
find_items (GArray *slices, const GArray *items, gboolean of_steps)
{
  guint at = 0;
  while (of_steps && at < items->len && g_array_index (items, LoomCustomRuleItem, at).is_cut)
    at++;
  for (guint i = 0; i < slices->len; i++) {
    LoomCustomRuleSlice *slice = &g_array_index (slices, LoomCustomRuleSlice, i);
    while (at < items->len && g_array_index (items, LoomCustomRuleItem, at).begin_ns < slice->begin_ns)
      at++;
    slice->first = at;
    while (at < items->len && g_array_index (items, LoomCustomRuleItem, at).begin_ns < slice->end_ns)
      at++;
    slice->n = at - slice->first;
  }
}

/* Adds to the busy_ns of each window the part of [begin_ns, end_ns) that lies in the window, but outside of
 * group->computing. `near`: index of the first window that may overlap the interval. The function increases `near`, so
 * intervals must be passed in order of time. */
static void
share_out (GArray *slices, const LoomCustomRuleGroup *group, gint64 begin_ns, gint64 end_ns, guint *near)
{
  while (*near < slices->len && g_array_index (slices, LoomCustomRuleSlice, *near).end_ns <= begin_ns)
    (*near)++;
  for (guint i = *near; i < slices->len; i++) {
    LoomCustomRuleSlice *slice = &g_array_index (slices, LoomCustomRuleSlice, i);
    if (slice->begin_ns >= end_ns)
      return;
    slice->busy_ns +=
      loom_ranges_get_outside (group->computing, MAX (begin_ns, slice->begin_ns), MIN (end_ns, slice->end_ns));
  }
}

/* Adds to the busy_ns of each window the time in which at least one item runs. Time of overlapping spans counts
 * once. */
static void
find_busy (GArray *slices, const LoomCustomRuleGroup *group)
{
  const GArray *items = group->items;
  guint near = 0;
  for (guint i = 0; i < items->len;) {
    gint64 begin_ns = g_array_index (items, LoomCustomRuleItem, i).begin_ns, end_ns = begin_ns;
    while (i < items->len && g_array_index (items, LoomCustomRuleItem, i).begin_ns <= end_ns) {
      end_ns = MAX (end_ns, g_array_index (items, LoomCustomRuleItem, i).end_ns);
      i++;
    }
    if (end_ns > begin_ns)
      share_out (slices, group, begin_ns, end_ns, &near);
  }
}

/* --- statistic of a window ---------------------------------------------------------------------------------------- */

static double
mean_of (const double *values, guint n)
{
  double sum = 0;
  for (guint i = 0; i < n; i++)
    sum += values[i];
  return n > 0 ? sum / n : NAN;
}

static double
share_beyond (const double *values, guint n, double threshold, gboolean above)
{
  guint beyond = 0;
  for (guint i = 0; i < n; i++)
    beyond += above ? values[i] > threshold : values[i] < threshold;
  return n > 0 ? 100.0 * beyond / n : NAN;
}

static double
growth_of (const double *values, guint n)
{
  guint quarter = n / 4;
  double before = mean_of (values, quarter), after = mean_of (values + n - quarter, quarter);
  return before > 0 ? 100 * (after - before) / before : NAN;
}

static double
statistic_of (const LoomCustomRule *rule, const LoomCustomRuleSlice *slice, double *values)
{
  guint n = slice->n;
  switch (rule->statistic) {
  case LOOM_CUSTOM_RULE_MIN: return loom_statistics_quantile (values, n, 0);
  case LOOM_CUSTOM_RULE_MAX: return loom_statistics_quantile (values, n, 1);
  case LOOM_CUSTOM_RULE_QUANTILE: return loom_statistics_quantile (values, n, rule->quantile);
  case LOOM_CUSTOM_RULE_SHARE_ABOVE:
  case LOOM_CUSTOM_RULE_SHARE_BELOW:
    return share_beyond (values, n, rule->limits.threshold, rule->statistic == LOOM_CUSTOM_RULE_SHARE_ABOVE);
  case LOOM_CUSTOM_RULE_COUNT: return n;
  case LOOM_CUSTOM_RULE_DURATION: return (double) slice->busy_ns;
  case LOOM_CUSTOM_RULE_SHARE:
    return 100.0 * (double) slice->busy_ns / (double) loom_time_sub (slice->end_ns, slice->begin_ns);
  case LOOM_CUSTOM_RULE_GROWTH: return growth_of (values, n);
  default: return mean_of (values, n);
  }
}

GArray *
loom_custom_rule_groups_list_windows (const LoomCustomRuleSteps *steps, const LoomCustomRule *rule,
                                      const LoomCustomRuleGroup *group)
{
  GArray *slices = g_array_new (FALSE, FALSE, sizeof (LoomCustomRuleSlice));
  g_autofree double *values = g_new (double, MAX (group->items->len, 1));
  lay_out (slices, steps, rule, group);
  find_items (slices, group->items, rule->window == LOOM_CUSTOM_RULE_WINDOW_STEP);
  if (rule->source == LOOM_CUSTOM_RULE_SPANS)
    find_busy (slices, group);
  for (guint i = 0; i < slices->len; i++) {
    LoomCustomRuleSlice *slice = &g_array_index (slices, LoomCustomRuleSlice, i);
    for (guint k = 0; k < slice->n; k++)
      values[k] = g_array_index (group->items, LoomCustomRuleItem, slice->first + k).value;
    slice->value = statistic_of (rule, slice, values);
  }
  return slices;
}
