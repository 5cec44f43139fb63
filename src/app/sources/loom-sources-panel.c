/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-sources-panel.h"

#include "loom-bounded-text.h"
#include "loom-cell-tooltip.h"
#include "loom-deferred-free.h"
#include "loom-lazy-menu.h"
#include "loom-source-actions.h"
#include "loom-source-row.h"
#include "loom-worker.h"

#include <glib/gi18n.h>

/* GtkListView makes widgets for about its first 200 lines, at the moment when they are added. This takes time.
 * Therefore, the first FIRST_LINES lines are added in steps: LINES_PER_STEP lines every STEP_MS milliseconds. Adding
 * all other lines takes little time. */
#define LINES_PER_STEP 32
#define FIRST_LINES 200
#define STEP_MS 16
/* If a run has more sources than this number, a worker thread makes and frees its lines, because this takes 50 ms
 * for 10,000 ranks. */
#define MOST_SOURCES_AT_ONCE 500

struct _LoomSourcesPanel {
  GtkWidget parent;
  GtkWidget *box;
  GtkLabel *title;
  GtkButton *show_all;
  GtkMenuButton *menu;
  GMenuModel *sources_menu;
  GtkListView *list;
  GListStore *top; /* the lines that are shown */
  /* the lines that `top` will have; they are copied in several steps; NULL if all have been copied */
  GListStore *wanted;
  guint grow_id;
  GCancellable *making; /* cancels the worker thread that makes `wanted`; NULL if no such worker is running */
  /* id of the GLib source that makes the lines of a new timeline in a later iteration of the main loop; 0 if none is
   * scheduled */
  guint show_id;
  GtkTreeListModel *tree;
  /* set of results of identity_of() for the lines that the user has collapsed or expanded; by default, nodes are
   * expanded and groups of files are collapsed */
  GHashTable *toggled;
  LoomTimeline *timeline; /* the timeline whose sources are listed; NULL if no run is open */
  LoomSourceOverrides *edits;
  /* result of identity_of() for the line whose sources are shown alone on the timeline; NULL if there is no such
   * line */
  char *isolated;
};

G_DEFINE_FINAL_TYPE (LoomSourcesPanel, loom_sources_panel, GTK_TYPE_WIDGET)

enum { ISOLATED, WENT_TO, N_SIGNALS };
static guint signals[N_SIGNALS];

/* Returns a text that identifies a line; it stays the same when the lines are made again for another timeline. Owned
 * by the caller. */
static char *
identity_of (LoomSourceItem *item)
{
  const char *const *paths = loom_source_item_get_paths (item);
  return item->is_node            ? g_strconcat ("node:", item->label, NULL)
         : item->children != NULL ? g_strconcat ("group:", paths[0], NULL)
                                  : g_strconcat ("file:", paths[0], NULL);
}

static GListModel *
children_of (gpointer item, gpointer user_data)
{
  GListStore *children = LOOM_SOURCE_ITEM (item)->children;
  return children != NULL ? G_LIST_MODEL (g_object_ref (children)) : NULL;
}

static LoomSourceRow *
line_of (GtkWidget *expander)
{
  return LOOM_SOURCE_ROW (gtk_tree_expander_get_child (GTK_TREE_EXPANDER (expander)));
}

/* Marks the row if it shows the line whose sources are shown alone on the timeline. The mark is independent of the
 * keyboard focus. */
static void
mark_row (LoomSourcesPanel *self, GtkWidget *row)
{
  GtkWidget *expander = gtk_widget_get_first_child (row);
  LoomSourceItem *item = GTK_IS_TREE_EXPANDER (expander) ? loom_source_row_get_item (line_of (expander)) : NULL;
  g_autofree char *identity = item != NULL && self->isolated != NULL ? identity_of (item) : NULL;
  gboolean isolated = identity != NULL && g_str_equal (identity, self->isolated);
  if (isolated)
    gtk_widget_add_css_class (row, "isolated");
  else
    gtk_widget_remove_css_class (row, "isolated");
  gtk_accessible_update_state (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_SELECTED, isolated, -1);
}

