/* SPDX-License-Identifier: Apache-2.0
 *
 * Every page of an open run and the view that contains it: the one table from which the window makes the list of the analysis and
 * the command palette its entries. Static, any thread.
 */
#pragma once

#include <glib.h>

typedef struct {
  const char *name;  /* as sessions and the action "win.show-page" have it */
  const char *view;  /* "timeline", "analysis", "events" or "python" */
  const char *title; /* to be translated */
  const char *group; /* to be translated: the heading over the page in the list of the analysis; NULL: none */
} LoomPageIndex;

/* In the order of the list. */
const LoomPageIndex *loom_page_index_get (guint *n);
/* NULL: there is no such page. The name "findings" of older sessions finds the summary, which lists the findings. */
const LoomPageIndex *loom_page_index_find (const char *name);
