/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-span-test.h, and the functions of loom-query-span-scan.h that add conditions.
 */
#include "loom-query-span-test.h"

#include "loom-query-span-columns.h"
#include "loom-query-text.h"
#include "loom-time-bsearch.h"
#include "loom-work-kind.h"

/* Bits that make up the kind of a track: whether it is a track of a device (else of a host), and whether it is derived.
 * For each name, the result of the conditions on texts is stored for each kind of track, because the kind of work may
 * differ between kinds of tracks. */
#define N_TRACK_KINDS 4
#define ON_DEVICE 1
#define DERIVED 2

/* --- texts -------------------------------------------------------------------------------------------------------- */

void
loom_query_span_test_clear_texts (LoomQuerySpanScan *scan)
{
  for (guint i = 0; i < scan->n_texts; i++)
    sqlite3_value_free (scan->texts[i].value);
  g_clear_pointer (&scan->texts, g_free);
  for (guint i = 0; scan->all_verdicts != NULL && i < N_TRACK_KINDS * scan->run->n_traces; i++)
    g_free (scan->all_verdicts[i]);
  g_clear_pointer (&scan->all_verdicts, g_free);
  scan->verdicts = NULL;
  scan->n_texts = 0;
}

void
loom_query_span_scan_add_text (LoomQuerySpanScan *scan, const LoomQueryCondition *condition)
{
  scan->texts = g_renew (LoomQueryCondition, scan->texts, scan->n_texts + 1);
  scan->texts[scan->n_texts] = *condition;
  scan->texts[scan->n_texts++].value = sqlite3_value_dup (condition->value);
}

/* Adds a condition <> or IS NOT on a column of integers. A condition <> also excludes rows in which the column is NULL.
 * If the value of the condition is not an integer, no other row is excluded. */
void
loom_query_span_scan_exclude (LoomQuerySpanScan *scan, guint column, const LoomQueryCondition *condition)
{
  LoomQueryCondition equal = { .operation = SQLITE_INDEX_CONSTRAINT_EQ, .value = condition->value };
  LoomQueryLimits limits = LOOM_QUERY_LIMITS_NONE;
  if (condition->operation == SQLITE_INDEX_CONSTRAINT_NE && column == LOOM_QUERY_SPAN_RANK)
    scan->rank_nulls &= LOOM_QUERY_NULLS_NEVER;
  if (sqlite3_value_type (condition->value) == SQLITE_NULL) /* “<> NULL” is true for no value */
    scan->track = (LoomQueryLimits) { 1, 0 };
  loom_query_module_narrow (&limits, &equal);
  if (limits.least == limits.most)
    scan->exclusions[scan->n_exclusions++] = (LoomQueryExclusion) { column, limits.least };
}

gboolean
loom_query_span_test_is_excluded (const LoomQuerySpanScan *scan, guint column, gint64 value)
{
  for (guint i = 0; i < scan->n_exclusions; i++)
    if (scan->exclusions[i].column == column && scan->exclusions[i].value == value)
      return TRUE;
  return FALSE;
}

/* Adds a list of allowed values. If the scan already has such a list, keeps only the values that are in both lists.
 * Also narrows the limits to the range of the list, because comparing with limits takes less time than searching the
 * list. Returns SQLite's result code. */
int
loom_query_span_scan_add_list (LoomQuerySpanScan *scan, gboolean durations, const LoomQueryCondition *condition,
                               GCancellable *cancellable)
{
  LoomQueryValues **list = durations ? &scan->durations_ns : &scan->starts_ns;
  LoomQueryLimits *limits = durations ? &scan->duration_ns : &scan->start_ns;
  LoomQueryValues *before = g_steal_pointer (list);
  int code = loom_query_values_new (condition, cancellable, list);
  if (code == SQLITE_OK && before != NULL)
    loom_query_values_intersect (*list, before);
  loom_query_values_free (before);
  if (code != SQLITE_OK)
    return code;
  gsize n = (*list)->n;
  limits->least = n > 0 ? MAX (limits->least, (*list)->all[0]) : 1;
  limits->most = n > 0 ? MIN (limits->most, (*list)->all[n - 1]) : 0;
  return SQLITE_OK;
}