static void
mark_rows (LoomSourcesPanel *self)
{
  GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self->list));
  for (; row != NULL; row = gtk_widget_get_next_sibling (row))
    mark_row (self, row);
}

static void
isolate (LoomSourcesPanel *self, LoomSourceItem *item)
{
  g_clear_pointer (&self->isolated, g_free);
  self->isolated = item != NULL ? identity_of (item) : NULL;
  gtk_widget_set_visible (GTK_WIDGET (self->show_all), item != NULL);
  mark_rows (self);
  g_signal_emit (self, signals[ISOLATED], 0, item != NULL ? loom_source_item_get_paths (item) : NULL);
}

static void
toggle (LoomSourcesPanel *self, LoomSourceItem *item)
{
  g_autofree char *identity = identity_of (item);
  gboolean again = g_strcmp0 (identity, self->isolated) == 0;
  isolate (self, again ? NULL : item);
}

/* --- the context menu --------------------------------------------------------------------------------------------- */

static gboolean
unparent_later (gpointer popover)
{
  gtk_widget_unparent (popover);
  return G_SOURCE_REMOVE;
}

/* Destroys the menu in a later iteration of the main loop, because GTK runs the chosen action after the menu has
 * closed. */
static void
menu_closed (GtkWidget *popover)
{
  g_idle_add_full (G_PRIORITY_LOW, unparent_later, g_object_ref (popover), g_object_unref);
}

static void
open_menu (LoomSourcesPanel *self, LoomSourceRow *line, double x, double y)
{
  LoomSourceItem *item = loom_source_row_get_item (line);
  g_autofree char *identity = identity_of (item);
  g_autoptr (GMenuModel) menu = loom_source_actions_new_menu (item, g_strcmp0 (identity, self->isolated) == 0);
  GtkWidget *popover = gtk_popover_menu_new_from_model (menu);
  gtk_widget_set_parent (popover, GTK_WIDGET (line));
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &(GdkRectangle) { (int) x, (int) y, 1, 1 });
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  g_signal_connect (popover, "closed", G_CALLBACK (menu_closed), NULL);
  gtk_popover_popup (GTK_POPOVER (popover));
}

static void
row_menu_wanted (LoomSourcesPanel *self, int n_press, double x, double y, GtkGestureClick *gesture)
{
  LoomSourceRow *line = LOOM_SOURCE_ROW (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture)));
  if (loom_source_row_get_item (line) == NULL)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  open_menu (self, line, x, y);
}

/* Returns the line that has the keyboard focus; NULL if the focus is not in the list. */
static LoomSourceRow *
focused_line (LoomSourcesPanel *self)
{
  GtkWidget *row = gtk_widget_get_focus_child (GTK_WIDGET (self->list));
  GtkWidget *expander = row != NULL ? gtk_widget_get_first_child (row) : NULL;
  return GTK_IS_TREE_EXPANDER (expander) ? line_of (expander) : NULL;
}

static gboolean
list_key_pressed (LoomSourcesPanel *self, guint key, guint code, GdkModifierType modifiers)
{
  LoomSourceRow *line = focused_line (self);
  LoomSourceItem *item = line != NULL ? loom_source_row_get_item (line) : NULL;
  gboolean shift = (modifiers & GDK_SHIFT_MASK) != 0;
  if (item == NULL || (modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  if (key == GDK_KEY_Menu || (key == GDK_KEY_F10 && shift))
    open_menu (self, line, 12, gtk_widget_get_height (GTK_WIDGET (line)));
  else if (key == GDK_KEY_F2 || key == GDK_KEY_Delete)
    gtk_widget_activate_action_variant (GTK_WIDGET (self), key == GDK_KEY_F2 ? "source.describe" : "source.remove",
                                        g_variant_new_bytestring_array (loom_source_item_get_paths (item), -1));
  else
    return FALSE;
  return TRUE;
}

/* Called when the user activates a line with the keyboard. Shows only the sources of this line on the timeline. If
 * they are already shown alone, shows all sources again. */
static void
activated (LoomSourcesPanel *self, guint position)
{
  g_autoptr (GtkTreeListRow) row = g_list_model_get_item (G_LIST_MODEL (self->tree), position);
  g_autoptr (LoomSourceItem) item = row != NULL ? gtk_tree_list_row_get_item (row) : NULL;
  if (item != NULL)
    toggle (self, item);
}

static void
show_all_clicked (LoomSourcesPanel *self)
{
  isolate (self, NULL);
}

static void
row_pressed (LoomSourcesPanel *self, int n_press, double x, double y, GtkGestureClick *gesture)
{
  LoomSourceRow *line = LOOM_SOURCE_ROW (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture)));
  LoomSourceItem *item = loom_source_row_get_item (line);
  if (item == NULL || loom_source_row_is_on_badge (line, x, y))
    return;
  if (n_press == 1) {
    toggle (self, item);
    return;
  }
  /* A double click scrolls to the source. First show all sources again, because the first press of the double click
   * hid the other sources. */
  g_autoptr (LoomSourceItem) kept = g_object_ref (item);
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  isolate (self, NULL);
  if (n_press == 2)
    g_signal_emit (self, signals[WENT_TO], 0, kept);
}

