/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-page-idle-gaps.h"

#include "loom-idle-words.h"
#include "loom-page-private.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_GAPS 20

static const char *
get_gap_words (const LoomIdleGap *gap)
{
  gint64 length_ns = loom_time_sub (gap->range.end_ns, gap->range.begin_ns);
  return gap->data_ns > length_ns / 2 ? loom_idle_words_get_data () : loom_idle_words_get_cause (gap->cause);
}

static const char *
get_name (const LoomPageInput *input, guint trace, guint32 span)
{
  LoomTrace *own = loom_run_get_trace (loom_timeline_get_run (input->frame->timeline), trace);
  return loom_trace_get_name (own, loom_trace_get_spans (own)->name_id[span])->text;
}

/* A group of idle gaps with the same cause, the same activity of the host, and the same work of the device after the
 * gap. Two activities are the same if their names differ only in numbers, such as the number of a layer. */
typedef struct {
  /* `cause`: the cause of the gaps; `host`: activity of the host during the longest gap, "" if unknown; `next`: the
   * work after the gap */
  const char *cause, *host, *next;
  gboolean has_several_hosts; /* TRUE if the activities in the group have names with different numbers */
  const LoomIdleGap *longest;
  guint n;
  gint64 total_ns;
} GapGroup;

/* Returns TRUE if two names are equal except for their numbers. */
static gboolean
are_alike (const char *a, const char *b)
{
  for (; *a != '\0' && *b != '\0'; a++, b++) {
    if (g_ascii_isdigit (*a) && g_ascii_isdigit (*b)) {
      a += strspn (a, "0123456789") - 1;
      b += strspn (b, "0123456789") - 1;
    } else if (*a != *b)
      return FALSE;
  }
  return *a == *b;
}

/* Returns the activity of the host in a group of gaps. If the names of the activities contain different numbers,
 * replaces each number by “*”. Owned by the caller. */
static char *
dup_host (const GapGroup *group)
{
  if (!group->has_several_hosts)
    return g_strdup (group->host);
  GString *text = g_string_new (NULL);
  for (const char *at = group->host; *at != '\0'; at++) {
    gboolean is_digit = g_ascii_isdigit (*at);
    g_string_append_c (text, is_digit ? '*' : *at);
    at += is_digit ? strspn (at, "0123456789") - 1 : 0;
  }
  return g_string_free (text, FALSE);
}

static GapGroup *
find_group (GArray *groups, const GapGroup *like)
{
  for (guint i = 0; i < groups->len; i++) {
    GapGroup *group = &g_array_index (groups, GapGroup, i);
    if (strcmp (group->cause, like->cause) == 0 && strcmp (group->next, like->next) == 0 &&
        are_alike (group->host, like->host)) {
      group->has_several_hosts |= strcmp (group->host, like->host) != 0;
      return group;
    }
  }
  g_array_append_val (groups, *like);
  return &g_array_index (groups, GapGroup, groups->len - 1);
}

static int
compare_groups (gconstpointer a, gconstpointer b)
{
  const GapGroup *x = a, *y = b;
  if (x->total_ns != y->total_ns)
    return x->total_ns > y->total_ns ? -1 : 1;
  return x->longest < y->longest ? -1 : x->longest > y->longest;
}

/* Returns the longest gaps of the run in groups, sorted by the total duration of the gaps in a group. Owned by the
 * caller. */
static GArray *
group_gaps (const LoomPageInput *input, const LoomIdleTime *idle)
{
  GArray *groups = g_array_new (FALSE, FALSE, sizeof (GapGroup));
  for (guint i = 0; i < idle->longest->len; i++) {
    const LoomIdleGap *gap = &g_array_index (idle->longest, LoomIdleGap, i);
    const GapGroup own = { get_gap_words (gap),
                           gap->host != G_MAXUINT32 ? get_name (input, gap->trace, gap->host) : "",
                           get_name (input, gap->trace, gap->span),
                           FALSE,
                           gap,
                           0,
                           0 };
    GapGroup *group = find_group (groups, &own);
    group->n++;
    group->total_ns = loom_time_add (group->total_ns, loom_time_sub (gap->range.end_ns, gap->range.begin_ns));
  }
  g_array_sort (groups, compare_groups);
  return groups;
}

/* Returns the name of the device that is idle in a gap. Owned by the caller. */
static char *
dup_gap_device (const LoomPageInput *input, const LoomIdleGap *gap)
{
  LoomRun *run = loom_timeline_get_run (input->frame->timeline);
  LoomTrace *trace = loom_run_get_trace (run, gap->trace);
  guint32 track, row;
  loom_trace_locate_span (trace, gap->span, &track, &row);
  const LoomTrack *own = loom_trace_get_track (trace, track);
  const LoomIdleRow device = { .node = own->node,
                               .rank = own->rank,
                               .device = own->process,
                               .source = loom_run_get_first_source (run, gap->trace) + own->source };
  return loom_idle_words_dup_place (input, &device);
}

static LoomResultTable *
new_gap_table (void)
{
  LoomResultTable *table = loom_result_table_new (_ ("Longest gaps by cause"));
  /* The first column has the names of kernels, because labels that distinguish similar kernels are made only for the
   * first column (loom-kernel-names.h). */
  loom_result_table_add_column (table, C_ ("column", "Next Work"), NULL, _ ("The next kernel or copy"));
  loom_result_table_add_column (table, C_ ("column", "Cause"), NULL, NULL);
  loom_result_table_add_column (
    table, C_ ("column", "Host Activity"), NULL,
    _ ("What the launching thread was doing at the midpoint of the time that the device waited for it"));
  g_autofree char *most =
    g_strdup_printf (_ ("Number of gaps among the %u longest of the run"), (guint) LOOM_IDLE_TIME_MOST_GAPS);
  loom_result_table_add_column (table, C_ ("column", "Gaps"), "", most);
  guint order = loom_result_table_add_column (table, C_ ("column", "Total"), "ns", NULL);
  loom_result_table_add_column (table, C_ ("column", "Longest"), "ns", NULL);
  loom_result_table_add_column (table, C_ ("column", "Longest On"), NULL, NULL);
  loom_result_table_set_order (table, order, TRUE);
  return table;
}

void
loom_page_idle_gaps_add (LoomPageContent *sheet, const LoomPageInput *input, const LoomIdleTime *idle)
{
  g_autoptr (GArray) groups = group_gaps (input, idle);
  LoomResultTable *table = new_gap_table ();
  g_array_set_size (groups, MIN (groups->len, MAX_GAPS));
  for (guint i = 0; i < groups->len; i++) {
    const GapGroup *group = &g_array_index (groups, GapGroup, i);
    g_autofree char *device = dup_gap_device (input, group->longest), *host = dup_host (group);
    loom_result_table_add_row (table, group->next);
    loom_result_table_set_text (table, 1, group->cause);
    loom_result_table_set_text (table, 2, host);
    loom_result_table_set_number (table, 3, group->n);
    loom_result_table_set_number (table, 4, (double) group->total_ns);
    loom_result_table_set_number (
      table, 5, (double) loom_time_sub (group->longest->range.end_ns, group->longest->range.begin_ns));
    loom_result_table_set_text (table, 6, device);
  }
  loom_page_content_take_table_if_any (sheet, table);
  for (guint i = 0; i < groups->len; i++) {
    const LoomIdleGap *gap = g_array_index (groups, GapGroup, i).longest;
    const LoomSpanId span = { gap->trace, gap->host != G_MAXUINT32 ? gap->host : gap->span };
    loom_page_content_set_place (sheet, i, gap->range, &span, 1);
  }
}
