/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of a function table as a list: filtered and sorted as numbers of rows, so that only rows that are looked at
 * become objects. Main thread.
 */
#pragma once

#include "loom-profile-table.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LOOM_TYPE_PROFILE_ITEM (loom_profile_item_get_type ())
G_DECLARE_FINAL_TYPE (LoomProfileItem, loom_profile_item, LOOM, PROFILE_ITEM, GObject)

/* Borrowed; NULL for an item without a row. */
const LoomProfileRow *loom_profile_item_get_row (LoomProfileItem *item);

const char *loom_profile_column_get_title (LoomProfileColumn column);
/* A sentence that says what the column counts. */
const char *loom_profile_column_get_words (LoomProfileColumn column);
gboolean loom_profile_column_is_number (LoomProfileColumn column);
/* The cell's text, rounded; or without rounding, for tooltips and copies. Owned. */
char *loom_profile_item_dup_cell (LoomProfileItem *item, LoomProfileColumn column);
char *loom_profile_item_dup_exact (LoomProfileItem *item, LoomProfileColumn column);

#define LOOM_TYPE_PROFILE_MODEL (loom_profile_model_get_type ())
G_DECLARE_FINAL_TYPE (LoomProfileModel, loom_profile_model, LOOM, PROFILE_MODEL, GObject)

/* `sorter` compares LoomProfileItems; the column view's. */
LoomProfileModel *loom_profile_model_new (GtkSorter *sorter);
/* The table to show, kept; NULL: none. */
void loom_profile_model_set_table (LoomProfileModel *model, LoomProfileTable *table);
LoomProfileTable *loom_profile_model_get_table (LoomProfileModel *model); /* borrowed, may be NULL */
/* Only rows that hold the text. */
void loom_profile_model_set_filter (LoomProfileModel *model, const char *text);
/* Where the row of a function of the profile stands; GTK_INVALID_LIST_POSITION when it is not shown. */
guint loom_profile_model_find (LoomProfileModel *model, guint32 function);

G_END_DECLS
