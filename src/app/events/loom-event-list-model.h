/* SPDX-License-Identifier: Apache-2.0
 *
 * A list of events as rows that can be selected. Rows become objects only while they are seen, and which of them are
 * selected is a bitset: GtkMultiSelection would keep an object of each. Main thread.
 *
 * Signal: "chosen" when a person selected other rows; "selection-changed" tells of every change.
 */
#pragma once

#include "loom-event-list.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LOOM_TYPE_EVENT_ITEM (loom_event_item_get_type ())
G_DECLARE_FINAL_TYPE (LoomEventItem, loom_event_item, LOOM, EVENT_ITEM, GObject)

LoomTimeline *loom_event_list_model_item_get_timeline (LoomEventItem *item);
LoomSpanId loom_event_list_model_item_get_event (LoomEventItem *item);

#define LOOM_TYPE_EVENT_LIST_MODEL (loom_event_list_model_get_type ())
G_DECLARE_FINAL_TYPE (LoomEventListModel, loom_event_list_model, LOOM, EVENT_LIST_MODEL, GObject)

LoomEventListModel *loom_event_list_model_new (void);

/* Other rows, none selected; NULL: none. A reference is taken. */
void loom_event_list_model_set_list (LoomEventListModel *model, LoomEventList *list);
LoomEventList *loom_event_list_model_get_list (LoomEventListModel *model); /* borrowed */
/* All of them. As a list it counts no more than were shown so far, loom-incremental-rows.h; all from the turns of the main loop on that
 * follow loom_event_list_model_want_all(). */
guint loom_event_list_model_get_n_rows (LoomEventListModel *model);
void loom_event_list_model_want_all (LoomEventListModel *model);

/* Selects these rows and no others; taken over. */
void loom_event_list_model_take_selected (LoomEventListModel *model, GtkBitset *selected);
guint64 loom_event_list_model_get_n_selected (LoomEventListModel *model);
/* The row a person selected last, as far as that can be told; G_MAXUINT: none. */
guint loom_event_list_model_get_lead (LoomEventListModel *model);

G_END_DECLS
