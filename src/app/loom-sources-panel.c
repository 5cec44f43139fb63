/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-sources-panel.h"

#include "loom-cell-tip.h"
#include "loom-clock-sheet.h"
#include "loom-source-actions.h"

#include <glib/gi18n.h>

/* A list makes widgets for about its first 200 lines, at once for all that come at once. So many cost a few milliseconds,
 * and the next come with the next frame; behind the first lines all others cost little. */
#define LINES_PER_STEP 32
#define FIRST_LINES 200
#define STEP_MS 16

struct _LoomSourcesPanel {
  GtkWidget parent;
  GtkWidget *box;
  GtkLabel *title;
  GtkButton *show_all;
  GtkListView *list;
  GListStore *top;    /* what the tree grows from */
  GListStore *wanted; /* what it is to grow to; NULL when it has */
  guint grow_id;
  GtkTreeListModel *tree;
  GHashTable *toggled; /* identities of lines that are not as at first: nodes unfolded, groups folded */
  LoomTimeline *timeline; /* NULL: none */
  LoomSourceEdits *edits;
  char *isolated;      /* the label path of the isolated line; NULL for none */
};

G_DEFINE_FINAL_TYPE (LoomSourcesPanel, loom_sources_panel, GTK_TYPE_WIDGET)

enum { ISOLATED, WENT_TO, N_SIGNALS };
static guint signals[N_SIGNALS];

/* The same line in another timeline. */
static char *
identity_of (LoomSourceItem *item)
{
  const char *const *paths = loom_source_item_get_paths (item);
  return loom_source_item_is_node (item)                ? g_strconcat ("node:", loom_source_item_get_label (item), NULL)
         : loom_source_item_get_children (item) != NULL ? g_strconcat ("group:", paths[0], NULL)
                                                        : g_strconcat ("file:", paths[0], NULL);
}

static GListModel *
children_of (gpointer item, gpointer user_data)
{
  GListModel *children = loom_source_item_get_children (item);
  return children != NULL ? g_object_ref (children) : NULL;
}

static GtkWidget *
row_content (GtkWidget *expander)
{
  return gtk_tree_expander_get_child (GTK_TREE_EXPANDER (expander));
}

/* The isolated line looks so wherever the keyboard's focus is. */
static void
mark_row (LoomSourcesPanel *self, GtkWidget *row)
{
  GtkWidget *expander = gtk_widget_get_first_child (row);
  LoomSourceItem *item =
    GTK_IS_TREE_EXPANDER (expander) ? g_object_get_data (G_OBJECT (row_content (expander)), "loom-item") : NULL;
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

/* --- what else can be done ----------------------------------------------------------------------------------------- */

static gboolean
unparent_later (gpointer popover)
{
  gtk_widget_unparent (popover);
  return G_SOURCE_REMOVE;
}

/* What was chosen is done after it closed. */
static void
menu_closed (GtkWidget *popover)
{
  g_idle_add_full (G_PRIORITY_LOW, unparent_later, g_object_ref (popover), g_object_unref);
}

static void
open_menu (LoomSourcesPanel *self, GtkWidget *row, LoomSourceItem *item, double x, double y)
{
  g_autofree char *identity = identity_of (item);
  g_autoptr (GMenuModel) menu = loom_source_actions_new_menu (item, g_strcmp0 (identity, self->isolated) == 0);
  GtkWidget *popover = gtk_popover_menu_new_from_model (menu);
  gtk_widget_set_parent (popover, row);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &(GdkRectangle) { (int) x, (int) y, 1, 1 });
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  g_signal_connect (popover, "closed", G_CALLBACK (menu_closed), NULL);
  gtk_popover_popup (GTK_POPOVER (popover));
}

static void
row_menu_wanted (LoomSourcesPanel *self, int n_press, double x, double y, GtkGestureClick *gesture)
{
  GtkWidget *row = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));
  LoomSourceItem *item = g_object_get_data (G_OBJECT (row), "loom-item");
  if (item == NULL)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  open_menu (self, row, item, x, y);
}

