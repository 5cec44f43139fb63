/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-analysis-view.h"

#include "loom-analysis-panel.h"
#include "loom-bounded-text.h"
#include "loom-clock-commands.h"
#include "loom-clocks-panel.h"
#include "loom-findings-panel.h"
#include "loom-hover-band.h"
#include "loom-lazy-page.h"
#include "loom-overview-bar.h"
#include "loom-page-row.h"
#include "loom-pages-fold-row.h"
#include "loom-range-chooser.h"
#include "loom-span-tree-panel.h"
#include "loom-threshold-button.h"

#include <glib/gi18n.h>

#define STRIP_PX 48

/* If at least this many pages lack data, their rows are moved to the end of the list, below a row (LoomPagesFoldRow)
 * that shows or hides them. If fewer pages lack data, their rows stay in their groups, because hiding so few rows would
 * save little space. */
#define LEAST_FOLDED 3

struct _LoomAnalysisView {
  GtkWidget parent;
  AdwLeaflet *leaflet;
  GtkWidget *sidebar, *content, *back, *new_window;
  GtkButton *show_path;
  GtkListBox *list;
  LoomPagesFoldRow *fold; /* row of `list` that shows or hides the rows of pages without data */
  gboolean folds;         /* TRUE if at least LEAST_FOLDED pages lack data, so that `fold` is shown */
  GtkLabel *title, *question;
  LoomRangeChooser *range;
  LoomThresholdButton *thresholds;
  LoomOverviewBar *strip;
  LoomHoverBand *band;
  GtkStack *stack;
  LoomRunState *run;
  LoomFindingsState *findings; /* `findings` and `state` are borrowed from the run */
  LoomTimelineState *state;
  LoomRenderContext *scene;
  LoomAnalysisPanel *summary; /* panel of the summary page; NULL until the page is made */
  LoomClocksPanel *clocks;    /* content of the page of clocks; NULL until the page is made */
  LoomPageLacks *lacks;       /* the data that the run lacks for each page; borrowed from the run */
  const LoomPageIndex *page;
  guint reveal_id; /* id of the GLib source that scrolls to the selected row; 0 if no scrolling is scheduled */
};

G_DEFINE_FINAL_TYPE (LoomAnalysisView, loom_analysis_view, GTK_TYPE_WIDGET)