guint8
loom_query_span_scan_get_track_kind (const LoomQuerySpanScan *scan, const LoomQueryStretch *stretch)
{
  const LoomTrack *track = loom_trace_get_track (loom_run_get_trace (scan->run->run, stretch->trace), stretch->track);
  return (loom_trace_track_is_device (track) ? ON_DEVICE : 0) |
         ((track->flags & LOOM_TRACK_DERIVED) != 0 ? DERIVED : 0);
}

LoomWorkKind
loom_query_span_scan_get_kind_on (const LoomQuerySpanScan *scan, guint trace, guint8 track_kind, guint32 name_id)
{
  if ((track_kind & DERIVED) != 0)
    return LOOM_WORK_KIND_NONE;
  return loom_work_kind_of_names (loom_run_get_trace (scan->run->run, trace), (track_kind & ON_DEVICE) != 0)[name_id];
}

LoomWorkKind
loom_query_span_scan_get_kind (LoomQuerySpanScan *scan, guint32 name_id)
{
  if (scan->derived)
    return LOOM_WORK_KIND_NONE;
  if (scan->kinds == NULL)
    scan->kinds = loom_work_kind_of_names (loom_run_get_trace (scan->run->run, scan->here.trace), scan->on_device);
  return scan->kinds[name_id];
}

/* Returns the text that a column (name, category or kind of work) contains for events of this name; NULL: the column is
 * SQL's NULL. */
static const char *
get_text (LoomQuerySpanScan *scan, guint32 name_id, guint column)
{
  const LoomName *name = loom_trace_get_name (scan->trace, name_id);
  if (column == LOOM_QUERY_SPAN_NAME)
    return name->text;
  if (column == LOOM_QUERY_SPAN_CATEGORY)
    return name->category != NULL && name->category[0] != '\0' ? name->category : NULL;
  return loom_work_kind_to_string (loom_query_span_scan_get_kind (scan, name_id));
}

static gboolean
is_name_allowed (LoomQuerySpanScan *scan, guint32 name_id)
{
  for (guint i = 0; i < scan->n_texts; i++)
    if (!loom_query_text_is_met (&scan->texts[i], get_text (scan, name_id, scan->texts[i].column)))
      return FALSE;
  return TRUE;
}

gboolean
loom_query_span_scan_may_allow_name (const LoomQuerySpanScan *scan, guint trace, guint32 name_id)
{
  const LoomName *name = loom_trace_get_name (loom_run_get_trace (scan->run->run, trace), name_id);
  const char *category = name->category != NULL && name->category[0] != '\0' ? name->category : NULL;
  for (guint i = 0; i < scan->n_texts; i++)
    if (scan->texts[i].column != LOOM_QUERY_SPAN_KIND &&
        !loom_query_text_is_met (&scan->texts[i],
                                 scan->texts[i].column == LOOM_QUERY_SPAN_NAME ? name->text : category))
      return FALSE;
  return TRUE;
}

void
loom_query_span_test_set_track (LoomQuerySpanScan *scan, guint32 t, const LoomTrack *track)
{
  scan->here.trace = t;
  scan->trace = loom_run_get_trace (scan->run->run, t);
  scan->spans = loom_trace_get_spans (scan->trace);
  scan->on_device = loom_trace_track_is_device (track);
  scan->derived = (track->flags & LOOM_TRACK_DERIVED) != 0;
  scan->kinds = NULL;
}

void
loom_query_span_test_use_verdicts (LoomQuerySpanScan *scan, gboolean make)
{
  gsize of =
    (gsize) scan->here.trace * N_TRACK_KINDS + (scan->on_device ? ON_DEVICE : 0) + (scan->derived ? DERIVED : 0);
  if (make && scan->all_verdicts == NULL)
    scan->all_verdicts = g_new0 (guint8 *, (gsize) N_TRACK_KINDS * scan->run->n_traces);
  if (make && scan->all_verdicts[of] == NULL)
    scan->all_verdicts[of] = g_malloc0 (loom_trace_get_n_names (scan->trace) + 1);
  scan->verdicts = scan->all_verdicts != NULL ? scan->all_verdicts[of] : NULL;
}

