/* SPDX-License-Identifier: Apache-2.0
 *
 * What a line of the sidebar looks like: name and detail, the number of problems as a button, the state of the clock. Child of a
 * tree expander in a row of the list, which it names for assistive technology. Main thread.
 */
#pragma once

#include "loom-source-item.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LOOM_TYPE_SOURCE_LINE (loom_source_line_get_type ())
G_DECLARE_FINAL_TYPE (LoomSourceLine, loom_source_line, LOOM, SOURCE_LINE, GtkBox)

GtkWidget *loom_source_line_new (void);

/* What it shows; a reference is taken. NULL before the first, the getter borrows. */
void loom_source_line_set_item (LoomSourceLine *line, LoomSourceItem *item);
LoomSourceItem *loom_source_line_get_item (LoomSourceLine *line);

/* The number of problems, in the line's coordinates. */
gboolean loom_source_line_is_on_badge (LoomSourceLine *line, double x, double y);

G_END_DECLS
