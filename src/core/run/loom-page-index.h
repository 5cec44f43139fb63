/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of all pages of an open run and of the views that contain them. The window makes the list of analyses from
 * this table, and the command palette makes its entries from the table. Static, any thread.
 */
#pragma once

#include "loom-rule-result.h"

typedef struct {
  const char *name;  /* name of the page in session files and in the action "win.show-page" */
  const char *view;  /* view that contains the page: "timeline", "analysis", "events", "query" or "python" */
  const char *title; /* title of the page, to be translated */
  /* title of the section that contains the page in the list of analyses; to be translated; NULL: the page is in no
   * section */
  const char *group;
  const char *question; /* the question that the page of the analysis answers; to be translated; NULL: none is shown */
  const char *related;  /* name of the page that answers a similar question; NULL: there is none */
} LoomPageIndex;

/* Returns the pages in the order in which they are listed. Sets `n` to their number. */
const LoomPageIndex *loom_page_index_get (guint *n);
/* Returns the page with this name; NULL if no page has it. For "findings", a name that older sessions contain, returns
 * the summary page, which lists the findings. */
const LoomPageIndex *loom_page_index_find (const char *name);
/* Returns the page that shows the causes of a rule's findings, for example the page of stragglers for the rule
 * "SlowRank"; NULL if there is no such page. There is none for the user's own rules. */
const LoomPageIndex *loom_page_index_find_of_rule (const char *rule);
/* Returns the page that shows the cause of a rule's result, see loom_findings_find_page(); NULL if there is no such
 * page. */
const LoomPageIndex *loom_page_index_find_of_result (const LoomRuleResult *result);
