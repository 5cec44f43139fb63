/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-span-tree-panel.h"

#include "loom-bounded-text.h"
#include "loom-call-tree-table.h"
#include "loom-drop-down-a11y-workaround.h"
#include "loom-page-view.h"
#include "loom-run-navigation.h"
#include "loom-sentence.h"
#include "loom-table-view.h"

#include <glib/gi18n.h>

/* sizes of the chart of the call tree, in px: minimum and maximum height, margin below the rows, minimum width */
#define LEAST_CHART_PX 96
#define MOST_CHART_PX 420
#define MARGIN_PX 6
/* the height of the chart may exceed MOST_CHART_PX, up to this share of the height of chart and table */
#define SHARE 0.4
#define LEAST_WIDTH_PX 240

struct _LoomSpanTreePanel {
  AdwBin parent;
  GtkLabel *summary, *answer, *note, *nothing;
  GtkSpinner *spinner;
  GtkSearchEntry *search;
  GtkDropDown *threads;
  GtkToggleButton *top_down, *bottom_up, *hide_waits;
  GtkStack *stack;
  GtkWidget *paned;
  guint fit_id; /* id of the GLib source that calls fit_later(); 0 if no call is scheduled */
  LoomIcicleView *view;
  GtkScrollbar *bar;
  LoomTableView *names;
  /* guint32: for each row of the table of names, the index of the row's function in the call tree; NULL if there is
   * no tree */
  GArray *functions;
  LoomRunState *run;
  LoomSpanTreePage *page;
};

G_DEFINE_FINAL_TYPE (LoomSpanTreePanel, loom_span_tree_panel, ADW_TYPE_BIN)

/* --- showing the tree --------------------------------------------------------------------------------------------- */

static guint32
count_merged (const LoomCallTree *tree)
{
  guint32 n = 0;
  for (guint32 i = 0; i < tree->n_nodes; i++)
    n += tree->nodes[i].n_merged;
  return n;
}

static char *
dup_note (LoomSpanTreePanel *self, const LoomCallTree *tree)
{
  gboolean up = loom_span_tree_page_get_direction (self->page) == LOOM_SPAN_TREE_BOTTOM_UP;
  GString *text = g_string_new (NULL);
  g_autofree char *details = loom_call_tree_table_dup_details (tree, up);
  if (details[0] != '\0')
    g_string_append (text, details);
  loom_sentence_append (text, up ? _ ("The width of a box shows its self time; its callers are below it.")
                                 : _ ("The width of a box shows its time; its callees are below it."));
  guint32 n_merged = count_merged (tree);
  if (n_merged > 0) {
    g_autofree char *merged =
      g_strdup_printf (ngettext ("%'u narrow box is part of a box named “other”.",
                                 "%'u narrow boxes are parts of boxes named “other”.", n_merged),
                       n_merged);
    loom_sentence_append (text, merged);
  }
  if (tree->is_cut)
    loom_sentence_append (
      text, _ ("Incomplete: the run has too many different stacks; further stacks are in boxes named “other”."));
  return g_string_free (text, FALSE);
}

static void
search_changed (LoomSpanTreePanel *self)
{
  loom_icicle_view_search (self->view, gtk_editable_get_text (GTK_EDITABLE (self->search)));
}

static void
show_names (LoomSpanTreePanel *self, const LoomCallTree *tree)
{
  g_clear_pointer (&self->functions, g_array_unref);
  gboolean up = loom_span_tree_page_get_direction (self->page) == LOOM_SPAN_TREE_BOTTOM_UP;
  g_autoptr (LoomResultTable) table = loom_call_tree_table_new (tree, up, &self->functions);
  loom_table_view_set_table (self->names, table);
}

/* Requests a height of the chart that fits its rows and its legend. The height is at least LEAST_CHART_PX. It is at
 * most MOST_CHART_PX or, in a high window, at most the share SHARE of the height of chart and table. The table below
 * the chart gets the remaining height. Then the divider between chart and table stays at its place until the user moves
 * it. */
static void
fit_chart (LoomSpanTreePanel *self, const LoomCallTree *tree)
{
  double share_px = SHARE * gtk_widget_get_height (self->paned),
         height_px = loom_icicle_fit_height_px (tree, MOST_CHART_PX - MARGIN_PX, share_px - MARGIN_PX) + MARGIN_PX;
  gtk_widget_set_size_request (GTK_WIDGET (self->view), LEAST_WIDTH_PX, MAX ((int) height_px, LEAST_CHART_PX));
}

static gboolean
fit_later (gpointer data)
{
  LoomSpanTreePanel *self = data;
  const LoomCallTree *tree = loom_span_tree_page_get_tree (self->page);
  self->fit_id = 0;
  if (tree != NULL && tree->n_nodes > 0)
    fit_chart (self, tree);
  return G_SOURCE_REMOVE;
}

