/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-counter-chooser.h"

#include "loom-bounded-text.h"
#include "loom-popover-util.h"

#include <glib/gi18n.h>
#include <string.h>

#define WIDTH_PX 420
#define HEIGHT_PX 300
#define SPACING_PX 6

typedef struct {
  LoomTimelineState *state;
  char *key;
  GHashTable *details; /* key of a counter → description of the counter */
  GtkFilter *filter;
  char *wanted; /* the text that the user searches for, case-folded; NULL: the user does not search */
  GtkWidget *list, *message;
} Chooser;

static void
chooser_free (gpointer data)
{
  Chooser *self = data;
  g_object_unref (self->state);
  g_hash_table_unref (self->details);
  g_free (self->key);
  g_free (self->wanted);
  g_free (self);
}

static const char *
key_of (gpointer item)
{
  return gtk_string_object_get_string (item);
}

static gboolean
is_wanted (gpointer item, gpointer user_data)
{
  Chooser *self = user_data;
  if (self->wanted == NULL)
    return TRUE;
  g_autofree char *folded = g_utf8_casefold (g_hash_table_lookup (self->details, key_of (item)), -1);
  return strstr (folded, self->wanted) != NULL;
}

static void
search_changed (Chooser *self, GtkSearchEntry *entry)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (entry));
  g_free (self->wanted);
  self->wanted = *text != '\0' ? g_utf8_casefold (text, -1) : NULL;
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
  gboolean any = g_list_model_get_n_items (G_LIST_MODEL (gtk_list_view_get_model (GTK_LIST_VIEW (self->list)))) > 0;
  loom_bounded_text_set_label (GTK_LABEL (self->message), any ? "" : _ ("No Matching Counters"));
  gtk_widget_set_visible (self->message, !any);
}

/* Closes the popover on Escape. Without this, the search entry would handle Escape, and the popover would stay open. */
static void
search_stopped (GtkWidget *entry)
{
  gtk_popover_popdown (GTK_POPOVER (gtk_widget_get_ancestor (entry, GTK_TYPE_POPOVER)));
}

/* Draws the plot of the counter `guest` over the plot of the current counter. If `guest` is already drawn there,
 * removes it. If LOOM_PLOT_MAX_GUESTS counters are already drawn there, shows a message instead of adding another one.
 * Returns TRUE if `guest` is drawn over the current counter now. */
static gboolean
toggle (Chooser *self, const char *guest)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (self->state);
  gboolean laid = !loom_row_list_has_guest (outline, self->key, guest);
  gboolean done = loom_row_list_set_guest (outline, self->key, guest, laid);
  g_autofree char *full =
    g_strdup_printf (ngettext ("At most %d counter at a time", "At most %d counters at a time", LOOM_PLOT_MAX_GUESTS),
                     LOOM_PLOT_MAX_GUESTS);
  loom_bounded_text_set_label (GTK_LABEL (self->message), done ? "" : full);
  gtk_widget_set_visible (self->message, !done);
  loom_timeline_state_rows_changed (self->state);
  return done ? laid : !laid;
}

static void
row_activated (GtkListView *list, guint position, gpointer user_data)
{
  Chooser *self = user_data;
  if (position >= g_list_model_get_n_items (G_LIST_MODEL (gtk_list_view_get_model (list))))
    return;
  g_autoptr (GObject) item = g_list_model_get_item (G_LIST_MODEL (gtk_list_view_get_model (list)), position);
  gboolean is = toggle (self, key_of (item));
  GtkWidget *check = g_hash_table_lookup (g_object_get_data (G_OBJECT (list), "checks"), item);
  if (check != NULL)
    gtk_check_button_set_active (GTK_CHECK_BUTTON (check), is);
}

/* Called when a check button has changed. If the button does not match the plot, the user changed it with the keyboard:
 * adds the counter of the button to the current plot, or removes it. Otherwise does nothing: the program changed the
 * button, for example because row_activated() handled a click. */
static void
toggled (GtkCheckButton *check, Chooser *self)
{
  const char *guest = g_object_get_data (G_OBJECT (check), "key");
  gboolean is = loom_row_list_has_guest (loom_timeline_state_get_row_list (self->state), self->key, guest);
  if (gtk_check_button_get_active (check) != is)
    gtk_check_button_set_active (check, toggle (self, guest));
}

static void
setup (GtkSignalListItemFactory *factory, GtkListItem *item, Chooser *self)
{
  GtkWidget *check = gtk_check_button_new_with_label ("");
  gtk_widget_set_can_target (check, FALSE); /* the row of the list receives the clicks, and toggles the button */
  g_signal_connect (check, "toggled", G_CALLBACK (toggled), self);
  gtk_list_item_set_child (item, check);
}

/* Makes a label that is too long show only its end, because the end is the name of the counter. */
static void
shorten (GtkWidget *check, const char *words)
{
  GtkWidget *label = gtk_widget_get_last_child (check);
  if (GTK_IS_LABEL (label))
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_START);
  loom_bounded_text_set_tip (gtk_widget_get_parent (check), words);
}

