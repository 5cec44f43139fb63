/* SPDX-License-Identifier: Apache-2.0
 *
 * A small run for tests that simulate keys and the pointer: three threads with four spans named tick, a span with flows
 * to two other spans, and a counter.
 */
#pragma once

#include "hands.h"
#include "loom-search-bar.h"

#define DOUBLE_CLICK_MS 170 /* tests wait this long between clicks; GTK's limit for a double click is set to 150 ms */

/* Opens the window and the run, then runs the tests that were added. Skips them if input cannot be simulated. */
int hands_run (void);
/* Does the same as hands_run(), but on another trace in Chrome's JSON format. */
int hands_run_on (const char *trace);

/* Restores the state at the beginning of a test: whole run visible, no selection, no marks, mode 1, no recent click. */
void reset (void);

LoomWindow *the_window (void);
LoomTimelineView *view (void);
GtkWidget *tracks (void);
LoomTimelineState *state (void);
GtkWidget *search (void);
LoomSearchState *search_state (void);
/* Returns TRUE while the search bar is visible. */
gboolean is_searching (void);

/* width_ns() returns the length of the visible range; zoom_in() shows a third of the run, from its second tenth on. */
gint64 width_ns (void);
void zoom_in (void);

/* The nth span with a name, in trace order. range_of() returns the range of a span; x_of() and y_of() return the
 * position of a time and of a span on the tracks, in logical px. */
LoomSpanId span_of (const char *name, guint nth);
LoomRange range_of (LoomSpanId span);
double x_of (gint64 time_ns);
double y_of (LoomSpanId span);
void point_at (LoomSpanId span);

/* Waits until the view has stopped moving. */
void rest (void);
/* Returns TRUE if a menu is open and accepts keys; a condition for fixture_wait(). */
gboolean has_menu (gpointer unused);
/* Holds a key for several frames and waits until the view has stopped moving. */
void hold (guint keyval);

/* These functions return, in this order: the row list, the number of rows, the row of a span (G_MAXUINT: none), the
 * first row of a kind, the y position of the top of a row in logical px, and the widget with the headers of the rows.
 */
LoomRowList *outline (void);
guint n_rows (void);
guint row_of (LoomSpanId span);
guint first_row (LoomRowKind kind);
double top_of (guint row);
GtkWidget *headers (void);
/* Returns the first descendant with that CSS name, or NULL. */
GtkWidget *below (GtkWidget *widget, const char *css_name);

/* steps() returns the undo stack; take_all_back() undoes everything and clears it. */
LoomUndoStack *steps (void);
void take_all_back (void);
