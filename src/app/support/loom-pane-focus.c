/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-pane-focus.h"

typedef struct {
  GtkWidget *widget;
  double top, start; /* positions of the pane's top edge and start edge in the window, in px */
} Pane;

static void
append_pane (GArray *panes, GtkWidget *widget, GtkWidget *window)
{
  Pane pane = { .widget = widget };
  gboolean mirrored = gtk_widget_get_direction (window) == GTK_TEXT_DIR_RTL;
  gtk_widget_translate_coordinates (widget, window, mirrored ? gtk_widget_get_width (widget) : 0, 0, &pane.start,
                                    &pane.top);
  if (mirrored)
    pane.start = -pane.start;
  g_array_append_val (panes, pane);
}

static void
collect (GtkWidget *widget, GtkWidget *window, GArray *panes)
{
  if (!gtk_widget_get_mapped (widget))
    return;
  if (gtk_widget_has_css_class (widget, LOOM_PANE_FOCUS_CLASS))
    append_pane (panes, widget, window);
  /* skip the children of a list: there may be very many, and none of them contains a pane */
  if (GTK_IS_LIST_BASE (widget))
    return;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect (child, window, panes);
}

/* Compares panes by position, from top to bottom; panes with the same top are compared in reading direction. The
 * order of the widget tree cannot be used, because some widgets, such as AdwFlap, have their children in another
 * order. */
static int
compare_panes (gconstpointer x, gconstpointer y)
{
  const Pane *a = x, *b = y;
  if (a->top != b->top)
    return a->top < b->top ? -1 : 1;
  return (a->start > b->start) - (a->start < b->start);
}

static gboolean
is_inside (GtkWidget *window, GtkWidget *pane)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (window));
  return focus != NULL && (focus == pane || gtk_widget_is_ancestor (focus, pane));
}

/* Returns the index of the innermost pane that contains the focus; G_MAXUINT if no pane contains it. In `panes`, a
 * pane precedes the panes inside it, so the innermost pane is the last one that contains the focus. */
static guint
find_current (GtkWidget *window, GArray *panes)
{
  guint current = G_MAXUINT;
  for (guint i = 0; i < panes->len; i++)
    if (is_inside (window, g_array_index (panes, Pane, i).widget))
      current = i;
  return current;
}

/* Moves the focus into a pane: to its main widget if it has one (such as the timeline), otherwise to its first
 * widget; in a list, to the selected row. Returns FALSE if the pane cannot take the focus. */
static gboolean
enter (GtkWidget *window, GtkWidget *pane)
{
  /* if the focus is already inside this pane, clear it; otherwise, GTK would move the focus to the next widget of the
   * pane and not to the first */
  if (is_inside (window, pane))
    gtk_root_set_focus (GTK_ROOT (window), NULL);
  return (!gtk_widget_get_focusable (pane) && gtk_widget_grab_focus (pane) && is_inside (window, pane)) ||
         (gtk_widget_child_focus (pane, GTK_DIR_TAB_FORWARD) && is_inside (window, pane));
}

gboolean
loom_pane_focus_move (GtkWidget *window, gboolean forward)
{
  g_return_val_if_fail (GTK_IS_ROOT (window), FALSE);
  g_autoptr (GArray) panes = g_array_new (FALSE, FALSE, sizeof (Pane));
  collect (window, window, panes);
  g_array_sort (panes, compare_panes);
  guint n = panes->len, current = find_current (window, panes);
  guint from = current != G_MAXUINT ? current : forward ? n - 1 : 0;
  for (guint i = 1; i <= n; i++) {
    guint pane = (forward ? from + i : from + n - i) % n;
    if (pane != current && enter (window, g_array_index (panes, Pane, pane).widget)) {
      gtk_window_set_focus_visible (GTK_WINDOW (window), TRUE);
      return TRUE;
    }
  }
  return FALSE;
}

static void
next_activated (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  loom_pane_focus_move (window, TRUE);
}

static void
previous_activated (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  loom_pane_focus_move (window, FALSE);
}

void
loom_pane_focus_add_actions (GActionMap *actions, GtkWidget *window)
{
  static const GActionEntry entries[] = { { "next-pane", next_activated }, { "previous-pane", previous_activated } };
  g_action_map_add_action_entries (actions, entries, G_N_ELEMENTS (entries), window);
}
