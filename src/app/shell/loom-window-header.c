/* SPDX-License-Identifier: Apache-2.0
 *
 * The buttons of the header bar. If a window is too narrow for all buttons and the title, the main menu gets items that
 * replace the buttons to add and to export. If it is still too narrow, the button to open files shows an icon instead
 * of a label.
 */
#include "loom-view-switcher-a11y-workaround.h"
#include "loom-window-private.h"

#include <glib/gi18n.h>

#define TITLE_PX 240 /* width in px that the buttons leave for the title; a longer title is truncated */

/* Minimum width of a window, in px, for showing the name of the run in the header bar. With this width, the view
 * switcher fits beside the name in every language. */
#define NAMED_PX 1200

static gboolean
has_run (LoomWindow *self)
{
  return self->tab != NULL && g_str_equal (loom_tab_get_page (self->tab), "run");
}

static gboolean
shows_timeline (LoomWindow *self)
{
  return has_run (self) && self->views != NULL &&
         g_str_equal (adw_view_stack_get_visible_child_name (self->views), "timeline");
}

static void
show_buttons (LoomWindow *self, gboolean folds)
{
  GtkWidget *staying[] = { self->search_button },
            *beside_timeline[] = { self->sources_button, GTK_WIDGET (self->view_button), self->panel_button };
  GtkWidget *folding[] = { self->add_button, self->export_button };
  for (guint i = 0; i < G_N_ELEMENTS (staying); i++)
    gtk_widget_set_visible (staying[i], has_run (self));
  for (guint i = 0; i < G_N_ELEMENTS (beside_timeline); i++)
    gtk_widget_set_visible (beside_timeline[i], shows_timeline (self));
  for (guint i = 0; i < G_N_ELEMENTS (folding); i++)
    gtk_widget_set_visible (folding[i], has_run (self) && !folds);
}

static void
set_folds (LoomWindow *self, gboolean folds)
{
  if (folds && !self->folds)
    g_menu_insert_item (G_MENU (self->primary_menu), 0, self->folded_items);
  else if (!folds && self->folds)
    g_menu_remove (G_MENU (self->primary_menu), 0);
  self->folds = folds;
}

/* Shows an icon on the button to open files if `compact` is TRUE, otherwise its label. */
static void
set_compact (LoomWindow *self, gboolean compact)
{
  if (compact)
    adw_split_button_set_icon_name (self->open_button, "document-open-symbolic");
  else
    adw_split_button_set_label (self->open_button, _ ("_Open"));
}

/* Returns the width in px that the header bar needs. At most TITLE_PX of this width are for the title. */
static int
wanted_width (LoomWindow *self)
{
  int header, title;
  gtk_widget_measure (self->header, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &header, NULL, NULL);
  gtk_widget_measure (GTK_WIDGET (self->title), GTK_ORIENTATION_HORIZONTAL, -1, NULL, &title, NULL, NULL);
  return header - title + MIN (title, TITLE_PX);
}

/* Returns TRUE if the window is narrower than `wanted_px`; FALSE if its width is not known yet. */
static gboolean
is_narrower (LoomWindow *self, int wanted_px)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (self));
  double shadow_px, top_px;
  if (surface == NULL)
    return FALSE;
  gtk_native_get_surface_transform (GTK_NATIVE (self), &shadow_px, &top_px);
  return gdk_surface_get_width (surface) - 2 * (int) shadow_px < wanted_px;
}

static gboolean
lacks_room (LoomWindow *self)
{
  return is_narrower (self, wanted_width (self));
}

/* Shows the name of the run beside the buttons. Hides it if the name is visible in another place: beside the timeline,
 * on tabs, or, in a narrow window, in place of the view switcher. */
static void
show_run_name (LoomWindow *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->run_name), has_run (self) && !shows_timeline (self) &&
                                                         loom_window_get_n_tabs (self) == 1 &&
                                                         !is_narrower (self, NAMED_PX));
}