/* Called when the total height of the chart and the table has changed. GTK allocates sizes during this call and
 * ignores size requests, so an idle callback requests the height of the chart later. */
static void
height_changed (LoomSpanTreePanel *self)
{
  if (self->fit_id == 0 && self->page != NULL)
    self->fit_id = g_idle_add (fit_later, self);
}

static void
waits_toggled (LoomSpanTreePanel *self)
{
  if (self->page != NULL)
    loom_span_tree_page_set_omits_waits (self->page, gtk_toggle_button_get_active (self->hide_waits));
}

static void
show_tree (LoomSpanTreePanel *self)
{
  LoomCallTree *tree = loom_span_tree_page_get_tree (self->page);
  gboolean any = tree != NULL && tree->n_nodes > 0;
  gboolean up = loom_span_tree_page_get_direction (self->page) == LOOM_SPAN_TREE_BOTTOM_UP;
  g_autofree char *note = any ? dup_note (self, tree) : g_strdup (""),
                  *text = any ? loom_call_tree_table_dup_answer (tree, up) : g_strdup (""),
                  *answer = loom_sentence_dup_bound (text);
  loom_icicle_view_set_tree (self->view, tree);
  search_changed (self);
  if (any) {
    show_names (self, tree);
    fit_chart (self, tree);
  }
  loom_bounded_text_set_label (self->answer, answer);
  loom_bounded_text_set_label (self->note, note);
  loom_bounded_text_set_label (self->nothing, loom_span_tree_page_get_missing (self->page));
  gtk_stack_set_visible_child_name (self->stack, any ? "tree" : "nothing");
}

static void
show_summary (LoomSpanTreePanel *self)
{
  loom_bounded_text_set_label (self->summary, loom_span_tree_page_get_summary (self->page));
}

static void
show_work (LoomSpanTreePanel *self)
{
  gboolean working = loom_span_tree_page_is_working (self->page);
  gtk_spinner_set_spinning (self->spinner, working);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), working);
  if (working)
    gtk_widget_add_css_class (GTK_WIDGET (self->stack), "old");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->stack), "old");
}

static void
threads_chosen (LoomSpanTreePanel *self)
{
  if (self->page != NULL && gtk_drop_down_get_selected (self->threads) != GTK_INVALID_LIST_POSITION)
    loom_span_tree_page_choose (self->page, gtk_drop_down_get_selected (self->threads));
}

/* Fills the drop-down list of processes and threads. Their names come from files and may be long, so they are
 * shortened. */
static void
show_choices (LoomSpanTreePanel *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  const char *const *choices = loom_span_tree_page_get_choices (self->page);
  for (guint i = 0; choices[i] != NULL; i++) {
    g_autofree char *name = loom_sentence_dup_bound (choices[i]);
    gtk_string_list_append (names, name);
  }
  /* block the handler, because the drop-down selects the first item of a new model, and this is not a choice of the
   * user */
  g_signal_handlers_block_by_func (self->threads, threads_chosen, self);
  gtk_drop_down_set_model (self->threads, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->threads, loom_span_tree_page_get_chosen (self->page));
  g_signal_handlers_unblock_by_func (self->threads, threads_chosen, self);
}

static void
findings_changed (LoomSpanTreePanel *self)
{
  loom_span_tree_page_prefer_rank (self->page,
                                   loom_findings_state_get_late_rank (loom_run_state_get_findings (self->run)));
}

static void
mapped (LoomSpanTreePanel *self)
{
  loom_span_tree_page_set_wanted (self->page, TRUE);
}

static void
unmapped (LoomSpanTreePanel *self)
{
  loom_span_tree_page_set_wanted (self->page, FALSE);
}

/* --- actions of the user ------------------------------------------------------------------------------------------ */

static void
direction_chosen (LoomSpanTreePanel *self)
{
  gboolean up = gtk_toggle_button_get_active (self->bottom_up);
  if (self->page != NULL)
    loom_span_tree_page_set_direction (self->page, up ? LOOM_SPAN_TREE_BOTTOM_UP : LOOM_SPAN_TREE_TOP_DOWN);
}

/* Outlines the boxes of the chart that belong to the function selected in the table of names. */
static void
name_selected (LoomSpanTreePanel *self)
{
  guint row = loom_table_view_get_selected (self->names);
  gboolean known = self->functions != NULL && row < self->functions->len;
  loom_icicle_view_set_function (self->view, known ? g_array_index (self->functions, guint32, row) : G_MAXUINT32);
}

static void
node_activated (LoomSpanTreePanel *self, guint node)
{
  loom_span_tree_page_find_spans (self->page, node);
}

static void
spans_found (LoomSpanTreePanel *self, GArray *spans, guint64 n_all)
{
  loom_run_navigation_select (self->run, g_array_ref (spans));
  loom_run_state_show_timeline (self->run);
}

