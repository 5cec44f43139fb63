/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-run-page.h"

#include "loom-application.h"
#include "loom-clock-commands.h"
#include "loom-dim-sign.h"
#include "loom-hover-details.h"
#include "loom-lane-list.h"
#include "loom-main-finding-bar.h"
#include "loom-main-loop-watchdog.h"
#include "loom-scene-theme.h"
#include "loom-search-bar.h"
#include "loom-source-actions.h"
#include "loom-source-commands.h"
#include "loom-source-extents.h"
#include "loom-view-navigation.h"
#include "loom-view-switcher-a11y-workaround.h"

#include <glib/gi18n.h>

#define MAX_PANEL_SHARE 0.38

struct _LoomRunPage {
  GtkWidget parent;
  GtkWidget *box;
  AdwViewStack *views;
  AdwViewSwitcherBar *view_bar; /* view switcher below the views, shown in narrow windows */
  AdwFlap *flap;
  LoomSourcesPanel *sources;
  LoomMainFindingBar *main_finding;
  LoomSearchBar *search;
  GtkPaned *paned;
  /* overlay for toasts; covers only the timeline, so that a toast does not hide the rows of a panel */
  AdwToastOverlay *toasts;
  LoomTimelineView *timeline;
  LoomDimSign *dim_sign;
  LoomRunViews *panels;
  LoomRunState *run;
  LoomTimelineState *state; /* `state` and `document` are borrowed from the run */
  LoomDocument *document;
  /* Height of the panel in px that must be set as soon as the panel is visible and has content. 0: no height has to be
   * set. */
  int wanted_height;
  gboolean is_low;        /* TRUE if the panel has the minimum height of its content, because nothing is selected */
  gboolean is_moved;      /* TRUE if the user has moved the divider; the panel then keeps its height */
  gboolean is_allocating; /* TRUE during size allocation; divider_moved() then ignores that the divider moves */
};

G_DEFINE_FINAL_TYPE (LoomRunPage, loom_run_page, GTK_TYPE_WIDGET)

static void
timeline_changed (LoomRunPage *self)
{
  LoomTimeline *timeline = loom_document_get_timeline (self->document);
  LoomRange extent;
  g_autofree char *name = loom_document_dup_name (self->document);
  gboolean has_extent = timeline != NULL && loom_timeline_get_extent (timeline, &extent);
  loom_main_loop_watchdog_note ("rows of a new timeline");
  loom_sources_panel_set_timeline (self->sources, timeline, name);
  loom_run_views_set_timeline (self->panels, timeline, has_extent);
  /* hide `toasts`, which contains the timeline, only if a run is loaded in which nothing has a time */
  gtk_widget_set_visible (GTK_WIDGET (self->toasts), timeline == NULL || has_extent);
}

static void
isolated (LoomRunPage *self, const char *const *paths)
{
  loom_source_commands_set_solo (self->document, paths);
}

static void
sources_edited (LoomRunPage *self)
{
  loom_sources_panel_set_edits (self->sources, loom_document_get_source_edits (self->document));
}

static void
went_to (LoomRunPage *self, LoomSourceItem *item)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (self->state);
  LoomViewAnimator *flight = loom_run_state_get_flight (self->run);
  LoomRange extent;
  if (timeline == NULL)
    return;
  guint n = item->sources->len;
  const guint *sources = (const guint *) (gpointer) item->sources->data;
  g_autofree char *key =
    g_strdup (loom_source_extents_find_row (loom_timeline_state_get_row_list (self->state), sources, n));
  if (key != NULL)
    loom_view_navigation_go_to_row (flight, key);
  if (loom_source_extents_get_extent (timeline, sources, n, &extent))
    loom_view_navigation_go_to_range (flight, extent);
}

/* Applies changed settings; settings are the same in all windows. */
static void
settings_changed (LoomRunPage *self)
{
  loom_application_apply_settings (gtk_window_get_application (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)))));
}

static void
search_requested (LoomRunPage *self)
{
  loom_search_state_set_open (loom_run_state_get_search (self->run), TRUE);
}

void
loom_run_page_update_theme (LoomRunPage *self)
{
  loom_scene_theme_update (loom_timeline_view_get_scene (self->timeline), GTK_WIDGET (self));
}

/* Called when the style of the widget has changed. After a change between dark and light, updates the colors. This is
 * not done when the style manager reports the change, because the new colors cannot be looked up at that time. Now they
 * can be looked up, and GTK has not painted yet. */
static void
css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (loom_run_page_parent_class)->css_changed (widget, change);
  if (LOOM_RUN_PAGE (widget)->timeline != NULL && LOOM_RUN_PAGE (widget)->run != NULL)
    loom_run_page_update_theme (LOOM_RUN_PAGE (widget));
}