/* The content of the line that has the focus; NULL: none has. */
static GtkWidget *
focused_content (LoomSourcesPanel *self)
{
  GtkWidget *row = gtk_widget_get_focus_child (GTK_WIDGET (self->list));
  GtkWidget *expander = row != NULL ? gtk_widget_get_first_child (row) : NULL;
  return GTK_IS_TREE_EXPANDER (expander) ? row_content (expander) : NULL;
}

static gboolean
list_key_pressed (LoomSourcesPanel *self, guint key, guint code, GdkModifierType modifiers)
{
  GtkWidget *row = focused_content (self);
  LoomSourceItem *item = row != NULL ? g_object_get_data (G_OBJECT (row), "loom-item") : NULL;
  gboolean shift = (modifiers & GDK_SHIFT_MASK) != 0;
  if (item == NULL || (modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  if (key == GDK_KEY_Menu || (key == GDK_KEY_F10 && shift))
    open_menu (self, row, item, 12, gtk_widget_get_height (row));
  else if (key == GDK_KEY_F2 || key == GDK_KEY_Delete)
    gtk_widget_activate_action_variant (GTK_WIDGET (self), key == GDK_KEY_F2 ? "source.describe" : "source.remove",
                                        g_variant_new_bytestring_array (loom_source_item_get_paths (item), -1));
  else
    return FALSE;
  return TRUE;
}

/* With the keyboard. */
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

/* The badge is a button of its own. */
static gboolean
is_on_badge (GtkWidget *row, double x, double y)
{
  GtkWidget *under = gtk_widget_pick (row, x, y, GTK_PICK_DEFAULT);
  GtkWidget *button = under != NULL ? gtk_widget_get_ancestor (under, GTK_TYPE_BUTTON) : NULL;
  return button != NULL && gtk_widget_is_ancestor (button, row);
}

static void
row_pressed (LoomSourcesPanel *self, int n_press, double x, double y, GtkGestureClick *gesture)
{
  GtkWidget *row = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));
  LoomSourceItem *item = g_object_get_data (G_OBJECT (row), "loom-item");
  if (item == NULL || is_on_badge (row, x, y))
    return;
  if (n_press == 1) {
    toggle (self, item);
    return;
  }
  /* The first press of a double click isolated; going there is meant instead. */
  g_autoptr (LoomSourceItem) kept = g_object_ref (item);
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  isolate (self, NULL);
  if (n_press == 2)
    g_signal_emit (self, signals[WENT_TO], 0, kept);
}

static GtkWidget *
new_label (const char *css_class, float xalign)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

typedef struct {
  GtkWidget *row, *label, *detail, *badge, *dot;
} RowWidgets;

static char *
dup_tooltip (GtkListItem *list_item, guint part)
{
  g_autoptr (LoomSourceItem) item = gtk_tree_list_row_get_item (gtk_list_item_get_item (list_item));
  return item != NULL ? g_strdup (loom_source_item_get_tooltip (item)) : NULL;
}

static void
setup_row (GtkSignalListItemFactory *factory, GtkListItem *list_item, LoomSourcesPanel *self)
{
  RowWidgets *row = g_new0 (RowWidgets, 1);
  GtkWidget *expander = gtk_tree_expander_new ();
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  row->row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  row->label = new_label (NULL, 0);
  row->detail = new_label ("caption", 0);
  gtk_widget_add_css_class (row->detail, "dim-label");
  row->badge = gtk_button_new ();
  gtk_widget_add_css_class (row->badge, "problem-badge");
  gtk_widget_add_css_class (row->badge, "flat");
  gtk_widget_set_valign (row->badge, GTK_ALIGN_CENTER);
  row->dot = gtk_label_new (NULL);
  gtk_widget_add_css_class (row->dot, "clock-dot");
  gtk_box_append (GTK_BOX (texts), row->label);
  gtk_box_append (GTK_BOX (texts), row->detail);
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_widget_set_valign (texts, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (row->row), texts);
  gtk_box_append (GTK_BOX (row->row), row->badge);
  gtk_box_append (GTK_BOX (row->row), row->dot);
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), row->row);
  GtkGesture *click = gtk_gesture_click_new ();
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (row_pressed), self);
  gtk_widget_add_controller (row->row, GTK_EVENT_CONTROLLER (click));
  GtkGesture *menu = gtk_gesture_click_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (menu), GDK_BUTTON_SECONDARY);
  g_signal_connect_swapped (menu, "pressed", G_CALLBACK (row_menu_wanted), self);
  gtk_widget_add_controller (row->row, GTK_EVENT_CONTROLLER (menu));
  g_object_set_data_full (G_OBJECT (row->row), "loom-row", row, g_free);
  gtk_list_item_set_child (list_item, expander);
  loom_cell_tip_add (expander, list_item, dup_tooltip, 0);
}