gboolean
loom_query_span_test_is_text_allowed (LoomQuerySpanScan *scan, guint32 name_id)
{
  if (scan->verdicts == NULL)
    return is_name_allowed (scan, name_id);
  if (scan->verdicts[name_id] == 0)
    scan->verdicts[name_id] = is_name_allowed (scan, name_id) ? 1 : 2;
  return scan->verdicts[name_id] == 1;
}

gboolean
loom_query_span_test_has_allowed_name (LoomQuerySpanScan *scan, guint32 t, const LoomTrack *track)
{
  loom_query_span_test_set_track (scan, t, track);
  guint32 n_names = loom_trace_get_n_names (scan->trace), i = 0;
  if (scan->spans->n / LOOM_QUERY_SPANS_PER_NAME < n_names)
    return TRUE;
  loom_query_span_test_use_verdicts (scan, TRUE);
  while (i < n_names && !loom_query_span_test_is_text_allowed (scan, i))
    i++;
  return i < n_names;
}

/* --- times and parents -------------------------------------------------------------------------------------------- */

static gboolean
is_time_allowed (const LoomQuerySpanScan *scan)
{
  gint64 start_ns, duration_ns;
  loom_query_span_scan_get_times (scan, &start_ns, &duration_ns);
  if (!loom_query_span_test_is_within (scan->start_ns, start_ns) ||
      !loom_query_span_test_is_within (scan->duration_ns, duration_ns) ||
      (scan->starts_ns != NULL && !loom_query_values_has (scan->starts_ns, start_ns)) ||
      (scan->durations_ns != NULL && !loom_query_values_has (scan->durations_ns, duration_ns)))
    return FALSE;
  return !scan->touches ||
         (start_ns < scan->range.end_ns &&
          (start_ns >= scan->range.begin_ns || loom_time_add (start_ns, duration_ns) > scan->range.begin_ns));
}

gboolean
loom_query_span_test_is_row_nested (const LoomTrack *track, const LoomRow *row)
{
  return track->kind == LOOM_TRACK_SPANS && row->depth > 0 && row->lane != LOOM_OVERFLOW_LANE;
}

guint32
loom_query_span_scan_get_parent (LoomQuerySpanScan *scan)
{
  if (!scan->nests)
    return G_MAXUINT32;
  const gint64 *starts_ns = scan->spans->start_ns, *durations_ns = scan->spans->dur_ns;
  guint32 span = scan->here.at;
  const LoomRow *row = loom_trace_get_row (scan->trace, scan->here.row - 1);
  scan->above = loom_time_bsearch_near (starts_ns + row->first, 0, row->n, MIN (scan->above, row->n),
                                        loom_time_add (starts_ns[span], 1));
  if (scan->above == 0)
    return G_MAXUINT32;
  guint32 parent = row->first + scan->above - 1;
  return loom_time_add (starts_ns[parent], durations_ns[parent]) >= loom_time_add (starts_ns[span], durations_ns[span])
           ? parent
           : G_MAXUINT32;
}

static gboolean
is_parent_allowed (LoomQuerySpanScan *scan)
{
  gboolean is_null = loom_query_span_scan_get_parent (scan) == G_MAXUINT32;
  return (scan->parent_nulls & (is_null ? LOOM_QUERY_NULLS_ONLY : LOOM_QUERY_NULLS_NEVER)) != 0;
}

gboolean
loom_query_span_scan_is_allowed (LoomQuerySpanScan *scan)
{
  return (scan->n_texts == 0 || loom_query_span_test_is_text_allowed (scan, scan->spans->name_id[scan->here.at])) &&
         (!scan->timed || is_time_allowed (scan)) && (!scan->tests_parents || is_parent_allowed (scan));
}