static void
dispose (GObject *object)
{
  LoomRunPage *self = LOOM_RUN_PAGE (object);
  g_signal_handlers_disconnect_by_data (adw_style_manager_get_default (), self);
  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  self->document = NULL;
  if (self->panels != NULL)
    g_signal_handlers_disconnect_by_data (self->panels, self);
  self->panels = NULL; /* NULL prevents that signals during disposal use destroyed children */
  self->timeline = NULL;
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (loom_run_page_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  g_clear_object (&LOOM_RUN_PAGE (object)->run);
  G_OBJECT_CLASS (loom_run_page_parent_class)->finalize (object);
}

static int
get_height (GtkWidget *widget, int width)
{
  int least;
  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, width, &least, NULL, NULL, NULL);
  return least;
}

/* Returns TRUE if the panel shows only a hint, because nothing is selected. Returns FALSE in all other cases, for
 * example if the panel shows search results. */
static gboolean
lacks_selection (LoomRunPage *self)
{
  LoomRange range;
  return g_strcmp0 (loom_run_state_get_page (self->run), "found") != 0 &&
         !loom_timeline_state_get_selected_range (self->state, &range);
}

/* Sets the height of the visible panel below the timeline. In a small window, the panel gets at most a share of the
 * height. While nothing is selected, the panel has the minimum height of its content, unless the user has moved the
 * divider. Called before the first paint; otherwise, everything would be laid out and painted twice. The height of a
 * hidden panel is not set, because GtkPaned would not adapt it when the window is resized. */
static void
place_panel (LoomRunPage *self, int width, int height)
{
  gboolean is_low = lacks_selection (self);
  if (is_low && !self->is_low && self->wanted_height <= 0 && !self->is_moved)
    self->wanted_height = gtk_widget_get_height (GTK_WIDGET (self->panels));
  if (self->wanted_height <= 0 || height <= 0 || !gtk_widget_get_visible (GTK_WIDGET (self->panels)) ||
      (is_low && self->is_low))
    return;
  int all = height - get_height (GTK_WIDGET (self->search), width) - get_height (GTK_WIDGET (self->view_bar), width) -
            get_height (GTK_WIDGET (self->main_finding), width);
  int wanted = MIN (self->wanted_height, (int) (all * MAX_PANEL_SHARE));
  if (is_low)
    wanted = MIN (get_height (GTK_WIDGET (self->panels), width), wanted);
  else
    self->wanted_height = 0;
  self->is_low = is_low;
  gtk_paned_set_position (self->paned, all - wanted);
}

/* Called when the panel is shown or hidden. Stores the height of a hidden panel, to restore it when the panel is
 * shown again. */
static void
panels_shown (LoomRunPage *self)
{
  if (!gtk_widget_get_visible (GTK_WIDGET (self->panels)) && self->wanted_height <= 0)
    self->wanted_height = gtk_widget_get_height (GTK_WIDGET (self->panels));
  self->is_low = FALSE;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

/* Called when the divider has moved. If the user has moved it, clears the height that was still to be set. From then
 * on, the panel keeps the height that the user chose, even if something is selected later. */
static void
divider_moved (LoomRunPage *self)
{
  if (!self->is_allocating && gtk_widget_get_visible (GTK_WIDGET (self->panels))) {
    self->wanted_height = 0;
    self->is_moved = TRUE;
  }
}

static void
size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  LoomRunPage *self = LOOM_RUN_PAGE (widget);
  self->is_allocating = TRUE;
  place_panel (self, width, height);
  gtk_widget_allocate (self->box, width, height, baseline, NULL);
  self->is_allocating = FALSE;
}

/* Connects the timeline to the key events of the window. Called again when the user moves the page to another
 * window. */
static void
root (GtkWidget *widget)
{
  LoomTimelineView *timeline = LOOM_RUN_PAGE (widget)->timeline;
  GTK_WIDGET_CLASS (loom_run_page_parent_class)->root (widget);
  loom_timeline_view_listen (timeline, GTK_WIDGET (gtk_widget_get_root (widget)));
}

/* Moves the focus to the timeline; if another view is visible, moves it into that view, because a hidden timeline must
 * not get the focus. A focus that is already in the view is kept: GTK would move it on, and in the list of pages this
 * selects the next page. GTK calls this function when an arrow key moves the focus out of the header. */
static gboolean
grab_focus (GtkWidget *widget)
{
  LoomRunPage *self = LOOM_RUN_PAGE (widget);
  if (g_strcmp0 (adw_view_stack_get_visible_child_name (self->views), "timeline") == 0)
    return gtk_widget_grab_focus (GTK_WIDGET (self->timeline));
  GtkWidget *view = adw_view_stack_get_visible_child (self->views),
            *focused = gtk_root_get_focus (gtk_widget_get_root (widget));
  return (focused != NULL && gtk_widget_is_ancestor (focused, view)) ||
         gtk_widget_child_focus (view, GTK_DIR_TAB_FORWARD);
}