static char *
dup_tooltip (GtkListItem *list_item, guint part)
{
  g_autoptr (LoomSourceItem) item = gtk_tree_list_row_get_item (gtk_list_item_get_item (list_item));
  return item != NULL ? g_strdup (item->tooltip) : NULL;
}

static void
setup_row (GtkSignalListItemFactory *factory, GtkListItem *list_item, LoomSourcesPanel *self)
{
  GtkWidget *expander = gtk_tree_expander_new (), *line = loom_source_row_new ();
  GtkGesture *click = gtk_gesture_click_new (), *menu = gtk_gesture_click_new ();
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (row_pressed), self);
  gtk_widget_add_controller (line, GTK_EVENT_CONTROLLER (click));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (menu), GDK_BUTTON_SECONDARY);
  g_signal_connect_swapped (menu, "pressed", G_CALLBACK (row_menu_wanted), self);
  gtk_widget_add_controller (line, GTK_EVENT_CONTROLLER (menu));
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), line);
  gtk_list_item_set_child (list_item, expander);
  loom_cell_tooltip_add (expander, list_item, dup_tooltip, 0);
}

static void
fold_changed (GtkTreeListRow *tree_row, GParamSpec *pspec, LoomSourcesPanel *self)
{
  g_autoptr (LoomSourceItem) item = gtk_tree_list_row_get_item (tree_row);
  if (item == NULL || item->children == NULL)
    return;
  g_autofree char *identity = identity_of (item);
  if (gtk_tree_list_row_get_expanded (tree_row) == item->is_node)
    g_hash_table_remove (self->toggled, identity);
  else
    g_hash_table_add (self->toggled, g_steal_pointer (&identity));
}

static void
bind_row (GtkSignalListItemFactory *factory, GtkListItem *list_item, LoomSourcesPanel *self)
{
  GtkWidget *expander = gtk_list_item_get_child (list_item);
  GtkTreeListRow *tree_row = gtk_list_item_get_item (list_item);
  g_autoptr (LoomSourceItem) item = gtk_tree_list_row_get_item (tree_row);
  gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (expander), tree_row);
  loom_source_row_set_item (line_of (expander), item);
  if (gtk_widget_get_parent (expander) != NULL)
    mark_row (self, gtk_widget_get_parent (expander));
  g_signal_connect_object (tree_row, "notify::expanded", G_CALLBACK (fold_changed), self, 0);
}

static void
unbind_row (GtkSignalListItemFactory *factory, GtkListItem *list_item, LoomSourcesPanel *self)
{
  GtkTreeListRow *tree_row = gtk_list_item_get_item (list_item);
  if (tree_row != NULL)
    g_signal_handlers_disconnect_by_func (tree_row, fold_changed, self);
}