/* "exact", "synchronised, in doubt"; NULL for what has none. Owned. */
static char *
clock_words (LoomSourceItem *item)
{
  LoomClockState state;
  gboolean in_doubt;
  if (!loom_source_item_get_clock (item, &state, &in_doubt))
    return NULL;
  return in_doubt ? g_strdup_printf (_ ("%s, in doubt"), loom_clock_state_get_word (state)) : g_strdup (loom_clock_state_get_word (state));
}

static void
show_clock (RowWidgets *row, LoomSourceItem *item)
{
  LoomClockState state;
  gboolean in_doubt, has_clock = loom_source_item_get_clock (item, &state, &in_doubt);
  gtk_widget_set_visible (row->dot, has_clock);
  if (!has_clock)
    return;
  g_autofree char *words = clock_words (item), *name = g_strdup_printf (_ ("clock: %s"), words);
  /* A doubt looks like what is only derived. */
  gtk_label_set_text (GTK_LABEL (row->dot), loom_clock_state_get_dot (in_doubt && state > LOOM_CLOCK_DERIVED ? LOOM_CLOCK_DERIVED : state));
  gtk_accessible_update_property (GTK_ACCESSIBLE (row->dot), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
show_badge (RowWidgets *row, LoomSourceItem *item)
{
  guint n = loom_source_item_get_n_problems (item);
  g_autofree char *number = g_strdup_printf ("%u", n);
  g_autofree char *name = g_strdup_printf (ngettext ("%u problem", "%u problems", n), n);
  const char *const *paths = loom_source_item_get_paths (item);
  gtk_widget_set_visible (row->badge, n > 0);
  gtk_button_set_label (GTK_BUTTON (row->badge), number);
  gtk_widget_set_tooltip_text (row->badge, name);
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (row->badge), g_variant_new_bytestring_array (paths, -1));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row->badge), "win.problems-of"); /* after what it needs */
  gtk_accessible_update_property (GTK_ACCESSIBLE (row->badge), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* Grey and said in words. */
static void
show_muted (RowWidgets *row, LoomSourceItem *item)
{
  const char *detail = loom_source_item_get_detail (item);
  if (!loom_source_item_is_muted (item)) {
    gtk_widget_remove_css_class (row->label, "dim-label");
    return;
  }
  g_autofree char *text = *detail != '\0' ? g_strdup_printf (_ ("muted · %s"), detail) : g_strdup (C_ ("source", "muted"));
  gtk_widget_add_css_class (row->label, "dim-label");
  gtk_label_set_text (GTK_LABEL (row->detail), text);
  gtk_widget_set_visible (row->detail, TRUE);
}

/* What assistive technology reads for the whole line. */
static void
name_row (GtkWidget *expander, LoomSourceItem *item)
{
  guint n = loom_source_item_get_n_problems (item);
  g_autofree char *words = clock_words (item);
  g_autofree char *clock = words != NULL ? g_strdup_printf (_ ("clock: %s"), words) : NULL;
  g_autofree char *problems = n > 0 ? g_strdup_printf (ngettext ("%u problem", "%u problems", n), n) : NULL;
  const char *parts[] = { loom_source_item_get_label (item), loom_source_item_get_detail (item),
                          loom_source_item_is_muted (item) ? C_ ("source", "muted") : NULL, clock, problems };
  g_autoptr (GString) name = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i] != NULL && *parts[i] != '\0')
      g_string_append_printf (name, "%s%s", name->len > 0 ? ", " : "", parts[i]);
  GtkWidget *parent = gtk_widget_get_parent (expander);
  gtk_accessible_update_property (GTK_ACCESSIBLE (expander), GTK_ACCESSIBLE_PROPERTY_LABEL, name->str, -1);
  if (parent != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (parent), GTK_ACCESSIBLE_PROPERTY_LABEL, name->str, -1);
}