static void
realized (LoomWindow *self)
{
  g_signal_connect_object (gtk_native_get_surface (GTK_NATIVE (self)), "notify::width",
                           G_CALLBACK (loom_window_fit_header), self, G_CONNECT_SWAPPED);
}

static void
forget_fill (LoomWindow *self)
{
  if (self->fill_tick_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->fill_tick_id);
  self->fill_tick_id = 0;
}

/* Gives the view switchers their views, if they don't have them. They make 250 widgets of them. */
static void
fill_switchers (LoomWindow *self)
{
  if (self->fill_tick_id == 0)
    return;
  forget_fill (self);
  adw_view_switcher_title_set_stack (self->title, self->views);
  adw_view_switcher_bar_set_stack (loom_run_page_get_view_bar (self->run_view), self->views);
}

/* Fills the view switchers after the first frame of the window, in which they are not shown: computing the styles of
 * their widgets before it took 4 of 20 ms in which the window did not react. */
static gboolean
fill_after_first (GtkWidget *window, GdkFrameClock *clock, gpointer user_data)
{
  if (gdk_frame_clock_get_frame_counter (clock) > 0)
    fill_switchers (LOOM_WINDOW (window));
  return G_SOURCE_CONTINUE;
}

void
loom_window_fit_header (LoomWindow *self)
{
  show_buttons (self, FALSE);
  show_run_name (self);
  set_compact (self, FALSE);
  if (has_run (self))
    fill_switchers (self);
  adw_view_switcher_title_set_view_switcher_enabled (self->title, has_run (self));
  gboolean folds = has_run (self) && lacks_room (self);
  show_buttons (self, folds);
  set_folds (self, folds);
  set_compact (self, folds && lacks_room (self));
}

/* Connects the view switcher of the header bar with the views of the run. If it does not fit in the header bar, the
 * view switcher below the views is shown. */
void
loom_window_take_views (LoomWindow *self)
{
  self->views = g_object_ref (loom_run_page_get_views (self->run_view));
  self->fill_tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), fill_after_first, NULL, NULL);
  self->view_bar_binding = g_object_ref (g_object_bind_property (
    self->title, "title-visible", loom_run_page_get_view_bar (self->run_view), "reveal", G_BINDING_SYNC_CREATE));
  g_signal_connect_swapped (self->views, "notify::visible-child", G_CALLBACK (loom_window_fit_header), self);
}

void
loom_window_leave_views (LoomWindow *self)
{
  forget_fill (self);
  g_signal_handlers_disconnect_by_func (self->views, loom_window_fit_header, self);
  g_binding_unbind (self->view_bar_binding);
  g_clear_object (&self->view_bar_binding);
  adw_view_switcher_title_set_stack (self->title, NULL);
  g_clear_object (&self->views);
}

/* Shows the view switcher and the title without a fade. During a fade, the software renderer of GTK draws the whole
 * changed part of the window twice into new pictures: 20 ms for each frame, while the first rows of a run appear. */
static void
stop_fade (AdwViewSwitcherTitle *title)
{
  GtkWidget *squeezer = gtk_widget_get_first_child (GTK_WIDGET (title));
  if (ADW_IS_SQUEEZER (squeezer))
    adw_squeezer_set_transition_type (ADW_SQUEEZER (squeezer), ADW_SQUEEZER_TRANSITION_TYPE_NONE);
}

void
loom_window_watch_header (LoomWindow *self)
{
  stop_fade (self->title);
  loom_view_switcher_a11y_workaround_set (GTK_WIDGET (self->title), _ ("Views"));
  self->folded_items = g_menu_item_new_from_model (self->primary_menu, 0);
  g_menu_remove (G_MENU (self->primary_menu), 0);
  g_signal_connect (self, "realize", G_CALLBACK (realized), NULL);
}

void
loom_window_forget_header (LoomWindow *self)
{
  g_clear_object (&self->folded_items);
}
