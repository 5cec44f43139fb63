/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-bounded-text.h"

#include "loom-ellipsize.h"

#include <string.h>

#define TOOLTIP_CHARS 60 /* maximum width of a tooltip, in characters */

/* Returns the text, shortened if it is long. If it was shortened, sets `owned` to the copy that the caller must free;
 * otherwise sets `owned` to NULL. */
static const char *
cut (const char *text, char **owned)
{
  *owned = text != NULL && strlen (text) > LOOM_SHOWN_LETTERS ? loom_ellipsize_shown (text) : NULL;
  return *owned != NULL ? *owned : text;
}

GtkWidget *
loom_bounded_text_new_label (const char *text)
{
  g_autofree char *owned = NULL;
  return gtk_label_new (cut (text, &owned));
}

/* Prevents Pango from adding a hyphen where it breaks a word, because the hyphen would look like a part of the name. */
static void
avoid_hyphens (GtkLabel *label)
{
  static const char key[] = "loom-avoids-hyphens";
  if (!gtk_label_get_wrap (label) || g_object_get_data (G_OBJECT (label), key) != NULL)
    return;
  PangoAttrList *before = gtk_label_get_attributes (label);
  g_autoptr (PangoAttrList) attributes = before != NULL ? pango_attr_list_copy (before) : pango_attr_list_new ();
  pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
  gtk_label_set_attributes (label, attributes);
  g_object_set_data (G_OBJECT (label), key, label);
}

void
loom_bounded_text_set_label (GtkLabel *label, const char *text)
{
  g_autofree char *owned = NULL;
  avoid_hyphens (label);
  gtk_label_set_text (label, text != NULL ? cut (text, &owned) : "");
}

void
loom_bounded_text_set_inscription (GtkInscription *inscription, const char *text)
{
  g_autofree char *owned = NULL;
  gtk_inscription_set_text (inscription, cut (text, &owned));
}

/* Returns the label of the tooltip, owned by the tooltip. GTK's own label would be as wide as the text. */
static GtkLabel *
get_tooltip_label (GtkTooltip *tooltip)
{
  static const char key[] = "loom-label";
  GtkWidget *label = g_object_get_data (G_OBJECT (tooltip), key);
  if (label != NULL)
    return GTK_LABEL (label);
  label = g_object_new (GTK_TYPE_LABEL, "wrap", TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR, "max-width-chars",
                        TOOLTIP_CHARS, "xalign", 0.0F, NULL);
  g_object_set_data_full (G_OBJECT (tooltip), key, g_object_ref_sink (label), g_object_unref);
  return GTK_LABEL (label);
}

void
loom_bounded_text_set_tooltip (GtkTooltip *tooltip, const char *text)
{
  GtkLabel *label = get_tooltip_label (tooltip);
  loom_bounded_text_set_label (label, text);
  gtk_tooltip_set_custom (tooltip, GTK_WIDGET (label));
}

void
loom_bounded_text_set_tip (GtkWidget *widget, const char *text)
{
  g_autofree char *owned = NULL;
  gtk_widget_set_tooltip_text (widget, cut (text, &owned));
}

PangoLayout *
loom_bounded_text_new_layout (GtkWidget *widget, const char *text)
{
  g_autofree char *owned = NULL;
  return gtk_widget_create_pango_layout (widget, cut (text, &owned));
}
