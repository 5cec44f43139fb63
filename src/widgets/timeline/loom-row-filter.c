/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-row-filter.h"

#include "loom-bounded-text.h"
#include "loom-locale-number.h"
#include "loom-template.h"

#include <glib/gi18n.h>

struct _LoomRowFilter {
  GtkWidget parent;
  LoomTimelineState *state;
  GtkRevealer *revealer;
  GtkEditable *entry;
  GtkLabel *count;
  gboolean applying;
};

G_DEFINE_FINAL_TYPE (LoomRowFilter, loom_row_filter, GTK_TYPE_WIDGET)

enum { CLOSED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* Returns the number of rows that match the filter. Groups are not counted, because a group is shown only because of
 * the rows in it. */
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
  g_autofree char *number = loom_locale_number_group (n);
  g_autofree char *text = !loom_row_list_is_filtered (outline) ? g_strdup ("")
                          : n == 0                             ? g_strdup (_ ("No Matching Rows"))
                                   : g_strdup_printf (ngettext ("%s row", "%s rows", n), number);
  loom_bounded_text_set_label (self->count, text);
}

static void
apply (LoomRowFilter *self)
{
  if (self->applying)
    return;
  self->applying = TRUE;
  loom_row_list_set_filter (loom_timeline_state_get_row_list (self->state), gtk_editable_get_text (self->entry));
  loom_timeline_state_rows_changed (self->state);
  self->applying = FALSE;
  show_count (self);
}

/* Clears the entry if the row list has removed the filter, for example because the user went to a span in a hidden
 * row. */
static void
rows_changed (LoomRowFilter *self)
{
  gboolean has_text = *gtk_editable_get_text (self->entry) != '\0';
  if (self->applying)
    return;
  if (has_text && !loom_row_list_is_filtered (loom_timeline_state_get_row_list (self->state)))
    gtk_editable_set_text (self->entry, "");
  show_count (self);
}

/* Sets the entry to the filter of the row list. Opens the bar if there is a filter; otherwise closes it. */
static void
filter_set (LoomRowFilter *self)
{
  const char *text = loom_row_list_get_filter (loom_timeline_state_get_row_list (self->state));
  gboolean closes = text[0] == '\0' && loom_row_filter_is_open (self);
  gtk_revealer_set_reveal_child (self->revealer, text[0] != '\0');
  self->applying = TRUE;
  gtk_editable_set_text (self->entry, text);
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
  self->applying = TRUE; /* makes apply() ignore the changes that the entry emits while it is destroyed */
  gtk_widget_dispose_template (GTK_WIDGET (self), LOOM_TYPE_ROW_FILTER);
  g_clear_object (&self->state);
  G_OBJECT_CLASS (loom_row_filter_parent_class)->dispose (object);
}

static void
loom_row_filter_class_init (LoomRowFilterClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  loom_template_set (widget_class, "loom-row-filter.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomRowFilter, revealer);
  gtk_widget_class_bind_template_child (widget_class, LoomRowFilter, entry);
  gtk_widget_class_bind_template_child (widget_class, LoomRowFilter, count);
  gtk_widget_class_bind_template_callback (widget_class, apply);
  gtk_widget_class_bind_template_callback (widget_class, close_bar);
  gtk_widget_class_set_css_name (widget_class, "rowfilter");
  signals[CLOSED] =
    g_signal_new ("closed", LOOM_TYPE_ROW_FILTER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_row_filter_init (LoomRowFilter *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
loom_row_filter_set_state (LoomRowFilter *self, LoomTimelineState *state)
{
  g_return_if_fail (LOOM_IS_ROW_FILTER (self) && self->state == NULL);
  self->state = g_object_ref (state);
  g_signal_connect_object (state, "rows-changed", G_CALLBACK (rows_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "filter-set", G_CALLBACK (filter_set), self, G_CONNECT_SWAPPED);
}

void
loom_row_filter_set_open (LoomRowFilter *self, gboolean open)
{
  gboolean was_open = loom_row_filter_is_open (self);
  gtk_revealer_set_reveal_child (self->revealer, open);
  if (open) {
    gtk_widget_grab_focus (GTK_WIDGET (self->entry));
    gtk_editable_select_region (self->entry, 0, -1);
  } else if (was_open) {
    gtk_editable_set_text (self->entry, "");
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
  gtk_revealer_set_reveal_child (self->revealer, TRUE);
  gtk_editable_set_text (self->entry, text);
  apply (self);
}

gboolean
loom_row_filter_is_open (LoomRowFilter *self)
{
  return gtk_revealer_get_reveal_child (self->revealer);
}
