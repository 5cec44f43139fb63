/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-bounded-text.h"

#include "loom-ellipsize.h"

#include <string.h>

/* Returns `text` itself if it is short, which is the usual case. */
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

void
loom_bounded_text_set_label (GtkLabel *label, const char *text)
{
  g_autofree char *owned = NULL;
  gtk_label_set_text (label, text != NULL ? cut (text, &owned) : "");
}

void
loom_bounded_text_set_inscription (GtkInscription *inscription, const char *text)
{
  g_autofree char *owned = NULL;
  gtk_inscription_set_text (inscription, cut (text, &owned));
}

void
loom_bounded_text_set_tooltip (GtkTooltip *tooltip, const char *text)
{
  g_autofree char *owned = NULL;
  gtk_tooltip_set_text (tooltip, cut (text, &owned));
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
