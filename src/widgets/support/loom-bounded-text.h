/* SPDX-License-Identifier: Apache-2.0
 *
 * All texts from files must be set on labels, cells and tooltips with these functions. Names and args may be of any
 * length, and GTK's layout time is quadratic in the length. Texts are truncated by loom_ellipsize_shown(); for copies
 * use the full text. Called on the main thread. NULL means no text.
 */
#pragma once

#include <gtk/gtk.h>

GtkWidget *loom_bounded_text_new_label (const char *text);
void loom_bounded_text_set_label (GtkLabel *label, const char *text);
void loom_bounded_text_set_inscription (GtkInscription *inscription, const char *text);
void loom_bounded_text_set_tooltip (GtkTooltip *tooltip, const char *text);
/* Sets the tooltip of a widget. */
void loom_bounded_text_set_tip (GtkWidget *widget, const char *text);
/* Returns a new layout of the text that looks like a label inside the widget. Owned by the caller. */
PangoLayout *loom_bounded_text_new_layout (GtkWidget *widget, const char *text);