static void
bind (GtkSignalListItemFactory *factory, GtkListItem *item, Chooser *self)
{
  GtkWidget *check = gtk_list_item_get_child (item);
  const char *guest = key_of (gtk_list_item_get_item (item)), *words = g_hash_table_lookup (self->details, guest);
  g_object_set_data_full (G_OBJECT (check), "key", g_strdup (guest), g_free);
  gtk_check_button_set_label (GTK_CHECK_BUTTON (check), words);
  shorten (check, words);
  gtk_check_button_set_active (
    GTK_CHECK_BUTTON (check),
    loom_row_list_has_guest (loom_timeline_state_get_row_list (self->state), self->key, guest));
  g_hash_table_insert (g_object_get_data (G_OBJECT (factory), "checks"), gtk_list_item_get_item (item), check);
}

static void
unbind (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  g_hash_table_remove (g_object_get_data (G_OBJECT (factory), "checks"), gtk_list_item_get_item (item));
}

/* Returns the keys of all counters except the current one. Counters that are drawn over the plot of the current counter
 * come first. */
static GtkStringList *
list_keys (Chooser *self)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (self->state);
  g_autoptr (GArray) counters = loom_row_list_list_counters (outline);
  GtkStringList *keys = gtk_string_list_new (NULL);
  for (int laid = 1; laid >= 0; laid--)
    for (guint i = 0; i < counters->len; i++) {
      const LoomTimelineCounter *counter = &g_array_index (counters, LoomTimelineCounter, i);
      if (strcmp (counter->key, self->key) == 0 || loom_row_list_has_guest (outline, self->key, counter->key) != laid)
        continue;
      g_hash_table_replace (self->details, g_strdup (counter->key), g_strdup (counter->detail));
      gtk_string_list_append (keys, counter->key);
    }
  return keys;
}

/* Called when the user presses Enter: adds the first counter that the search has found to the plot or, if the plot
 * contains it, removes it. */
static void
entry_activated (GtkSearchEntry *entry, Chooser *self)
{
  row_activated (GTK_LIST_VIEW (self->list), 0, self);
}

/* Moves the focus from the entry to the list on Down and Tab. */
static gboolean
key_pressed (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType modifiers, Chooser *self)
{
  if (keyval != GDK_KEY_Down && keyval != GDK_KEY_Tab)
    return GDK_EVENT_PROPAGATE;
  gtk_widget_activate_action (self->list, "list.scroll-to-item", "u", 0);
  return gtk_widget_child_focus (self->list, GTK_DIR_TAB_FORWARD) ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
}

static GtkWidget *
new_list (Chooser *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GHashTable *checks = g_hash_table_new (NULL, NULL);
  g_object_set_data_full (G_OBJECT (factory), "checks", checks, (GDestroyNotify) g_hash_table_unref);
  g_signal_connect (factory, "setup", G_CALLBACK (setup), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind), self);
  self->filter = GTK_FILTER (gtk_custom_filter_new (is_wanted, self, NULL));
  GtkFilterListModel *model = gtk_filter_list_model_new (G_LIST_MODEL (list_keys (self)), self->filter);
  GtkWidget *list = gtk_list_view_new (GTK_SELECTION_MODEL (gtk_no_selection_new (G_LIST_MODEL (model))), factory);
  g_object_set_data_full (G_OBJECT (list), "checks", g_hash_table_ref (checks), (GDestroyNotify) g_hash_table_unref);
  self->list = list;
  gtk_list_view_set_single_click_activate (GTK_LIST_VIEW (list), TRUE);
  g_signal_connect (list, "activate", G_CALLBACK (row_activated), self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Counters"), -1);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), list);
  gtk_widget_set_size_request (scrolled, WIDTH_PX, HEIGHT_PX);
  return scrolled;
}

static GtkWidget *
new_entry (Chooser *self)
{
  GtkWidget *entry = gtk_search_entry_new ();
  g_object_set (entry, "placeholder-text", _ ("Find a counter"), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Find a counter"), -1);
  g_signal_connect_swapped (entry, "search-changed", G_CALLBACK (search_changed), self);
  g_signal_connect (entry, "activate", G_CALLBACK (entry_activated), self);
  g_signal_connect (entry, "stop-search", G_CALLBACK (search_stopped), NULL);
  GtkEventController *keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (entry, keys);
  return entry;
}

void
loom_counter_chooser_popup (GtkWidget *widget, LoomTimelineState *state, const char *key, double x, double y)
{
  g_return_if_fail (LOOM_IS_TIMELINE_STATE (state) && key != NULL);
  Chooser *self = g_new0 (Chooser, 1);
  GtkWidget *popover = gtk_popover_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING_PX);
  self->state = g_object_ref (state);
  self->key = g_strdup (key);
  self->details = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->message = gtk_label_new ("");
  gtk_widget_set_visible (self->message, FALSE);
  GtkWidget *entry = new_entry (self);
  gtk_box_append (GTK_BOX (box), entry);
  /* the message is directly below the entry, because the user looks there */
  gtk_box_append (GTK_BOX (box), self->message);
  gtk_box_append (GTK_BOX (box), new_list (self));
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (popover), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Overlay other counters"),
                                  -1);
  g_object_set_data_full (G_OBJECT (popover), "chooser", self, chooser_free);
  g_signal_connect_object (popover, "closed", G_CALLBACK (gtk_widget_grab_focus), widget, G_CONNECT_SWAPPED);
  loom_popover_util_show (popover, widget, x, y);
  gtk_widget_grab_focus (entry);
}