static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
         int *natural_baseline)
{
  gtk_widget_measure (LOOM_RUN_PAGE (widget)->box, orientation, for_size, minimum, natural, minimum_baseline,
                      natural_baseline);
}

static GtkSizeRequestMode
request_mode (GtkWidget *widget)
{
  return gtk_widget_get_request_mode (LOOM_RUN_PAGE (widget)->box);
}

/* Returns the entry that contains a GtkText. Search entries and spin buttons use a GtkText as an inner widget. */
static GtkWidget *
entry_of (GtkWidget *text)
{
  GtkWidget *parent = gtk_widget_get_parent (text);
  return GTK_IS_EDITABLE (parent) ? parent : text;
}

/* If the user presses outside the entry that has the focus, moves the focus to the timeline, which then receives the
 * keys. This is done even if the user presses on a divider or an empty area, which do not take the focus themselves. */
static void
pressed (LoomRunPage *self, int n_press, double x, double y)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));
  GtkWidget *under = gtk_widget_pick (GTK_WIDGET (self), x, y, GTK_PICK_DEFAULT);
  if (under == NULL || focus == NULL || !(GTK_IS_EDITABLE (focus) || GTK_IS_TEXT_VIEW (focus)) ||
      !gtk_widget_is_ancestor (focus, GTK_WIDGET (self)))
    return;
  GtkWidget *entry = entry_of (focus);
  if (under != entry && !gtk_widget_is_ancestor (under, entry))
    gtk_widget_grab_focus (GTK_WIDGET (self->timeline));
}

/* Adds a gesture that receives button presses before the pressed widget receives them, and does not consume them. */
static void
watch_presses (LoomRunPage *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), 0);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}

static void
ensure_types (void)
{
  g_type_ensure (LOOM_TYPE_SOURCES_PANEL);
  g_type_ensure (LOOM_TYPE_SEARCH_BAR);
  g_type_ensure (LOOM_TYPE_MAIN_FINDING_BAR);
  g_type_ensure (LOOM_TYPE_DIM_SIGN);
  g_type_ensure (LOOM_TYPE_TIMELINE_VIEW);
  g_type_ensure (LOOM_TYPE_RUN_VIEWS);
}

static void
loom_run_page_class_init (LoomRunPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  ensure_types ();
  object_class->dispose = dispose;
  object_class->finalize = finalize;
  widget_class->css_changed = css_changed;
  widget_class->root = root;
  widget_class->grab_focus = grab_focus;
  widget_class->size_allocate = size_allocate;
  widget_class->measure = measure;
  widget_class->get_request_mode = request_mode;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-run-page.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomRunPage, box);
  gtk_widget_class_bind_template_child (widget_class, LoomRunPage, views);
  gtk_widget_class_bind_template_child (widget_class, LoomRunPage, view_bar);
  gtk_widget_class_bind_template_child (widget_class, LoomRunPage, flap);
  gtk_widget_class_bind_template_child (widget_class, LoomRunPage, sources);
  gtk_widget_class_bind_template_child (widget_class, LoomRunPage, search);
  gtk_widget_class_bind_template_child (widget_class, LoomRunPage, paned);
  gtk_widget_class_bind_template_child (widget_class, LoomRunPage, toasts);
  gtk_widget_class_bind_template_child (widget_class, LoomRunPage, main_finding);
  gtk_widget_class_bind_template_child (widget_class, LoomRunPage, timeline);
  gtk_widget_class_bind_template_child (widget_class, LoomRunPage, dim_sign);
  gtk_widget_class_bind_template_child (widget_class, LoomRunPage, panels);
}

static void
loom_run_page_init (LoomRunPage *self)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_add_css_class (GTK_WIDGET (self), "painted");
  watch_presses (self);
  loom_view_switcher_a11y_workaround_set (GTK_WIDGET (self->view_bar), _ ("Views"));
  g_signal_connect_swapped (self->sources, "isolated", G_CALLBACK (isolated), self);
  g_signal_connect_swapped (self->sources, "went-to", G_CALLBACK (went_to), self);
  g_signal_connect_swapped (self->panels, "settings-changed", G_CALLBACK (settings_changed), self);
  g_signal_connect_swapped (self->panels, "notify::visible", G_CALLBACK (panels_shown), self);
  g_signal_connect_swapped (self->paned, "notify::position", G_CALLBACK (divider_moved), self);
  g_signal_connect_swapped (self->timeline, "search-requested", G_CALLBACK (search_requested), self);
  g_signal_connect_swapped (manager, "notify::dark", G_CALLBACK (loom_run_page_update_theme), self);
  g_signal_connect_swapped (manager, "notify::high-contrast", G_CALLBACK (loom_run_page_update_theme), self);
  g_signal_connect (self, "realize", G_CALLBACK (loom_run_page_update_theme), NULL);
}