/* Makes the list a single stop for the Tab key. The user moves inside the list with the arrow keys. */
static gboolean
move_focus (GtkWidget *widget, GtkDirectionType direction)
{
  LoomSourcesPanel *self = LOOM_SOURCES_PANEL (widget);
  gboolean in_list = gtk_widget_get_focus_child (GTK_WIDGET (self->list)) != NULL;
  if (in_list && direction == GTK_DIR_TAB_FORWARD)
    return FALSE;
  if (in_list && direction == GTK_DIR_TAB_BACKWARD)
    return gtk_widget_get_visible (GTK_WIDGET (self->show_all)) && gtk_widget_grab_focus (GTK_WIDGET (self->show_all));
  return GTK_WIDGET_CLASS (loom_sources_panel_parent_class)->focus (widget, direction);
}

static gboolean
has_many_sources (const LoomSourcesPanel *self)
{
  return self->timeline != NULL &&
         loom_run_get_n_sources (loom_timeline_get_run (self->timeline)) > MOST_SOURCES_AT_ONCE;
}

static void
clear_wanted (LoomSourcesPanel *self)
{
  if (self->wanted != NULL && has_many_sources (self))
    loom_deferred_free (g_object_unref, g_steal_pointer (&self->wanted));
  g_clear_object (&self->wanted);
}

static void
dispose (GObject *object)
{
  LoomSourcesPanel *self = LOOM_SOURCES_PANEL (object);
  g_clear_handle_id (&self->grow_id, g_source_remove);
  g_clear_handle_id (&self->show_id, g_source_remove);
  loom_worker_cancel (&self->making);
  clear_wanted (self);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->tree);
  g_clear_object (&self->top);
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  G_OBJECT_CLASS (loom_sources_panel_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  LoomSourcesPanel *self = LOOM_SOURCES_PANEL (object);
  g_hash_table_unref (self->toggled);
  loom_source_overrides_free (self->edits);
  g_free (self->isolated);
  G_OBJECT_CLASS (loom_sources_panel_parent_class)->finalize (object);
}

static void
loom_sources_panel_class_init (LoomSourcesPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  widget_class->focus = move_focus;
  signals[ISOLATED] = g_signal_new ("isolated", LOOM_TYPE_SOURCES_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 1, G_TYPE_STRV);
  signals[WENT_TO] = g_signal_new ("went-to", LOOM_TYPE_SOURCES_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, LOOM_TYPE_SOURCE_ITEM);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-sources-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomSourcesPanel, box);
  gtk_widget_class_bind_template_child (widget_class, LoomSourcesPanel, title);
  gtk_widget_class_bind_template_child (widget_class, LoomSourcesPanel, show_all);
  gtk_widget_class_bind_template_child (widget_class, LoomSourcesPanel, menu);
  gtk_widget_class_bind_template_child (widget_class, LoomSourcesPanel, sources_menu);
  gtk_widget_class_bind_template_child (widget_class, LoomSourcesPanel, list);
}

static void
loom_sources_panel_init (LoomSourcesPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  loom_lazy_menu_set (self->menu, self->sources_menu);
  self->toggled = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->edits = loom_source_overrides_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (list_key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self->list), keys);
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_signal_connect (factory, "setup", G_CALLBACK (setup_row), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_row), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_row), self);
  gtk_list_view_set_factory (self->list, factory);
  g_object_unref (factory);
  g_signal_connect_swapped (self->list, "activate", G_CALLBACK (activated), self);
  g_signal_connect_swapped (self->show_all, "clicked", G_CALLBACK (show_all_clicked), self);
}

/* Restores which of the lines below `parent` are collapsed and which are expanded, because the lines were replaced.
 * `parent`: NULL for the top-level lines. Begins with the line of index `first`. Skips lines that cannot be collapsed,
 * because the tree model would make an object for each of them. */
static void
restore_lines (LoomSourcesPanel *self, GListModel *lines, GtkTreeListRow *parent, guint first)
{
  for (guint i = first; i < g_list_model_get_n_items (lines); i++) {
    g_autoptr (LoomSourceItem) item = g_list_model_get_item (lines, i);
    if (item->children == NULL)
      continue;
    g_autoptr (GtkTreeListRow) row =
      parent != NULL ? gtk_tree_list_row_get_child_row (parent, i) : gtk_tree_list_model_get_child_row (self->tree, i);
    g_autofree char *identity = identity_of (item);
    gboolean toggled = g_hash_table_contains (self->toggled, identity);
    gtk_tree_list_row_set_expanded (row, item->is_node != toggled);
    if (gtk_tree_list_row_get_expanded (row))
      restore_lines (self, G_LIST_MODEL (item->children), row, 0);
  }
}

