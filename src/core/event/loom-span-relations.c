/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-span-relations.h: sums the children of a span by name, and finds the spans at the other ends of its
 * arrows.
 */
#include "loom-span-relations.h"

#include "loom-ellipsize.h"
#include "loom-flow-lines.h"
#include "loom-locale-number.h"
#include "loom-span-children.h"

#include <glib/gi18n.h>

#define MOST_CHILDREN 200000
#define MOST_LINES 8

typedef struct {
  guint32 name_id;
  guint32 count;
  guint32 longest; /* index, in the columns of the trace, of the longest child with this name */
  gint64 total_ns;
} Kind;

static char *
dup_link (const LoomTrace *trace, LoomSpanId span)
{
  const char *text = loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[span.span])->text;
  g_autofree char *escaped = loom_ellipsize_markup (*text != '\0' ? text : _ ("(no name)"));
  return g_strdup_printf ("<a href=\"span:%u:%u\">%s</a>", span.trace, span.span, escaped);
}

/* --- inside ------------------------------------------------------------------------------------------------------- */

static int
compare (gconstpointer a, gconstpointer b)
{
  const Kind *x = a, *y = b;
  return x->total_ns != y->total_ns ? (x->total_ns < y->total_ns) - (x->total_ns > y->total_ns)
                                    : (x->longest > y->longest) - (x->longest < y->longest);
}

static GArray *
kinds_of (const LoomTrace *trace, guint32 from, guint32 to)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  /* maps a name id to 1 + the index of this name in `kinds`; 0 means that the name is not in `kinds` yet */
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);
  GArray *kinds = g_array_new (FALSE, FALSE, sizeof (Kind));
  for (guint32 i = from; i < to; i++) {
    guint place = GPOINTER_TO_UINT (g_hash_table_lookup (places, GUINT_TO_POINTER (spans->name_id[i])));
    if (place == 0) {
      Kind fresh = { spans->name_id[i], 0, i, 0 };
      g_array_append_val (kinds, fresh);
      place = kinds->len;
      g_hash_table_insert (places, GUINT_TO_POINTER (spans->name_id[i]), GUINT_TO_POINTER (place));
    }
    Kind *kind = &g_array_index (kinds, Kind, place - 1);
    kind->count++;
    kind->total_ns = loom_time_add (kind->total_ns, spans->dur_ns[i]);
    kind->longest = spans->dur_ns[i] > spans->dur_ns[kind->longest] ? i : kind->longest;
  }
  g_array_sort (kinds, compare);
  return kinds;
}

static void
append_kind (GString *text, const LoomTrace *trace, LoomSpanId span, const Kind *kind)
{
  gint64 dur_ns = loom_trace_get_spans (trace)->dur_ns[span.span];
  g_autofree char *link = dup_link (trace, (LoomSpanId) { span.trace, kind->longest });
  g_autofree char *total = loom_time_format_duration (kind->total_ns), *count = loom_locale_number_group (kind->count);
  g_string_append_printf (text, "%s%s  %s", text->len > 0 ? "\n" : "", link, total);
  if (dur_ns > 0)
    g_string_append_printf (text, "  %.0f %%", (double) kind->total_ns / (double) dur_ns * 100);
  if (kind->count > 1)
    g_string_append_printf (text, "  %s ×", count);
}

char *
loom_span_relations_dup_inner (LoomTimeline *timeline, LoomSpanId span)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), span.trace);
  guint32 from, to;
  if (loom_trace_span_is_instant (trace, span.span) || !loom_span_children_get (trace, span.span, &from, &to) ||
      to - from > MOST_CHILDREN)
    return NULL;
  g_autoptr (GArray) kinds = kinds_of (trace, from, to);
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < MIN (kinds->len, MOST_LINES); i++)
    append_kind (text, trace, span, &g_array_index (kinds, Kind, i));
  if (kinds->len > MOST_LINES) {
    g_autofree char *more = loom_locale_number_group (kinds->len - MOST_LINES);
    g_string_append_c (text, '\n');
    g_string_append_printf (text, ngettext ("and %s other name", "and %s other names", kinds->len - MOST_LINES), more);
  }
  return g_string_free (text, FALSE);
}

/* --- arrows ------------------------------------------------------------------------------------------------------- */

char *
loom_span_relations_dup_arrows (LoomTimeline *timeline, LoomSpanId span, gboolean forward)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  loom_flow_lines_next (timeline, span, forward, found);
  if (found->len == 0)
    return NULL;
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < MIN (found->len, MOST_LINES); i++) {
    LoomSpanId other = g_array_index (found, LoomSpanId, i);
    g_autofree char *link = dup_link (loom_run_get_trace (loom_timeline_get_run (timeline), other.trace), other);
    gint64 start_ns, end_ns, other_start_ns, other_end_ns;
    loom_timeline_get_span (timeline, span, &start_ns, &end_ns);
    loom_timeline_get_span (timeline, other, &other_start_ns, &other_end_ns);
    g_autofree char *between =
      loom_time_format_duration (forward ? other_start_ns - start_ns : start_ns - other_start_ns);
    g_string_append (text, text->len > 0 ? "\n" : "");
    /* Translators: the first %s is a link to the span at the other end of an arrow; the second is the time from the
     * start of the arrow's first span to the start of its second span */
    g_string_append_printf (text, _ ("%s (start to start: %s)"), link, between);
  }
  if (found->len > MOST_LINES) {
    g_autofree char *more = loom_locale_number_group (found->len - MOST_LINES);
    g_string_append_c (text, '\n');
    g_string_append_printf (text, ngettext ("and %s more", "and %s more", found->len - MOST_LINES), more);
  }
  return g_string_free (text, FALSE);
}