enum { PROP_0, PROP_PAGE, N_PROPS };
static GParamSpec *properties[N_PROPS];
enum { THRESHOLDS_CHANGED, WINDOW_REQUESTED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- making the pages --------------------------------------------------------------------------------------------- */

static GtkWidget *
make_clocks (gpointer user_data, gconstpointer data)
{
  LoomAnalysisView *self = user_data;
  LoomDocument *document = loom_run_state_get_document (self->run);
  GtkWidget *panel = loom_clocks_panel_new (self->scene);
  self->clocks = LOOM_CLOCKS_PANEL (panel);
  g_signal_connect_object (panel, "clock-moved", G_CALLBACK (loom_clock_commands_drag), document, G_CONNECT_SWAPPED);
  g_signal_connect_object (panel, "offset-set", G_CALLBACK (loom_clock_commands_set_offset), document,
                           G_CONNECT_SWAPPED);
  loom_clocks_panel_set_timeline (self->clocks, loom_timeline_state_get_timeline (self->state));
  return panel;
}

static GtkWidget *
make_span_tree (gpointer user_data, gconstpointer page)
{
  LoomAnalysisView *self = user_data;
  return loom_span_tree_panel_new (self->run, self->scene);
}

static GtkWidget *
make_page (gpointer user_data, gconstpointer page)
{
  LoomAnalysisView *self = user_data;
  return loom_analysis_panel_new (self->run, self->scene, page);
}

/* Shows a headline above the figures of the summary page. This is the headline of the costliest finding; if there is no
 * finding, it is the headline of the page. */
static void
show_headline (LoomAnalysisView *self)
{
  LoomAnalysisPage *page = loom_analysis_panel_get_page (self->summary);
  g_autofree char *text = loom_findings_state_dup_page_headline (self->findings, loom_analysis_page_get_content (page));
  loom_page_view_set_headline (loom_analysis_panel_get_view (self->summary), text);
}

/* Makes the summary page. It has the headline and the main figures, the list of findings, and charts about the run. */
static GtkWidget *
make_summary (gpointer user_data, gconstpointer page)
{
  LoomAnalysisView *self = user_data;
  self->summary = LOOM_ANALYSIS_PANEL (make_page (self, page));
  loom_page_view_set_inset (loom_analysis_panel_get_view (self->summary),
                            loom_findings_panel_new (self->run, self->scene));
  g_signal_connect_object (self->findings, "notify::findings", G_CALLBACK (show_headline), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->findings, "notify::outdated", G_CALLBACK (show_headline), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (loom_analysis_panel_get_page (self->summary), "notify::content", G_CALLBACK (show_headline),
                           self, G_CONNECT_SWAPPED);
  show_headline (self);
  return GTK_WIDGET (self->summary);
}

static void
add_page (LoomAnalysisView *self, const LoomPageIndex *page)
{
  const LoomPage *analysis = loom_page_find (page->name);
  LoomLateMaker make = g_str_equal (page->name, "clocks")     ? make_clocks
                       : g_str_equal (page->name, "calls")    ? make_span_tree
                       : g_str_equal (page->name, "overview") ? make_summary
                                                              : make_page;
  gtk_stack_add_named (self->stack, loom_lazy_page_new (make, self, analysis), page->name);
  gtk_list_box_append (self->list, loom_page_row_new (page));
}

static void
add_pages (LoomAnalysisView *self)
{
  guint n;
  const LoomPageIndex *pages = loom_page_index_get (&n);
  for (guint i = 0; i < n; i++)
    if (g_str_equal (pages[i].view, "analysis"))
      add_page (self, &pages[i]);
  self->fold = LOOM_PAGES_FOLD_ROW (loom_pages_fold_row_new ());
  gtk_list_box_append (self->list, GTK_WIDGET (self->fold));
}

/* --- list of pages ------------------------------------------------------------------------------------------------ */

static LoomPageRow *
find_row (LoomAnalysisView *self, const LoomPageIndex *page)
{
  GtkListBoxRow *row;
  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)) != NULL; i++)
    if (LOOM_IS_PAGE_ROW (row) && loom_page_row_get_page (LOOM_PAGE_ROW (row)) == page)
      return LOOM_PAGE_ROW (row);
  return NULL;
}

/* Returns TRUE if the row is hidden and shown by the row `fold`: the run has no data for the page of the row, and
 * `fold` is shown because many pages lack data. */
static gboolean
is_below_fold (LoomAnalysisView *self, GtkListBoxRow *row)
{
  return self->folds && LOOM_IS_PAGE_ROW (row) && loom_page_row_has_reason (LOOM_PAGE_ROW (row));
}

static int
compare_rows (GtkListBoxRow *a, GtkListBoxRow *b, gpointer view)
{
  int x = is_below_fold (view, a) ? 2 : !LOOM_IS_PAGE_ROW (a), y = is_below_fold (view, b) ? 2 : !LOOM_IS_PAGE_ROW (b);
  if (x != y || !LOOM_IS_PAGE_ROW (a))
    return x - y;
  const LoomPageIndex *page = loom_page_row_get_page (LOOM_PAGE_ROW (a)),
                      /* both pages are elements of one array, so comparing their addresses compares their positions */
    *other = loom_page_row_get_page (LOOM_PAGE_ROW (b));
  return page < other ? -1 : page > other;
}

static gboolean
is_wanted (GtkListBoxRow *row, gpointer view)
{
  LoomAnalysisView *self = view;
  return !is_below_fold (self, row) || loom_pages_fold_row_is_expanded (self->fold);
}

static const char *
get_group (LoomAnalysisView *self, GtkListBoxRow *row)
{
  gboolean has_group = row != NULL && LOOM_IS_PAGE_ROW (row) && !is_below_fold (self, row);
  return has_group ? loom_page_row_get_page (LOOM_PAGE_ROW (row))->group : NULL;
}

/* Shows the heading of a group above the first row of the group. Rows of pages without data, which are at the end of
 * the list, have no headings. */
static void
head_row (GtkListBoxRow *row, GtkListBoxRow *before, gpointer view)
{
  const char *group = get_group (view, row), *group_before = get_group (view, before);
  GtkWidget *heading = NULL;
  if (group != NULL && g_strcmp0 (group, group_before) != 0) {
    heading = loom_bounded_text_new_label (_ (group));
    gtk_label_set_xalign (GTK_LABEL (heading), 0);
    gtk_widget_add_css_class (heading, "page-group");
  }
  gtk_list_box_row_set_header (row, heading);
}