/* Called after lines were replaced. Restores which lines are collapsed and which line is marked. Skips the lines
 * before the top-level line `first`, which have not changed. */
static void
restore_rows (LoomSourcesPanel *self, guint first)
{
  restore_lines (self, G_LIST_MODEL (self->top), NULL, first);
  mark_rows (self);
}

/* Shows the name of the run in the title of the panel, because a wide window does not show the name elsewhere. */
static void
show_title (LoomSourcesPanel *self, LoomTimeline *timeline, const char *name)
{
  guint n = timeline != NULL ? loom_run_get_n_sources (loom_timeline_get_run (timeline)) : 0;
  g_autofree char *count = g_strdup_printf (ngettext ("%u source", "%u sources", n), n),
                  *text = n > 0 ? g_strdup_printf ("%s · %s", name, count) : g_strdup (_ ("Sources"));
  loom_bounded_text_set_label (self->title, text);
  loom_bounded_text_set_tip (GTK_WIDGET (self->title), n > 0 ? text : NULL);
}

/* Adds the next lines of `wanted` to the list. Returns TRUE if more lines have to be added. */
static gboolean
grow (gpointer user_data)
{
  LoomSourcesPanel *self = user_data;
  gboolean has_first = g_list_model_get_n_items (G_LIST_MODEL (self->tree)) >= FIRST_LINES;
  guint first;
  gboolean done =
    loom_source_item_tree_follow (self->top, self->wanted, has_first ? G_MAXUINT : LINES_PER_STEP, &first);
  restore_rows (self, first);
  if (!done)
    return G_SOURCE_CONTINUE;
  clear_wanted (self);
  self->grow_id = 0;
  return G_SOURCE_REMOVE;
}

static void
grow_to (LoomSourcesPanel *self, GListStore *wanted)
{
  g_clear_handle_id (&self->grow_id, g_source_remove);
  clear_wanted (self);
  self->wanted = wanted;
  if (grow (self))
    self->grow_id = g_timeout_add (STEP_MS, grow, self);
}

static void
drop_lines (LoomSourcesPanel *self)
{
  g_clear_handle_id (&self->grow_id, g_source_remove);
  g_clear_handle_id (&self->show_id, g_source_remove);
  loom_worker_cancel (&self->making);
  clear_wanted (self);
  gtk_list_view_set_model (self->list, NULL);
  g_clear_object (&self->tree);
  g_clear_object (&self->top);
}

static void
new_lines (LoomSourcesPanel *self)
{
  self->top = g_list_store_new (LOOM_TYPE_SOURCE_ITEM);
  self->tree = gtk_tree_list_model_new (g_object_ref (G_LIST_MODEL (self->top)), FALSE, FALSE, children_of, NULL, NULL);
  g_autoptr (GtkNoSelection) lines = gtk_no_selection_new (g_object_ref (G_LIST_MODEL (self->tree)));
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (lines));
}

/* --- solo --------------------------------------------------------------------------------------------------------- */

/* Returns TRUE if exactly the sources of this line are shown alone on the timeline. `n_solo`: number of sources that
 * are shown alone. */
static gboolean
is_alone (LoomSourcesPanel *self, LoomSourceItem *item, guint n_solo)
{
  const char *const *paths = loom_source_item_get_paths (item);
  for (guint i = 0; paths[i] != NULL; i++) {
    const LoomSourceEdit *edit = loom_source_overrides_find (self->edits, paths[i]);
    if (edit == NULL || !edit->solo)
      return FALSE;
  }
  return g_strv_length ((GStrv) paths) == n_solo;
}

/* Returns the line whose sources are exactly those shown alone on the timeline, as a new reference; NULL if there is
 * no such line. */
