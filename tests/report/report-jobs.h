/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports and pages of small jobs made by hand, and what they say.
 */
#pragma once

#include "fixture.h"

#include "loom-page.h"
#include "loom-report.h"

#define GPU "GPUUtilization"
#define CPU "CPUUtilization"

/* Four steps on one node, with a GPU that starves and a core at its limit; five steps, of which step 3 takes three times as long
 * because of its data. */
FakeJob *whole_job (void);
FakeJob *slow_job (void);

/* The report as JSON, owned; and as text, unless `text` is NULL. The second frees the job. */
JsonNode *report_of (LoomTimeline *timeline, LoomNumberConvention numbers, char **text);
JsonNode *intended (FakeJob *job, char **text);
/* A member by its path: "utilization.gpu.missing"; NULL: there is none. Borrowed. */
JsonNode *find (JsonNode *root, const char *path);
const char *text_at (JsonNode *root, const char *path);
gint64 int_at (JsonNode *root, const char *path);

LoomPageContent *page_of (LoomTimeline *timeline, const char *id);
/* TRUE if a block of that kind begins with the words; if the first cell of a row of any table does. */
gboolean says (const LoomPageContent *sheet, LoomBlockKind kind, const char *words);
gboolean says_row (const LoomPageContent *sheet, const char *words);
/* The value of a fact; NULL: there is none. Borrowed. */
const char *fact (const LoomPageContent *sheet, const char *name);
