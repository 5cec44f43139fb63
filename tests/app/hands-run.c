/* SPDX-License-Identifier: Apache-2.0 */
#include "hands-run.h"

#define HOLD_FRAMES 5

static LoomWindow *window;

LoomWindow *
the_window (void)
{
  return window;
}

LoomTimelineView *
view (void)
{
  return loom_run_page_get_timeline_view (loom_window_get_run_view (window));
}

GtkWidget *
tracks (void)
{
  return loom_timeline_view_get_tracks (view ());
}

GtkWidget *
search (void)
{
  return GTK_WIDGET (
    gtk_widget_get_template_child (GTK_WIDGET (loom_window_get_run_view (window)), LOOM_TYPE_RUN_PAGE, "search"));
}

LoomSearchState *
search_state (void)
{
  return loom_run_state_get_search (loom_window_get_run_state (window));
}

gboolean
is_searching (void)
{
  GObject *bar = gtk_widget_get_template_child (search (), LOOM_TYPE_SEARCH_BAR, "bar");
  return gtk_search_bar_get_search_mode (GTK_SEARCH_BAR (bar));
}

LoomTimelineState *
state (void)
{
  return fixture_state (window);
}

LoomSpanId
span_of (const char *name, guint nth)
{
  return run_fixture_find_span (loom_window_get_run_state (window), name, nth);
}

LoomRange
range_of (LoomSpanId span)
{
  return run_fixture_range_of (loom_window_get_run_state (window), span);
}

gint64
width_ns (void)
{
  LoomViewport now = fixture_view (the_window ());
  return loom_viewport_get_range_ns (&now);
}

void
zoom_in (void)
{
  LoomRange extent = loom_timeline_state_get_extent (state ());
  LoomViewport view = fixture_view (the_window ());
  gint64 length_ns = extent.end_ns - extent.begin_ns;
  view.begin_ns = extent.begin_ns + length_ns / 10;
  view.end_ns = view.begin_ns + length_ns / 3;
  loom_timeline_state_set_viewport (state (), &view);
}

double
x_of (gint64 time_ns)
{
  return loom_viewport_x (loom_timeline_state_get_viewport (state ()), time_ns);
}

double
y_of (LoomSpanId span)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (state ());
  guint row, strip;
  g_assert_true (loom_row_list_find_span (outline, span, &row, &strip));
  return loom_row_list_row_top (outline, row, fixture_view (window).scroll_px) + LOOM_ROW_PADDING_PX +
         LOOM_STRIP_PX * (strip + 0.5);
}

void
point_at (LoomSpanId span)
{
  LoomRange range = range_of (span);
  hands_move (tracks (), x_of (range.begin_ns / 2 + range.end_ns / 2), y_of (span));
}

void
rest (void)
{
  fixture_rest (window);
}

gboolean
has_menu (gpointer unused)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (window));
  GtkWidget *menu = focus != NULL ? gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) : NULL;
  return menu != NULL && gtk_widget_get_mapped (menu);
}

void
hold (guint keyval)
{
  hands_key (keyval, TRUE);
  for (guint i = 0; i < HOLD_FRAMES; i++)
    fixture_frames (window);
  hands_key (keyval, FALSE);
  rest ();
}

/* --- rows ------------------------------------------------------------------------------------------------------------ */

LoomRowList *
outline (void)
{
  return loom_timeline_state_get_row_list (state ());
}

guint
n_rows (void)
{
  return loom_row_list_get_n_rows (outline ());
}

guint
row_of (LoomSpanId span)
{
  guint row, strip;
  return loom_row_list_find_span (outline (), span, &row, &strip) ? row : G_MAXUINT;
}

guint
first_row (LoomRowKind kind)
{
  guint row = 0;
  while (loom_row_list_get_row (outline (), row)->kind != kind)
    row++;
  return row;
}

double
top_of (guint row)
{
  return loom_row_list_row_top (outline (), row, fixture_view (window).scroll_px);
}

GtkWidget *
below (GtkWidget *widget, const char *css_name)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = g_str_equal (gtk_widget_get_css_name (child), css_name) ? child : below (child, css_name);
    if (found != NULL)
      return found;
  }
  return NULL;
}

GtkWidget *
headers (void)
{
  return below (GTK_WIDGET (view ()), "headers");
}

/* --- reset between tests --- */

LoomUndoStack *
steps (void)
{
  return loom_document_get_undo (loom_window_get_document (window));
}

void
take_all_back (void)
{
  while (loom_undo_stack_back (steps ()))
    ;
  rest ();
  loom_undo_stack_clear (steps ());
}

void
reset (void)
{
  LoomViewport all = loom_timeline_state_fitted (state ());
  loom_timeline_view_set_mode (view (), LOOM_DRAG_MODE_SELECT);
  loom_timeline_state_select_nothing (state ());
  loom_timeline_state_remove_marks (state (), (LoomRange) { G_MININT64, G_MAXINT64 });
  loom_view_animator_stop (loom_timeline_view_get_flight (view ()));
  all.scroll_px = 0;
  loom_timeline_state_set_viewport (state (), &all);
  gtk_widget_grab_focus (tracks ());
  hands_move (tracks (), 3, gtk_widget_get_height (tracks ()) - 3);
  fixture_spin (DOUBLE_CLICK_MS);
  g_assert_true (loom_timeline_state_is_fitted (state ()));
}

int
hands_run (void)
{
  return hands_run_on (RUN_FIXTURE_TRACE);
}

int
hands_run_on (const char *trace)
{
  window = fixture_window ();
  if (!hands_init (window)) {
    g_print ("1..0 # SKIP no X server with XTest\n");
    return 0;
  }
  /* GTK's default for double clicks is 400 ms. It is shortened, because each test waits that long before its first
   * click, so that this click is not taken for the second click of a double click. */
  g_object_set (gtk_settings_get_default (), "gtk-double-click-time", DOUBLE_CLICK_MS - 20, NULL);
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path = fixture_file (folder, "trace.json", trace);
  fixture_open (window, path);
  return fixture_run ();
}
