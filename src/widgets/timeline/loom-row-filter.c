/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-row-filter.h"

#include "loom-bounded-text.h"
#include "loom-timeline-description.h"

#include <glib/gi18n.h>

#define ENTRY_CHARS 24
#define SPACING_PX 6

struct _LoomRowFilter {
  GtkWidget parent;
  LoomTimelineState *state;
  GtkWidget *revealer;
  GtkWidget *entry;
  GtkWidget *count;
  gboolean applying;
};

G_DEFINE_FINAL_TYPE (LoomRowFilter, loom_row_filter, GTK_TYPE_WIDGET)

enum { CLOSED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* Groups stand there because of what is in them. */
static guint
count_rows (const LoomRowList *outline)
{
  guint n = 0;
  for (guint i = 0; i < loom_row_list_get_n_rows (outline); i++)
    n += loom_row_list_get_row (outline, i)->kind != LOOM_ROW_GROUP;
  return n;
}

static void
show_count (LoomRowFilter *self)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (self->state);
  guint n = count_rows (outline);
  g_autofree char *number = loom_timeline_description_number (n);
  g_autofree char *text = !loom_row_list_is_filtered (outline) ? g_strdup ("")
                          : n == 0                             ? g_strdup (_ ("No such row"))
                                   : g_strdup_printf (ngettext ("%s row", "%s rows", n), number);
  loom_bounded_text_set_label (GTK_LABEL (self->count), text);
}

static void
apply (LoomRowFilter *self)
{
  if (self->applying)
    return;
  self->applying = TRUE;
  loom_row_list_set_filter (loom_timeline_state_get_row_list (self->state),
                            gtk_editable_get_text (GTK_EDITABLE (self->entry)));
  loom_timeline_state_rows_changed (self->state);
  self->applying = FALSE;
  show_count (self);
}

/* Going to a span that was filtered away takes the filter off. */
static void
rows_changed (LoomRowFilter *self)
{
  gboolean has_text = *gtk_editable_get_text (GTK_EDITABLE (self->entry)) != '\0';
  if (self->applying)
    return;
  if (has_text && !loom_row_list_is_filtered (loom_timeline_state_get_row_list (self->state)))
    gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  show_count (self);
}

/* The bar is open while it filters. */
static void
filter_set (LoomRowFilter *self)
{
  const char *text = loom_row_list_get_filter (loom_timeline_state_get_row_list (self->state));
  gboolean closes = text[0] == '\0' && loom_row_filter_is_open (self);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), text[0] != '\0');
  self->applying = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  self->applying = FALSE;
  if (closes)
    g_signal_emit (self, signals[CLOSED], 0);
}

static void
close_bar (LoomRowFilter *self)
{
  loom_row_filter_set_open (self, FALSE);
}

static void
dispose (GObject *object)
{
  LoomRowFilter *self = LOOM_ROW_FILTER (object);
  if (self->state != NULL)
    g_signal_handlers_disconnect_by_data (self->state, self);
  if (self->entry != NULL)
    g_signal_handlers_disconnect_by_data (self->entry, self);
  self->entry = NULL;
  g_clear_object (&self->state);
  g_clear_pointer (&self->revealer, gtk_widget_unparent);
  G_OBJECT_CLASS (loom_row_filter_parent_class)->dispose (object);
}

static void
loom_row_filter_class_init (LoomRowFilterClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "rowfilter");
  signals[CLOSED] =
    g_signal_new ("closed", LOOM_TYPE_ROW_FILTER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static GtkWidget *
new_close_button (LoomRowFilter *self)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("window-close-symbolic");
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, _ ("Show all rows (Escape)"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Show all rows"), -1);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (close_bar), self);
  return button;
}

static GtkWidget *
new_entry (LoomRowFilter *self)
{
  GtkWidget *entry = gtk_search_entry_new ();
  g_object_set (entry, "placeholder-text", _ ("Only rows with…"), "width-chars", ENTRY_CHARS, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Filter rows"), -1);
  g_signal_connect_swapped (entry, "search-changed", G_CALLBACK (apply), self);
  g_signal_connect_swapped (entry, "stop-search", G_CALLBACK (close_bar), self);
  return entry;
}

static void
loom_row_filter_init (LoomRowFilter *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING_PX);
  self->revealer = gtk_revealer_new ();
  self->entry = new_entry (self);
  self->count = gtk_label_new ("");
  gtk_widget_add_css_class (box, "row-filter");
  gtk_widget_add_css_class (self->count, "dim-label");
  gtk_widget_add_css_class (self->count, "numeric");
  gtk_widget_set_hexpand (self->count, TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->count), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->count), PANGO_ELLIPSIZE_END);
  gtk_box_append (GTK_BOX (box), self->entry);
  gtk_box_append (GTK_BOX (box), self->count);
  gtk_box_append (GTK_BOX (box), new_close_button (self));
  gtk_revealer_set_child (GTK_REVEALER (self->revealer), box);
  gtk_widget_set_parent (self->revealer, GTK_WIDGET (self));
}

GtkWidget *
loom_row_filter_new (LoomTimelineState *state)
{
  LoomRowFilter *self = g_object_new (LOOM_TYPE_ROW_FILTER, NULL);
  self->state = g_object_ref (state);
  g_signal_connect_swapped (state, "rows-changed", G_CALLBACK (rows_changed), self);
  g_signal_connect_swapped (state, "filter-set", G_CALLBACK (filter_set), self);
  return GTK_WIDGET (self);
}

void
loom_row_filter_set_open (LoomRowFilter *self, gboolean open)
{
  g_return_if_fail (LOOM_IS_ROW_FILTER (self));
  gboolean was_open = loom_row_filter_is_open (self);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), open);
  if (open) {
    gtk_widget_grab_focus (self->entry);
    gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
  } else if (was_open) {
    gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
    apply (self);
    g_signal_emit (self, signals[CLOSED], 0);
  }
}

void
loom_row_filter_set_text (LoomRowFilter *self, const char *text)
{
  g_return_if_fail (LOOM_IS_ROW_FILTER (self) && text != NULL);
  if (*text == '\0') {
    loom_row_filter_set_open (self, FALSE);
    return;
  }
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), TRUE);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  apply (self);
}

gboolean
loom_row_filter_is_open (LoomRowFilter *self)
{
  return gtk_revealer_get_reveal_child (GTK_REVEALER (self->revealer));
}

GtkEditable *
loom_row_filter_get_entry (LoomRowFilter *self)
{
  return GTK_EDITABLE (self->entry);
}

const char *
loom_row_filter_get_words (LoomRowFilter *self)
{
  return gtk_label_get_text (GTK_LABEL (self->count));
}