static void
findings_changed (LoomAnalysisView *self)
{
  loom_page_row_set_badge (find_row (self, loom_page_index_find ("overview")),
                           loom_findings_state_count (self->findings));
}

/* Shows the question that the page answers. Adds a link to the page that answers a similar question, unless the run
 * lacks data for that page. */
static void
show_question (LoomAnalysisView *self, const LoomPageIndex *page)
{
  const LoomPageIndex *related = page->related != NULL ? loom_page_index_find (page->related) : NULL;
  LoomPageRow *row = related != NULL ? find_row (self, related) : NULL;
  if (row != NULL && loom_page_row_has_reason (row))
    related = NULL;
  const char *text = page->question != NULL ? _ (page->question) : "";
  g_autofree char *question = g_markup_escape_text (text, -1),
                  *title = related != NULL ? g_markup_escape_text (_ (related->title), -1) : NULL,
                  *link = related != NULL ? g_strdup_printf ("<a href=\"%s\">%s</a>", related->name, title) : NULL;
  g_autofree char *also =
    link != NULL ? g_strdup_printf (/* Translators: %s is a link, the title of a page */ _ ("See also: %s"), link)
                 : g_strdup ("");
  g_autofree char *markup = g_strdup_printf ("%s  %s", question, also);
  gtk_label_set_markup (self->question, markup);
  gtk_widget_set_visible (GTK_WIDGET (self->question), page->question != NULL);
}

/* Scrolls the list to the selected row. Runs as an idle callback, because GTK must first compute the positions of
 * new rows. */
static gboolean
reveal_selected (gpointer data)
{
  LoomAnalysisView *self = data;
  GtkWidget *row = GTK_WIDGET (gtk_list_box_get_selected_row (self->list));
  graphene_rect_t place;
  self->reveal_id = 0;
  if (row != NULL && gtk_widget_compute_bounds (row, GTK_WIDGET (self->list), &place))
    gtk_adjustment_clamp_page (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->sidebar)),
                               (double) place.origin.y, (double) (place.origin.y + place.size.height));
  return G_SOURCE_REMOVE;
}

static void
reveal_selected_later (LoomAnalysisView *self)
{
  if (self->reveal_id == 0)
    self->reveal_id = g_idle_add (reveal_selected, self);
}

static void
set_expanded (LoomAnalysisView *self, gboolean expanded)
{
  loom_pages_fold_row_set_expanded (self->fold, expanded);
  gtk_list_box_invalidate_filter (self->list);
}

/* Dims the rows of pages for which the run has no data, and moves them to the end of the list. The user can still
 * select such a page; it then says how to record the missing data. */
static void
show_lacks (LoomAnalysisView *self)
{
  guint n, n_lacks = 0;
  const LoomPageIndex *pages = loom_page_index_get (&n);
  for (guint i = 0; i < n; i++) {
    LoomPageRow *row = find_row (self, &pages[i]);
    const char *lack = row != NULL ? loom_page_lacks_get (self->lacks, pages[i].name) : NULL;
    if (row != NULL)
      loom_page_row_set_reason (row, lack);
    n_lacks += lack != NULL;
  }
  self->folds = n_lacks >= LEAST_FOLDED;
  loom_pages_fold_row_set_n (self->fold, self->folds ? n_lacks : 0);
  if (self->page != NULL && loom_page_row_has_reason (find_row (self, self->page)))
    set_expanded (self, TRUE);
  gtk_list_box_invalidate_sort (self->list); /* sorts the rows and updates the headings */
  gtk_list_box_invalidate_filter (self->list);
  reveal_selected_later (self);
  if (self->page != NULL)
    show_question (self, self->page);
}

static void
find_lacks (LoomAnalysisView *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    loom_page_lacks_ask (self->lacks);
}

static void
timeline_changed (LoomAnalysisView *self)
{
  if (self->clocks != NULL)
    loom_clocks_panel_set_timeline (self->clocks, loom_timeline_state_get_timeline (self->state));
  find_lacks (self);
}