static void
follow_document (LoomRunPage *self)
{
  g_signal_connect_swapped (self->document, "timeline-changed", G_CALLBACK (timeline_changed), self);
  g_signal_connect_swapped (self->document, "sources-edited", G_CALLBACK (sources_edited), self);
  g_signal_connect_swapped (self->timeline, "clock-moved", G_CALLBACK (loom_clock_commands_drag), self->document);
  loom_source_actions_add (GTK_WIDGET (self), self->document);
}

GtkWidget *
loom_run_page_new (LoomRunState *run)
{
  const GBindingFlags both_ways = G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE;
  LoomRunPage *self = g_object_new (LOOM_TYPE_RUN_PAGE, NULL);
  self->run = g_object_ref (run);
  self->state = loom_run_state_get_view (run);
  self->document = loom_run_state_get_document (run);
  loom_timeline_view_set_state (self->timeline, self->state, loom_run_state_get_flight (run));
  loom_lane_list_attach (self->timeline, loom_run_state_get_lanes (run));
  loom_search_bar_set_run (self->search, run, self->timeline);
  loom_dim_sign_set_run (self->dim_sign, run);
  loom_main_finding_bar_set_run (self->main_finding, run);
  g_signal_connect_object (self->timeline, "escaped", G_CALLBACK (loom_dim_sign_clear), self->dim_sign,
                           G_CONNECT_SWAPPED);
  loom_hover_details_attach (self->timeline, self->state);
  loom_run_views_set_run (self->panels, run, self->timeline, self->views);
  g_object_bind_property (run, "shows-sidebar", self->flap, "reveal-flap", both_ways);
  g_object_bind_property (run, "shows-details", self->panels, "visible", both_ways);
  follow_document (self);
  return GTK_WIDGET (self);
}

LoomTimelineView *
loom_run_page_get_timeline_view (LoomRunPage *self)
{
  return self->timeline;
}

LoomRenderContext *
loom_run_page_get_scene (LoomRunPage *self)
{
  return loom_timeline_view_get_scene (self->timeline);
}

AdwToastOverlay *
loom_run_page_get_toasts (LoomRunPage *self)
{
  g_return_val_if_fail (LOOM_IS_RUN_PAGE (self), NULL);
  return gtk_widget_get_mapped (GTK_WIDGET (self->timeline)) ? self->toasts : NULL;
}

AdwViewStack *
loom_run_page_get_views (LoomRunPage *self)
{
  return self->views;
}

AdwViewSwitcherBar *
loom_run_page_get_view_bar (LoomRunPage *self)
{
  return self->view_bar;
}

LoomRunViews *
loom_run_page_get_panels (LoomRunPage *self)
{
  return self->panels;
}

LoomViewSnapshot *
loom_run_page_new_snapshot (LoomRunPage *self)
{
  LoomTimelineImageLane shown[LOOM_QUERY_LANES_MOST];
  guint n = 0;
  LoomQueryLanes *lanes = loom_run_state_get_lanes (self->run);
  if (loom_timeline_state_get_timeline (self->state) == NULL)
    return NULL;
  for (guint i = 0; i < loom_query_lanes_get_n (lanes); i++) {
    const LoomResultLane *result = loom_query_lanes_get_result (lanes, i);
    if (result != NULL)
      shown[n++] =
        (LoomTimelineImageLane) { loom_query_lanes_get_name (lanes, i), result, loom_query_lanes_get_color (lanes, i) };
  }
  return loom_view_snapshot_new (loom_timeline_view_get_scene (self->timeline), GTK_WIDGET (self->timeline),
                                 loom_timeline_view_get_header_width (self->timeline), shown, n);
}

void
loom_run_page_show_view (LoomRunPage *self, const char *name)
{
  loom_run_views_show_view (self->panels, name);
}

LoomRunState *
loom_run_page_get_run_state (LoomRunPage *self)
{
  return self->run;
}

int
loom_run_page_get_panel_height (LoomRunPage *self)
{
  return self->wanted_height > 0 ? self->wanted_height : gtk_widget_get_height (GTK_WIDGET (self->panels));
}

void
loom_run_page_set_panel_height (LoomRunPage *self, int height)
{
  g_return_if_fail (LOOM_IS_RUN_PAGE (self));
  self->wanted_height = height;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}
