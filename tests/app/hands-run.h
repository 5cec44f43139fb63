/* SPDX-License-Identifier: Apache-2.0
 *
 * A small run under a person's hands: four ticks and a span whose arrows lead to two others, on three threads, and a plot.
 */
#pragma once

#include "hands.h"
#include "loom-search-bar.h"

#define DOUBLE_CLICK_MS 170 /* GTK counts clicks within 150 here */

/* Runs the tests that were added; opens the window and the run first. Skips where there are no hands. */
int hands_run (void);
/* The same with another trace (Chrome's JSON) for the run. */
int hands_run_on (const char *trace);

/* Everything in view, nothing selected, no mark, mode 1, the last click long ago. */
void reset (void);

LoomWindow *the_window (void);
LoomTimelineView *view (void);
GtkWidget *tracks (void);
LoomTimelineState *state (void);
GtkWidget *search (void); /* the search bar */
LoomSearchState *search_state (void);
/* TRUE while the search bar is seen to be open. */
gboolean is_searching (void);

/* The length of the visible range; shows a third of the run, from its second tenth. */
gint64 width_ns (void);
void zoom_in (void);

/* The nth span of that name, by trace order; its range; where it is on the tracks. */
LoomSpanId span_of (const char *name, guint nth);
LoomRange range_of (LoomSpanId span);
double x_of (gint64 time_ns);
double y_of (LoomSpanId span);
void point_at (LoomSpanId span);

/* Until the view moves no more. */
void rest (void);
/* Whether a menu is open and takes keys: a condition to wait for. */
gboolean has_menu (gpointer unused);
/* A key is held for some frames, and what it moved has come to rest. */
void hold (guint keyval);

/* Rows: how many there are, that of a span (G_MAXUINT: none), the first of a kind, where one begins; what names them. */
LoomRowList *outline (void);
guint n_rows (void);
guint row_of (LoomSpanId span);
guint first_row (LoomRowKind kind);
double top_of (guint row);
GtkWidget *headers (void);
/* The first below a widget with that CSS name; NULL. */
GtkWidget *below (GtkWidget *widget, const char *css_name);

/* What can be taken back; all of it is, or forgotten. */
LoomUndoStack *steps (void);
void take_all_back (void);