static void
names_changed (LoomAnalysisView *self)
{
  if (self->clocks != NULL)
    loom_clocks_panel_names_changed (self->clocks);
}

static void
row_selected (LoomAnalysisView *self, LoomPageRow *row)
{
  if (row != NULL)
    loom_analysis_view_set_page (self, loom_page_row_get_page (row)->name);
}

/* If the window is narrow, shows the page in place of the list, because a narrow window shows either the list or the
 * page. */
static void
row_activated (LoomAnalysisView *self, GtkListBoxRow *row)
{
  if (row == GTK_LIST_BOX_ROW (self->fold))
    set_expanded (self, !loom_pages_fold_row_is_expanded (self->fold));
  else
    adw_leaflet_set_visible_child (self->leaflet, self->content);
}

/* Tab moves the focus out of the list of pages. By default, GTK would move the focus to the next row, and this would
 * select another page. */
static gboolean
key_pressed (LoomAnalysisView *self, guint keyval, guint keycode, GdkModifierType modifiers)
{
  if (keyval != GDK_KEY_Tab || (modifiers & (GDK_CONTROL_MASK | GDK_SHIFT_MASK | GDK_ALT_MASK)) != 0)
    return GDK_EVENT_PROPAGATE;
  return gtk_widget_child_focus (self->content, GTK_DIR_TAB_FORWARD) ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
}

static void
back_clicked (LoomAnalysisView *self)
{
  adw_leaflet_set_visible_child (self->leaflet, self->sidebar);
}

static gboolean
link_activated (LoomAnalysisView *self, const char *name)
{
  loom_analysis_view_set_page (self, name);
  return GDK_EVENT_STOP;
}

static void
folded (LoomAnalysisView *self)
{
  gboolean is_folded = adw_leaflet_get_folded (self->leaflet);
  gtk_widget_set_visible (self->back, is_folded);
  loom_range_chooser_set_narrow (self->range, is_folded);
  if (is_folded)
    gtk_button_set_icon_name (self->show_path, "loom-timeline-symbolic");
  else
    gtk_button_set_label (self->show_path, _ ("_Show on Timeline"));
}

static void
path_clicked (LoomAnalysisView *self)
{
  loom_path_display_set_shown (loom_run_state_get_path (self->run), TRUE);
  loom_run_state_show_timeline (self->run);
}

/* --- thresholds and window ---------------------------------------------------------------------------------------- */

/* Updates the thresholds in the button, because the user may have changed them in another view or in the
 * preferences. */
static void
show_thresholds (LoomAnalysisView *self)
{
  loom_threshold_button_set (self->thresholds,
                             loom_analysis_context_get_thresholds (loom_run_state_get_analysis (self->run)));
}

/* Returns TRUE for the pages whose results do not depend on the range, because they are about the files. */
static gboolean
is_of_files (const LoomPageIndex *page)
{
  static const char *const names[] = { "clocks", "health", "hang", NULL };
  return page != NULL && g_strv_contains (names, page->name);
}

/* Marks on the overview strip the range that the results cover. Shows the handles of the strip only while this is the
 * visible range, because the handles change the visible range. */
static void
show_range (LoomAnalysisView *self)
{
  LoomAnalysisContext *analysis = loom_run_state_get_analysis (self->run);
  LoomRangeScope scope = loom_analysis_context_get_scope (analysis);
  gboolean is_whole = scope == LOOM_RANGE_SCOPE_ALL || is_of_files (self->page);
  loom_overview_bar_set_plain (self->strip, is_whole || scope != LOOM_RANGE_SCOPE_VISIBLE);
  loom_overview_bar_set_analyzed (self->strip,
                                  is_whole ? (LoomRange) { 0, 0 } : loom_analysis_context_get_asked_range (analysis));
}

static void
thresholds_changed (LoomAnalysisView *self)
{
  loom_analysis_context_set_thresholds (loom_run_state_get_analysis (self->run),
                                        loom_threshold_button_get (self->thresholds));
  g_signal_emit (self, signals[THRESHOLDS_CHANGED], 0);
}

static void
window_clicked (LoomAnalysisView *self)
{
  g_signal_emit (self, signals[WINDOW_REQUESTED], 0);
}

