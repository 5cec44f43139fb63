/* SPDX-License-Identifier: Apache-2.0
 *
 * The only way of a text to a label, a cell or a tooltip: names and args come from files and may be of any length, and the time that
 * GTK needs to lay out a text grows with the square of it. What is shown is cut by loom_ellipsize_shown(); who needs the whole has the
 * text itself, for copying. Main thread. NULL is no text.
 */
#pragma once

#include <gtk/gtk.h>

GtkWidget *loom_bounded_text_new_label (const char *text);
void loom_bounded_text_set_label (GtkLabel *label, const char *text);
void loom_bounded_text_set_inscription (GtkInscription *inscription, const char *text);
void loom_bounded_text_set_tooltip (GtkTooltip *tooltip, const char *text);
/* The tooltip of a widget. */
void loom_bounded_text_set_tip (GtkWidget *widget, const char *text);
/* The text as a label of the widget shows it. */
PangoLayout *loom_bounded_text_new_layout (GtkWidget *widget, const char *text);
