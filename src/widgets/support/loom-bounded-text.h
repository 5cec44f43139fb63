/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets texts from files on labels, cells and tooltips. All such texts must be set with these functions, because names
 * and args may have any length, and the time of GTK's layout grows with the square of the length. Long texts are
 * truncated by loom_ellipsize_shown(); copies to the clipboard should contain the full text. In labels that wrap, no
 * hyphens are added where words are broken. NULL means no text. The functions must be called on the main thread.
 */
#pragma once

#include <gtk/gtk.h>

GtkWidget *loom_bounded_text_new_label (const char *text);
void loom_bounded_text_set_label (GtkLabel *label, const char *text);
void loom_bounded_text_set_inscription (GtkInscription *inscription, const char *text);
void loom_bounded_text_set_tooltip (GtkTooltip *tooltip, const char *text);
/* Sets the tooltip of a widget to `text`, shortened if it is long. */
void loom_bounded_text_set_tip (GtkWidget *widget, const char *text);
/* Returns a new layout of the text that looks like a label inside the widget. Owned by the caller. */
PangoLayout *loom_bounded_text_new_layout (GtkWidget *widget, const char *text);