static void
fold_changed (GtkTreeListRow *tree_row, GParamSpec *pspec, LoomSourcesPanel *self)
{
  g_autoptr (LoomSourceItem) item = gtk_tree_list_row_get_item (tree_row);
  if (item == NULL || loom_source_item_get_children (item) == NULL)
    return;
  g_autofree char *identity = identity_of (item);
  if (gtk_tree_list_row_get_expanded (tree_row) == loom_source_item_is_node (item))
    g_hash_table_remove (self->toggled, identity);
  else
    g_hash_table_add (self->toggled, g_steal_pointer (&identity));
}

static void
bind_row (GtkSignalListItemFactory *factory, GtkListItem *list_item, LoomSourcesPanel *self)
{
  GtkWidget *expander = gtk_list_item_get_child (list_item);
  RowWidgets *row = g_object_get_data (G_OBJECT (row_content (expander)), "loom-row");
  GtkTreeListRow *tree_row = gtk_list_item_get_item (list_item);
  g_autoptr (LoomSourceItem) item = gtk_tree_list_row_get_item (tree_row);
  gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (expander), tree_row);
  gtk_label_set_text (GTK_LABEL (row->label), loom_source_item_get_label (item));
  gtk_label_set_text (GTK_LABEL (row->detail), loom_source_item_get_detail (item));
  gtk_widget_set_visible (row->detail, *loom_source_item_get_detail (item) != '\0');
  if (loom_source_item_is_node (item))
    gtk_widget_add_css_class (row->label, "strong");
  else
    gtk_widget_remove_css_class (row->label, "strong");
  show_muted (row, item);
  show_clock (row, item);
  show_badge (row, item);
  name_row (expander, item);
  g_object_set_data_full (G_OBJECT (row->row), "loom-item", g_object_ref (item), g_object_unref);
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

/* The list is one stop of the Tab key; arrows move inside. */
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

static void
dispose (GObject *object)
{
  LoomSourcesPanel *self = LOOM_SOURCES_PANEL (object);
  g_clear_handle_id (&self->grow_id, g_source_remove);
  g_clear_object (&self->wanted);
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
  loom_source_edits_free (self->edits);
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
  gtk_widget_class_bind_template_child (widget_class, LoomSourcesPanel, list);
}

