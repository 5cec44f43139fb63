/* SPDX-License-Identifier: Apache-2.0
 *
 * The view "events" of a run. It has a table of events. If the run has samples (values of counters, call stacks), it
 * also has a table of samples, which is made when it is first shown. Property: "page", the name of the visible table,
 * "events" or "samples". Called on the main thread.
 */
#pragma once

#include "loom-events-panel.h"
#include "loom-samples-panel.h"

#define LOOM_TYPE_EVENT_TABLES (loom_event_tables_get_type ())
G_DECLARE_FINAL_TYPE (LoomEventTables, loom_event_tables, LOOM, EVENT_TABLES, GtkWidget)

GtkWidget *loom_event_tables_new (LoomRunState *run);

void loom_event_tables_set_page (LoomEventTables *self, const char *page);
const char *loom_event_tables_get_page (LoomEventTables *self); /* returns a static text */

/* The next two functions return the tables; borrowed. The first call makes the table of samples. */
LoomEventsPanel *loom_event_tables_get_events (LoomEventTables *self);
LoomSamplesPanel *loom_event_tables_get_samples (LoomEventTables *self);
