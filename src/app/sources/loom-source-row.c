/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-source-row.h"

#include "loom-bounded-text.h"
#include "loom-list-separator.h"
#include "loom-page-clocks.h"

#include <glib/gi18n.h>

struct _LoomSourceRow {
  GtkBox parent;
  LoomSourceItem *item;
  GtkWidget *label, *detail, *badge, *dot;
};

G_DEFINE_FINAL_TYPE (LoomSourceRow, loom_source_row, GTK_TYPE_BOX)

/* Returns the state of a line's clock in words, such as "exact" or "synchronized, uncertain"; NULL if the line has
 * no clock. Owned by the caller. */
static char *
clock_words (LoomSourceItem *item)
{
  if (!item->has_clock)
    return NULL;
  return item->in_doubt ? g_strdup_printf (
                            /* Translators: %s is the state of a clock, such as "synchronized" */
                            _ ("%s, uncertain"), loom_page_clocks_describe_state (item->clock))
                        : g_strdup (loom_page_clocks_describe_state (item->clock));
}

static void
show_clock (LoomSourceRow *self, LoomSourceItem *item)
{
  gtk_widget_set_visible (self->dot, item->has_clock);
  if (!item->has_clock)
    return;
  g_autofree char *words = clock_words (item),
                  *name = g_strdup_printf (
                    /* Translators: %s is the state of a clock, such as "synchronized, uncertain" */
                    _ ("clock: %s"), words);
  /* for a doubtful clock, the dot shows the less reliable of two states: LOOM_CLOCK_DERIVED and the state of the
   * clock */
  LoomClockState shown = item->in_doubt ? MIN (item->clock, LOOM_CLOCK_DERIVED) : item->clock;
  loom_bounded_text_set_label (GTK_LABEL (self->dot), loom_page_clocks_get_state_dot (shown));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->dot), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
show_badge (LoomSourceRow *self, LoomSourceItem *item)
{
  guint n = item->n_problems;
  gtk_widget_set_visible (self->badge, n > 0);
  if (n == 0)
    return;
  g_autofree char *number = g_strdup_printf ("%u", n);
  g_autofree char *name = g_strdup_printf (ngettext ("%u problem", "%u problems", n), n);
  const char *const *paths = loom_source_item_get_paths (item);
  gtk_button_set_label (GTK_BUTTON (self->badge), number);
  loom_bounded_text_set_tip (self->badge, name);
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (self->badge), g_variant_new_bytestring_array (paths, -1));
  /* set the target before the name of the action: setting the name looks up the action together with its target */
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->badge), "win.problems-of");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->badge), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* Dims the texts of a hidden source, and adds to its accessible name that it is hidden. */
static void
show_muted (LoomSourceRow *self, LoomSourceItem *item)
{
  if (!item->muted) {
    gtk_widget_remove_css_class (self->label, "dim-label");
    return;
  }
  g_autofree char *text = *item->detail != '\0' ? g_strdup_printf (
                                                    /* Translators: %s is the file format of the source */
                                                    _ ("hidden · %s"), item->detail)
                                                : g_strdup (C_ ("source", "hidden"));
  gtk_widget_add_css_class (self->label, "dim-label");
  loom_bounded_text_set_label (GTK_LABEL (self->detail), text);
  gtk_widget_set_visible (self->detail, TRUE);
}

/* Sets the text that screen readers read for the whole line. */
static void
name_row (GtkWidget *expander, LoomSourceItem *item)
{
  guint n = item->n_problems;
  g_autofree char *words = clock_words (item);
  g_autofree char *clock = words != NULL ? g_strdup_printf (_ ("clock: %s"), words) : NULL;
  g_autofree char *problems = n > 0 ? g_strdup_printf (ngettext ("%u problem", "%u problems", n), n) : NULL;
  const char *parts[] = { item->label, item->detail, item->muted ? C_ ("source", "hidden") : NULL, clock, problems };
  g_autoptr (GString) name = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i] != NULL && *parts[i] != '\0')
      g_string_append_printf (name, "%s%s", name->len > 0 ? loom_list_separator () : "", parts[i]);
  GtkWidget *row = gtk_widget_get_parent (expander);
  gtk_accessible_update_property (GTK_ACCESSIBLE (expander), GTK_ACCESSIBLE_PROPERTY_LABEL, name->str, -1);
  if (row != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name->str, -1);
}

static void
show_label (LoomSourceRow *self, LoomSourceItem *item)
{
  loom_bounded_text_set_label (GTK_LABEL (self->label), item->short_label != NULL ? item->short_label : item->label);
  loom_bounded_text_set_label (GTK_LABEL (self->detail), item->detail);
  gtk_widget_set_visible (self->detail, *item->detail != '\0');
  if (item->is_node)
    gtk_widget_add_css_class (self->label, "strong");
  else
    gtk_widget_remove_css_class (self->label, "strong");
}

void
loom_source_row_set_item (LoomSourceRow *self, LoomSourceItem *item)
{
  g_return_if_fail (LOOM_IS_SOURCE_ROW (self) && LOOM_IS_SOURCE_ITEM (item));
  GtkWidget *expander = gtk_widget_get_parent (GTK_WIDGET (self));
  g_set_object (&self->item, item);
  show_label (self, item);
  show_muted (self, item);
  show_clock (self, item);
  show_badge (self, item);
  if (expander != NULL)
    name_row (expander, item);
}

LoomSourceItem *
loom_source_row_get_item (LoomSourceRow *self)
{
  return self->item;
}

gboolean
loom_source_row_is_on_badge (LoomSourceRow *self, double x, double y)
{
  GtkWidget *under = gtk_widget_pick (GTK_WIDGET (self), x, y, GTK_PICK_DEFAULT);
  return under != NULL && (under == self->badge || gtk_widget_is_ancestor (under, self->badge));
}

static void
dispose (GObject *object)
{
  g_clear_object (&LOOM_SOURCE_ROW (object)->item);
  G_OBJECT_CLASS (loom_source_row_parent_class)->dispose (object);
}

static void
loom_source_row_class_init (LoomSourceRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-source-row.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomSourceRow, label);
  gtk_widget_class_bind_template_child (widget_class, LoomSourceRow, detail);
  gtk_widget_class_bind_template_child (widget_class, LoomSourceRow, badge);
  gtk_widget_class_bind_template_child (widget_class, LoomSourceRow, dot);
}

static void
loom_source_row_init (LoomSourceRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
loom_source_row_new (void)
{
  return g_object_new (LOOM_TYPE_SOURCE_ROW, NULL);
}
