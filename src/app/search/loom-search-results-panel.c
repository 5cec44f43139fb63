/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-search-results-panel.h"

#include "loom-bounded-text.h"
#include "loom-locale-number.h"
#include "loom-page-view.h"
#include "loom-search-summary.h"

#include <glib/gi18n.h>

struct _LoomSearchResultsPanel {
  AdwBin parent;
  GtkLabel *summary;
  LoomTableView *view;
  LoomSearchState *search; /* the search whose current hit is selected in the table */
  LoomTimeline *timeline;
  LoomSearchResult *result; /* the result whose hits are counted and listed; NULL if there are no hits */
  /* sums of the durations of hits; NULL until computed. They may still be those of an earlier result, which has fewer
   * hits than `result` */
  LoomSearchSummary *found;
  /* the result whose hits were summed last, or are being summed on a worker thread; NULL before the first sum */
  LoomSearchResult *summed;
  GCancellable *counting;
  /* the hit whose row was selected last; its member `trace` is G_MAXUINT if no row was selected yet */
  LoomSpanId followed;
};

G_DEFINE_FINAL_TYPE (LoomSearchResultsPanel, loom_search_results_panel, ADW_TYPE_BIN)

enum { SPAN_CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- showing the counts ------------------------------------------------------------------------------------------- */

static char *
dup_summary (LoomSearchResultsPanel *self)
{
  if (self->result == NULL)
    return g_strdup (_ ("Search results appear here."));
  guint64 n = self->result->n_found;
  g_autofree char *count = loom_locale_number_group (n);
  if (n == 0)
    return g_strdup (_ ("Nothing found"));
  if (self->found == NULL)
    return g_strdup_printf (ngettext ("%s found", "%s found", n), count);
  g_autofree char *total = loom_time_format_duration (self->found->total_ns),
                  *some = loom_locale_number_group (self->found->count);
  if (self->summed != self->result || self->counting != NULL)
    return g_strdup_printf (ngettext ("%s found", "%s found", n), count);
  if (self->found->count < n)
    /* Translators: the durations of only the first spans were added, because the search found too many: "2,000,000
     * found · 1.24 s in total for the first 1,000,000 of these spans" */
    return g_strdup_printf (_ ("%s found · %s in total for the first %s of these spans"), count, total, some);
  /* Translators: the number of spans that a search found, and the sum of their durations: "128 found · 1.24 s total" */
  return g_strdup_printf (ngettext ("%s found · %s total", "%s found · %s total", n), count, total);
}

static void
show (LoomSearchResultsPanel *self)
{
  g_autofree char *text = dup_summary (self);
  loom_bounded_text_set_label (self->summary, text);
}

static void
show_table (LoomSearchResultsPanel *self)
{
  g_autoptr (LoomResultTable) empty = self->found == NULL ? loom_search_summary_new_table () : NULL;
  loom_table_view_set_table (self->view, self->found != NULL ? self->found->table : empty);
}

/* Shows new sums. The name that was selected stays selected, even if its row has another position now. Takes
 * ownership of `found`. */
static void
replace_sums (LoomSearchResultsPanel *self, LoomSearchSummary *found)
{
  guint row = self->found != NULL ? loom_table_view_get_selected (self->view) : G_MAXUINT;
  if (row != G_MAXUINT)
    row = loom_search_summary_find (found, self->timeline, g_array_index (self->found->longest, LoomSpanId, row));
  g_clear_pointer (&self->found, loom_search_summary_free);
  self->found = found;
  show_table (self);
  if (row != G_MAXUINT)
    loom_table_view_select (self->view, row);
}

/* If the current hit of the search has changed, selects the row with the name of this hit. Otherwise, keeps the
 * selection, because the user may have selected another row. */
static void
select_current (LoomSearchResultsPanel *self)
{
  const LoomSearchResult *result = loom_search_state_get_result (self->search);
  guint position = loom_search_state_get_position (self->search);
  if (self->found == NULL || result == NULL || result != self->result || position == G_MAXUINT)
    return;
  LoomSpanId hit = g_array_index (result->hits, LoomSpanId, g_array_index (result->by_time, guint32, position));
  if (loom_timeline_span_id_equal (hit, self->followed))
    return;
  guint row = loom_search_summary_find (self->found, self->timeline, hit);
  if (row == G_MAXUINT)
    return;
  self->followed = hit;
  if (row != loom_table_view_get_selected (self->view))
    loom_table_view_select (self->view, row);
}

/* --- counting ----------------------------------------------------------------------------------------------------- */

static void count (LoomSearchResultsPanel *self);

static void
counted (gpointer owner, gpointer found, const GError *error, gpointer input)
{
  LoomSearchResultsPanel *self = owner;
  replace_sums (self, found);
  select_current (self);
  show (self);
  count (self); /* starts another count if the search has found more hits after this count began */
}

static void
count (LoomSearchResultsPanel *self)
{
  if (self->result == self->summed || self->counting != NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  g_clear_pointer (&self->summed, loom_search_result_unref);
  self->summed = loom_search_result_ref (self->result);
  loom_search_summary_new_async (&self->counting, self->timeline, self->result, counted, self);
}

static void
forget (LoomSearchResultsPanel *self)
{
  loom_worker_cancel (&self->counting);
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  g_clear_pointer (&self->result, loom_search_result_unref);
  g_clear_pointer (&self->summed, loom_search_result_unref);
  g_clear_pointer (&self->found, loom_search_summary_free);
  self->followed.trace = G_MAXUINT;
}

/* Returns TRUE if the worker thread may continue to sum the previous hits although a new result has arrived. This is
 * allowed for a search in args, which reports its hits in several results, one after another: if each new result
 * cancelled the sum of the previous hits, no sum would be completed before the end of the search. */
static gboolean
goes_on (LoomSearchResultsPanel *self, LoomTimeline *timeline, const LoomSearchResult *result)
{
  return self->result != NULL && self->timeline == timeline && self->result->names == NULL && result->names == NULL &&
         result->n_found >= self->result->n_found;
}

/* --- widget class and public functions ---------------------------------------------------------------------------- */

static void
activated (LoomSearchResultsPanel *self, guint row)
{
  if (self->found == NULL || row >= self->found->longest->len)
    return;
  LoomSpanId longest = g_array_index (self->found->longest, LoomSpanId, row);
  g_signal_emit (self, signals[SPAN_CHOSEN], 0, longest.trace, longest.span);
}

static void
dispose (GObject *object)
{
  LoomSearchResultsPanel *self = LOOM_SEARCH_RESULTS_PANEL (object);
  forget (self);
  g_clear_object (&self->search);
  G_OBJECT_CLASS (loom_search_results_panel_parent_class)->dispose (object);
}

static void
loom_search_results_panel_class_init (LoomSearchResultsPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  g_type_ensure (LOOM_TYPE_TABLE_VIEW);
  signals[SPAN_CHOSEN] = g_signal_new ("span-chosen", LOOM_TYPE_SEARCH_RESULTS_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                       NULL, G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/traceloom/Traceloom/loom-search-results-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomSearchResultsPanel, summary);
  gtk_widget_class_bind_template_child (widget_class, LoomSearchResultsPanel, view);
  gtk_widget_class_bind_template_callback (widget_class, activated);
}

static void
loom_search_results_panel_init (LoomSearchResultsPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->followed.trace = G_MAXUINT;
  loom_table_view_set_fills (self->view, TRUE);
  g_signal_connect (self->view, "save-requested", G_CALLBACK (loom_page_view_save_table), NULL);
  g_signal_connect (self, "map", G_CALLBACK (count), NULL);
  show_table (self);
  show (self);
}

GtkWidget *
loom_search_results_panel_new (LoomSearchState *search)
{
  LoomSearchResultsPanel *self = g_object_new (LOOM_TYPE_SEARCH_RESULTS_PANEL, NULL);
  self->search = g_object_ref (search);
  g_signal_connect_object (search, "changed", G_CALLBACK (select_current), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

/* The rows of the previous result stay visible until the new hits are counted. */
void
loom_search_results_panel_show (LoomSearchResultsPanel *self, LoomTimeline *timeline, LoomSearchResult *result)
{
  g_return_if_fail (LOOM_IS_SEARCH_RESULTS_PANEL (self) && (result == NULL || timeline != NULL));
  if (result != NULL && goes_on (self, timeline, result)) {
    loom_search_result_unref (self->result);
    self->result = loom_search_result_ref (result);
    show (self);
    count (self);
    return;
  }
  forget (self);
  if (result != NULL) {
    self->timeline = loom_timeline_ref (timeline);
    self->result = loom_search_result_ref (result);
  } else
    show_table (self);
  show (self);
  count (self);
}

gboolean
loom_search_results_panel_is_working (LoomSearchResultsPanel *self)
{
  return self->counting != NULL;
}