/* --- widget class and public functions ---------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomSpanTreePanel *self = LOOM_SPAN_TREE_PANEL (object);
  if (self->page != NULL)
    g_signal_handlers_disconnect_by_data (self->page, self);
  g_clear_handle_id (&self->fit_id, g_source_remove);
  g_clear_pointer (&self->functions, g_array_unref);
  g_clear_object (&self->run);
  g_clear_object (&self->page);
  G_OBJECT_CLASS (loom_span_tree_panel_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, LoomSpanTreePanel, summary);
  gtk_widget_class_bind_template_child (widget_class, LoomSpanTreePanel, answer);
  gtk_widget_class_bind_template_child (widget_class, LoomSpanTreePanel, note);
  gtk_widget_class_bind_template_child (widget_class, LoomSpanTreePanel, nothing);
  gtk_widget_class_bind_template_child (widget_class, LoomSpanTreePanel, spinner);
  gtk_widget_class_bind_template_child (widget_class, LoomSpanTreePanel, search);
  gtk_widget_class_bind_template_child (widget_class, LoomSpanTreePanel, threads);
  gtk_widget_class_bind_template_child (widget_class, LoomSpanTreePanel, top_down);
  gtk_widget_class_bind_template_child (widget_class, LoomSpanTreePanel, bottom_up);
  gtk_widget_class_bind_template_child (widget_class, LoomSpanTreePanel, hide_waits);
  gtk_widget_class_bind_template_child (widget_class, LoomSpanTreePanel, stack);
  gtk_widget_class_bind_template_child (widget_class, LoomSpanTreePanel, view);
  gtk_widget_class_bind_template_child (widget_class, LoomSpanTreePanel, paned);
  gtk_widget_class_bind_template_child (widget_class, LoomSpanTreePanel, bar);
  gtk_widget_class_bind_template_child (widget_class, LoomSpanTreePanel, names);
}

static void
loom_span_tree_panel_class_init (LoomSpanTreePanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  g_type_ensure (LOOM_TYPE_ICICLE_VIEW);
  g_type_ensure (LOOM_TYPE_TABLE_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-span-tree-panel.ui");
  bind_children (widget_class);
  gtk_widget_class_bind_template_callback (widget_class, mapped);
  gtk_widget_class_bind_template_callback (widget_class, unmapped);
  gtk_widget_class_bind_template_callback (widget_class, search_changed);
  gtk_widget_class_bind_template_callback (widget_class, threads_chosen);
  gtk_widget_class_bind_template_callback (widget_class, direction_chosen);
  gtk_widget_class_bind_template_callback (widget_class, waits_toggled);
  gtk_widget_class_bind_template_callback (widget_class, height_changed);
  gtk_widget_class_bind_template_callback (widget_class, node_activated);
  gtk_widget_class_bind_template_callback (widget_class, name_selected);
  gtk_widget_class_bind_template_callback (widget_class, loom_page_view_save_table);
}

static void
loom_span_tree_panel_init (LoomSpanTreePanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  loom_drop_down_a11y_workaround_set (self->threads, _ ("Threads"));
  gtk_scrollbar_set_adjustment (self->bar, loom_icicle_view_get_adjustment (self->view));
  loom_icicle_view_set_activates (self->view, TRUE);
  loom_table_view_set_fills (self->names, TRUE);
}

GtkWidget *
loom_span_tree_panel_new (LoomRunState *run, LoomRenderContext *scene)
{
  LoomSpanTreePanel *self = g_object_new (LOOM_TYPE_SPAN_TREE_PANEL, NULL);
  self->run = g_object_ref (run);
  self->page = loom_span_tree_page_new (loom_run_state_get_analysis (run));
  loom_icicle_view_set_scene (self->view, scene);
  show_choices (self);
  g_signal_connect_swapped (self->page, "notify::tree", G_CALLBACK (show_tree), self);
  g_signal_connect_swapped (self->page, "notify::summary", G_CALLBACK (show_summary), self);
  g_signal_connect_swapped (self->page, "notify::working", G_CALLBACK (show_work), self);
  g_signal_connect_swapped (self->page, "notify::choices", G_CALLBACK (show_choices), self);
  g_signal_connect_swapped (self->page, "spans-found", G_CALLBACK (spans_found), self);
  g_signal_connect_object (loom_run_state_get_findings (run), "notify::findings", G_CALLBACK (findings_changed), self,
                           G_CONNECT_SWAPPED);
  findings_changed (self);
  return GTK_WIDGET (self);
}

LoomSpanTreePage *
loom_span_tree_panel_get_page (LoomSpanTreePanel *self)
{
  return self->page;
}

LoomIcicleView *
loom_span_tree_panel_get_view (LoomSpanTreePanel *self)
{
  return self->view;
}