/* --- widget class and public functions ---------------------------------------------------------------------------- */

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_string (value, loom_analysis_view_get_page (LOOM_ANALYSIS_VIEW (object)));
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  loom_analysis_view_set_page (LOOM_ANALYSIS_VIEW (object), g_value_get_string (value));
}

static void
dispose (GObject *object)
{
  LoomAnalysisView *self = LOOM_ANALYSIS_VIEW (object);
  GtkWidget *leaflet = GTK_WIDGET (self->leaflet);
  g_clear_handle_id (&self->reveal_id, g_source_remove);
  self->leaflet = NULL;
  if (leaflet != NULL) {
    g_signal_handlers_disconnect_by_data (leaflet, self);
    g_signal_handlers_disconnect_by_data (self->list, self);
    /* remove the functions of the list: the list may call them while it destroys its rows, and they would then use
     * destroyed rows, such as `fold` */
    gtk_list_box_set_filter_func (self->list, NULL, NULL, NULL);
    gtk_list_box_set_sort_func (self->list, NULL, NULL, NULL);
    gtk_list_box_set_header_func (self->list, NULL, NULL, NULL);
    gtk_widget_unparent (leaflet);
  }
  G_OBJECT_CLASS (loom_analysis_view_parent_class)->dispose (object);
  g_clear_object (&self->scene);
  g_clear_object (&self->run);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-analysis-view.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomAnalysisView, leaflet);
  gtk_widget_class_bind_template_child (widget_class, LoomAnalysisView, sidebar);
  gtk_widget_class_bind_template_child (widget_class, LoomAnalysisView, list);
  gtk_widget_class_bind_template_child (widget_class, LoomAnalysisView, content);
  gtk_widget_class_bind_template_child (widget_class, LoomAnalysisView, back);
  gtk_widget_class_bind_template_child (widget_class, LoomAnalysisView, title);
  gtk_widget_class_bind_template_child (widget_class, LoomAnalysisView, question);
  gtk_widget_class_bind_template_child (widget_class, LoomAnalysisView, show_path);
  gtk_widget_class_bind_template_child (widget_class, LoomAnalysisView, range);
  gtk_widget_class_bind_template_child (widget_class, LoomAnalysisView, thresholds);
  gtk_widget_class_bind_template_child (widget_class, LoomAnalysisView, new_window);
  gtk_widget_class_bind_template_child (widget_class, LoomAnalysisView, strip);
  gtk_widget_class_bind_template_child (widget_class, LoomAnalysisView, band);
  gtk_widget_class_bind_template_child (widget_class, LoomAnalysisView, stack);
  gtk_widget_class_bind_template_callback (widget_class, folded);
  gtk_widget_class_bind_template_callback (widget_class, row_selected);
  gtk_widget_class_bind_template_callback (widget_class, row_activated);
  gtk_widget_class_bind_template_callback (widget_class, key_pressed);
  gtk_widget_class_bind_template_callback (widget_class, link_activated);
  gtk_widget_class_bind_template_callback (widget_class, back_clicked);
  gtk_widget_class_bind_template_callback (widget_class, window_clicked);
  gtk_widget_class_bind_template_callback (widget_class, path_clicked);
}

