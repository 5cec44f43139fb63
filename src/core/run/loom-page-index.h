/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of all pages of an open run and the views that contain them. The window builds the list of the analysis
 * from it, and the command palette its entries. Static, any thread.
 */
#pragma once

#include <glib.h>

typedef struct {
  const char *name;  /* name in session files and in the action "win.show-page" */
  const char *view;  /* "timeline", "analysis", "events", "query" or "python" */
  const char *title; /* to be translated */
  /* title of the section of the analysis list that contains the page, to be translated; NULL: none */
  const char *group;
} LoomPageIndex;

/* Returns the pages in the order in which they are listed; `n` receives their number. */
const LoomPageIndex *loom_page_index_get (guint *n);
/* Returns the page with this name; NULL if there is none. Older sessions contain the name "findings"; it gives the
 * summary page, which lists the findings. */
const LoomPageIndex *loom_page_index_find (const char *name);
/* Returns the page that shows the causes of a rule's findings, for example the stragglers for "SlowRank"; NULL for
 * rules without such a page, such as rules of the user. */
const LoomPageIndex *loom_page_index_find_of_rule (const char *rule);
