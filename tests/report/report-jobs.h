/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds reports and pages of small jobs made by hand, and queries their contents.
 */
#pragma once

#include "fixture.h"

#include "loom-page.h"
#include "loom-report.h"

#define GPU "GPUUtilization"
#define CPU "CPUUtilization"

/* whole_job(): four steps on one node, with a GPU that waits for the CPU and a core at its limit. slow_job(): five
 * steps, of which step 3 takes three times as long because of data loading. */
FakeJob *whole_job (void);
FakeJob *slow_job (void);

/* Return the report as JSON, owned by the caller, and as text unless `text` is NULL. intended() frees the job. */
JsonNode *report_of (LoomTimeline *timeline, LoomNumberConvention numbers, char **text);
JsonNode *intended (FakeJob *job, char **text);
/* Return a member by its path, such as "utilization.gpu.missing"; NULL if there is none; borrowed. */
JsonNode *find (JsonNode *root, const char *path);
const char *text_at (JsonNode *root, const char *path);
gint64 int_at (JsonNode *root, const char *path);

LoomPageContent *page_of (LoomTimeline *timeline, const char *id);
/* says(): TRUE if a block of that kind begins with the words. says_row(): TRUE if the first cell of a row of any table
 * does. */
gboolean says (const LoomPageContent *sheet, LoomBlockKind kind, const char *words);
gboolean says_row (const LoomPageContent *sheet, const char *words);
/* Returns the value of a fact, or NULL if there is none; borrowed. */
const char *fact (const LoomPageContent *sheet, const char *name);