static void
loom_analysis_view_class_init (LoomAnalysisViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  object_class->dispose = dispose;
  object_class->get_property = get_property;
  object_class->set_property = set_property;
  properties[PROP_PAGE] = g_param_spec_string ("page", NULL, NULL, NULL,
                                               G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[THRESHOLDS_CHANGED] = g_signal_new ("thresholds-changed", LOOM_TYPE_ANALYSIS_VIEW, G_SIGNAL_RUN_LAST, 0, NULL,
                                              NULL, NULL, G_TYPE_NONE, 0);
  signals[WINDOW_REQUESTED] =
    g_signal_new ("window-requested", LOOM_TYPE_ANALYSIS_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_type_ensure (LOOM_TYPE_RANGE_CHOOSER);
  g_type_ensure (LOOM_TYPE_THRESHOLD_BUTTON);
  g_type_ensure (LOOM_TYPE_OVERVIEW_BAR);
  g_type_ensure (LOOM_TYPE_HOVER_BAND);
  bind_children (GTK_WIDGET_CLASS (klass));
}

static void
loom_analysis_view_init (LoomAnalysisView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_size_request (GTK_WIDGET (self->strip), -1, STRIP_PX);
  gtk_list_box_set_header_func (self->list, head_row, self, NULL);
  gtk_list_box_set_sort_func (self->list, compare_rows, self, NULL);
}

GtkWidget *
loom_analysis_view_new (LoomRunState *run, LoomRenderContext *scene)
{
  LoomAnalysisView *self = g_object_new (LOOM_TYPE_ANALYSIS_VIEW, NULL);
  self->run = g_object_ref (run);
  self->scene = g_object_ref (scene);
  self->state = loom_run_state_get_view (run);
  self->findings = loom_run_state_get_findings (run);
  self->lacks = loom_run_state_get_lacks (run);
  add_pages (self);
  gtk_list_box_set_filter_func (self->list, is_wanted, self, NULL);
  loom_overview_bar_set_scene (self->strip, scene, loom_run_state_get_flight (run));
  loom_hover_band_set_scene (self->band, scene, GTK_WIDGET (self->strip), NULL, NULL, self->strip);
  loom_range_chooser_follow (self->range, loom_run_state_get_analysis (run));
  show_thresholds (self);
  g_signal_connect_object (loom_run_state_get_analysis (run), "range-changed", G_CALLBACK (show_thresholds), self,
                           G_CONNECT_SWAPPED);
  static const char *const of_range[] = { "range-changed", "scope-changed", "loop-found" };
  for (guint i = 0; i < G_N_ELEMENTS (of_range); i++)
    g_signal_connect_object (loom_run_state_get_analysis (run), of_range[i], G_CALLBACK (show_range), self,
                             G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->thresholds, "changed", G_CALLBACK (thresholds_changed), self);
  g_signal_connect_object (self->findings, "notify::findings", G_CALLBACK (findings_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "timeline-changed", G_CALLBACK (timeline_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (run, "names-changed", G_CALLBACK (names_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->lacks, "changed", G_CALLBACK (show_lacks), self, G_CONNECT_SWAPPED);
  show_lacks (self);
  g_signal_connect (self, "map", G_CALLBACK (find_lacks), NULL);
  g_signal_connect (self, "map", G_CALLBACK (reveal_selected_later), NULL);
  loom_analysis_view_set_page (self, "overview");
  findings_changed (self);
  return GTK_WIDGET (self);
}

void
loom_analysis_view_set_page (LoomAnalysisView *self, const char *name)
{
  g_return_if_fail (LOOM_IS_ANALYSIS_VIEW (self));
  const LoomPageIndex *page = loom_page_index_find (name);
  if (page == NULL || page == self->page || !g_str_equal (page->view, "analysis"))
    return;
  self->page = page;
  if (loom_page_row_has_reason (find_row (self, page)))
    set_expanded (self, TRUE);
  gtk_list_box_select_row (self->list, GTK_LIST_BOX_ROW (find_row (self, page)));
  reveal_selected_later (self);
  gtk_stack_set_visible_child_name (self->stack, page->name);
  /* A narrow window shows either the list or the page. While the list has the focus, keep showing the list, so that the
   * user can move through its rows with the arrow keys. */
  if (gtk_widget_get_focus_child (GTK_WIDGET (self->list)) == NULL)
    adw_leaflet_set_visible_child (self->leaflet, self->content);
  loom_bounded_text_set_label (self->title, _ (page->title));
  show_question (self, page);
  gtk_widget_set_visible (GTK_WIDGET (self->range), !is_of_files (page));
  show_range (self);
  static const char *const of_thresholds[] = { "overview", "balance", "steps", "bottlenecks", NULL };
  gtk_widget_set_visible (GTK_WIDGET (self->thresholds), g_strv_contains (of_thresholds, page->name));
  gtk_widget_set_visible (GTK_WIDGET (self->show_path), g_str_equal (page->name, "path"));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PAGE]);
}

const char *
loom_analysis_view_get_page (LoomAnalysisView *self)
{
  return self->page != NULL ? self->page->name : NULL;
}

GtkWidget *
loom_analysis_view_get_panel (LoomAnalysisView *self, const char *name)
{
  return loom_lazy_page_get (LOOM_LAZY_PAGE (gtk_stack_get_child_by_name (self->stack, name)));
}

void
loom_analysis_view_set_detached (LoomAnalysisView *self, gboolean detached)
{
  gtk_widget_set_visible (self->new_window, !detached);
}
