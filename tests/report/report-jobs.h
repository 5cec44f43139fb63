/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds small jobs by hand and their reports and pages, and finds values in these.
 */
#pragma once

#include "fixture.h"

#include "loom-page.h"
#include "loom-report.h"

#define GPU "GPUUtilization"
#define CPU "CPUUtilization"

/* whole_job(): a job of four steps on one node, with a GPU that waits for the CPU and a fully used core. slow_job(): a
 * job of five steps; step 3 takes three times as long as the others, because loading data takes long. */
FakeJob *whole_job (void);
FakeJob *slow_job (void);

/* These functions return the report as JSON, owned by the caller, and as text unless `text` is
 * NULL. intended() frees the job. */
JsonNode *report_of (LoomTimeline *timeline, LoomNumberConvention numbers, char **text);
JsonNode *intended (FakeJob *job, char **text);
/* These functions return a member of a JSON document by its path, such as
 * "utilization.gpu.missing"; NULL if the document lacks it. Borrowed. */
JsonNode *find (JsonNode *root, const char *path);
const char *text_at (JsonNode *root, const char *path);
gint64 int_at (JsonNode *root, const char *path);

LoomPageContent *page_of (LoomTimeline *timeline, const char *id);
/* says(): returns TRUE if the page has a block of this kind whose text begins with `words`. says_row(): returns TRUE if
 * a table of the page has a row whose first cell begins with `words`. */
gboolean says (const LoomPageContent *sheet, LoomBlockKind kind, const char *words);
gboolean says_row (const LoomPageContent *sheet, const char *words);
/* Returns the value of the fact `name` on the page; NULL if the page lacks it. Borrowed. */
const char *fact (const LoomPageContent *sheet, const char *name);