static LoomSourceItem *
find_alone (LoomSourcesPanel *self, GListStore *lines, guint n_solo)
{
  for (guint i = 0; lines != NULL && i < g_list_model_get_n_items (G_LIST_MODEL (lines)); i++) {
    g_autoptr (LoomSourceItem) item = g_list_model_get_item (G_LIST_MODEL (lines), i);
    if (is_alone (self, item, n_solo))
      return g_steal_pointer (&item);
    LoomSourceItem *below = find_alone (self, item->children, n_solo);
    if (below != NULL)
      return below;
  }
  return NULL;
}

/* Marks the line whose sources are shown alone on the timeline. They may have been chosen in this list or by another
 * command. Shows the button “Show All” if any sources are hidden. */
static void
follow_solo (LoomSourcesPanel *self, GListStore *lines)
{
  guint n_solo = 0;
  g_autoptr (GPtrArray) list = loom_source_overrides_list (self->edits);
  for (guint i = 0; i < list->len; i++)
    n_solo += ((const LoomSourceEdit *) list->pdata[i])->solo;
  g_autoptr (LoomSourceItem) alone = n_solo > 0 ? find_alone (self, lines, n_solo) : NULL;
  g_free (self->isolated);
  self->isolated = alone != NULL ? identity_of (alone) : NULL;
  gtk_widget_set_visible (GTK_WIDGET (self->show_all), loom_source_overrides_hides_any (self->edits));
}

typedef struct {
  LoomTimeline *timeline;
  LoomSourceOverrides *edits;
} LinesInput;

static void
lines_input_free (gpointer data)
{
  LinesInput *input = data;
  loom_timeline_unref (input->timeline);
  loom_source_overrides_free (input->edits);
  g_free (input);
}

static gpointer
make_lines (gpointer data, GCancellable *cancellable, GError **error)
{
  const LinesInput *input = data;
  return loom_source_item_tree_new (input->timeline, input->edits);
}

static void
lines_made (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  LoomSourcesPanel *self = owner;
  follow_solo (self, result);
  grow_to (self, result);
}

static void
show_lines (LoomSourcesPanel *self)
{
  static const LoomWorkerKind kind = { make_lines, lines_input_free, g_object_unref };
  g_clear_handle_id (&self->show_id, g_source_remove);
  loom_worker_cancel (&self->making);
  if (has_many_sources (self))
    loom_worker_start (
      &self->making, &kind,
      LOOM_WORKER_INPUT (LinesInput, loom_timeline_ref (self->timeline), loom_source_overrides_copy (self->edits)),
      lines_made, self);
  else
    lines_made (self, loom_source_item_tree_new (self->timeline, self->edits), NULL, NULL);
}

static gboolean
show_lines_now (gpointer user_data)
{
  LoomSourcesPanel *self = user_data;
  self->show_id = 0;
  show_lines (self);
  return G_SOURCE_REMOVE;
}

/* Shows the lines of a new timeline. If the list is empty, shows them at once, so that the first frame contains them.
 * Otherwise, shows them in an idle callback before the next frame: while a run with many files loads, new timelines
 * arrive repeatedly, and the iteration of the main loop that receives one already has much work. */
static void
show_lines_soon (LoomSourcesPanel *self)
{
  if (g_list_model_get_n_items (G_LIST_MODEL (self->top)) == 0)
    show_lines (self);
  else if (self->show_id == 0)
    self->show_id = g_idle_add_full (G_PRIORITY_HIGH_IDLE, show_lines_now, self, NULL);
}

void
loom_sources_panel_set_edits (LoomSourcesPanel *self, const LoomSourceOverrides *edits)
{
  loom_source_overrides_free (self->edits);
  self->edits = loom_source_overrides_copy (edits);
  if (self->timeline != NULL)
    show_lines (self);
}

void
loom_sources_panel_set_timeline (LoomSourcesPanel *self, LoomTimeline *timeline, const char *name)
{
  show_title (self, timeline, name);
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  self->timeline = timeline != NULL ? loom_timeline_ref (timeline) : NULL;
  if (timeline == NULL) {
    drop_lines (self);
    g_clear_pointer (&self->isolated, g_free);
    g_hash_table_remove_all (self->toggled);
    gtk_widget_set_visible (GTK_WIDGET (self->show_all), FALSE);
    return;
  }
  if (self->tree == NULL)
    new_lines (self);
  show_lines_soon (self);
}