static void
loom_sources_panel_init (LoomSourcesPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->toggled = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->edits = loom_source_edits_new ();
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

/* Folds the lines below `parent`, or all of them for NULL, as they were. Only lines that can be folded are made for it:
 * the tree makes an object per line that is asked for. */
static void
restore_lines (LoomSourcesPanel *self, GListModel *lines, GtkTreeListRow *parent)
{
  for (guint i = 0; i < g_list_model_get_n_items (lines); i++) {
    g_autoptr (LoomSourceItem) item = g_list_model_get_item (lines, i);
    GListModel *children = loom_source_item_get_children (item);
    if (children == NULL)
      continue;
    g_autoptr (GtkTreeListRow) row = parent != NULL ? gtk_tree_list_row_get_child_row (parent, i)
                                                    : gtk_tree_list_model_get_child_row (self->tree, i);
    g_autofree char *identity = identity_of (item);
    gboolean toggled = g_hash_table_contains (self->toggled, identity);
    gtk_tree_list_row_set_expanded (row, loom_source_item_is_node (item) != toggled);
    if (gtk_tree_list_row_get_expanded (row))
      restore_lines (self, children, row);
  }
}

static void
restore_rows (LoomSourcesPanel *self)
{
  restore_lines (self, G_LIST_MODEL (self->top), NULL);
  mark_rows (self);
}

static void
show_title (LoomSourcesPanel *self, LoomTimeline *timeline)
{
  guint n = timeline != NULL ? loom_run_get_n_sources (loom_timeline_get_run (timeline)) : 0;
  g_autofree char *text =
    n > 0 ? g_strdup_printf (ngettext ("%u source", "%u sources", n), n) : g_strdup (_ ("Sources"));
  gtk_label_set_text (self->title, text);
}

/* TRUE while there is more to do. */
static gboolean
grow (gpointer user_data)
{
  LoomSourcesPanel *self = user_data;
  gboolean has_first = g_list_model_get_n_items (G_LIST_MODEL (self->tree)) >= FIRST_LINES;
  gboolean done = loom_source_tree_follow (self->top, self->wanted, has_first ? G_MAXUINT : LINES_PER_STEP);
  restore_rows (self);
  if (!done)
    return G_SOURCE_CONTINUE;
  g_clear_object (&self->wanted);
  self->grow_id = 0;
  return G_SOURCE_REMOVE;
}

static void
grow_to (LoomSourcesPanel *self, GListStore *wanted)
{
  g_clear_handle_id (&self->grow_id, g_source_remove);
  g_clear_object (&self->wanted);
  self->wanted = wanted;
  if (grow (self))
    self->grow_id = g_timeout_add (STEP_MS, grow, self);
}

static void
drop_lines (LoomSourcesPanel *self)
{
  g_clear_handle_id (&self->grow_id, g_source_remove);
  g_clear_object (&self->wanted);
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

/* --- solo ---------------------------------------------------------------------------------------------------------- */

/* Just the paths of the line are alone. */
static gboolean
is_alone (LoomSourcesPanel *self, LoomSourceItem *item, guint n_solo)
{
  const char *const *paths = loom_source_item_get_paths (item);
  for (guint i = 0; paths[i] != NULL; i++) {
    const LoomSourceEdit *edit = loom_source_edits_find (self->edits, paths[i]);
    if (edit == NULL || !edit->solo)
      return FALSE;
  }
  return g_strv_length ((GStrv) paths) == n_solo;
}

/* The line all that is alone belongs to; a new reference, NULL: there is none. */
static LoomSourceItem *
find_alone (LoomSourcesPanel *self, GListModel *lines, guint n_solo)
{
  for (guint i = 0; lines != NULL && i < g_list_model_get_n_items (lines); i++) {
    g_autoptr (LoomSourceItem) item = g_list_model_get_item (lines, i);
    if (is_alone (self, item, n_solo))
      return g_steal_pointer (&item);
    LoomSourceItem *below = find_alone (self, loom_source_item_get_children (item), n_solo);
    if (below != NULL)
      return below;
  }
  return NULL;
}

/* As the edits have it, which may come from elsewhere than a click. */
static void
follow_solo (LoomSourcesPanel *self, GListStore *lines)
{
  guint n_solo = 0;
  g_autoptr (GPtrArray) list = loom_source_edits_list (self->edits);
  for (guint i = 0; i < list->len; i++)
    n_solo += ((const LoomSourceEdit *) list->pdata[i])->solo;
  g_autoptr (LoomSourceItem) alone = n_solo > 0 ? find_alone (self, G_LIST_MODEL (lines), n_solo) : NULL;
  g_free (self->isolated);
  self->isolated = alone != NULL ? identity_of (alone) : NULL;
  gtk_widget_set_visible (GTK_WIDGET (self->show_all), loom_source_edits_hides_any (self->edits));
}

static void
show_lines (LoomSourcesPanel *self)
{
  GListStore *wanted = loom_source_tree_new (self->timeline, self->edits);
  follow_solo (self, wanted);
  grow_to (self, wanted);
}

void
loom_sources_panel_set_edits (LoomSourcesPanel *self, const LoomSourceEdits *edits)
{
  g_return_if_fail (LOOM_IS_SOURCES_PANEL (self));
  loom_source_edits_free (self->edits);
  self->edits = loom_source_edits_copy (edits);
  if (self->timeline != NULL)
    show_lines (self);
}

void
loom_sources_panel_set_timeline (LoomSourcesPanel *self, LoomTimeline *timeline)
{
  g_return_if_fail (LOOM_IS_SOURCES_PANEL (self));
  show_title (self, timeline);
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
  show_lines (self);
}
