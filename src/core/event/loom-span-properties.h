/* SPDX-License-Identifier: Apache-2.0
 *
 * The properties of a span in the details pane, except its args, as pairs of label and value. The functions depend
 * only on their arguments.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-path-overlay.h"
#include "loom-source-overrides.h"
#include "loom-span-peers.h"
#include "loom-steps.h"
#include "loom-timeline.h"

/* The link that shows the text of the span in its source file. */
#define LOOM_SOURCE_LINK "source:"

typedef struct {
  char *word;     /* the label, for example "Duration" */
  char *value;    /* plain text; if `links` is TRUE, markup with links */
  char *more;     /* more lines of text, for the tooltip of the value and for copying; NULL: there are none */
  gboolean links; /* TRUE if `value` contains links "span:<trace>:<index>" or LOOM_SOURCE_LINK */
} LoomProperty;

void loom_span_properties_free_property (LoomProperty *fact);

/* Returns the path to the track of the span, for example "rank 3 › python › main". `names`: the names that the user
 * gave to sources; may be NULL. Owned by the caller. */
char *loom_span_properties_dup_place (LoomTimeline *timeline, const LoomSourceOverrides *names, LoomSpanId span);

/* Returns the properties of a span (LoomProperty *) in the order of display. `steps` and `collectives` may be NULL. The
 * cost grows with the number of the span's children; if there are more than 200,000, none of them is listed. */
GPtrArray *loom_span_properties (LoomTimeline *timeline, LoomSteps *steps, const LoomCollectives *collectives,
                                 LoomSpanId span);

/* Adds a property that says whether the span is on the critical path and, if it is not, its slack. Adds nothing if
 * `path` is NULL or has no data about the span. */
void loom_span_properties_add_path (GPtrArray *facts, const LoomPathOverlay *path, LoomSpanId span);

/* Inserts the comparison with the same call in other steps, or with spans of the same name, after the property with the
 * duration. Returns the index of the new property. If `peers` is NULL, or there are no other spans, inserts nothing and
 * returns −1. */
int loom_span_properties_add_peers (GPtrArray *facts, const LoomSpanPeers *peers);

/* Adds a property with the functions of the stack at the event's begin or end (`names`), one per line. Adds nothing if
 * `names` is NULL. `word`: label of the property. */
void loom_span_properties_add_stack (GPtrArray *facts, const char *word, const GPtrArray *names);

/* Parses a link to a span, "span:<trace>:<index>". Returns FALSE for other texts. */
gboolean loom_span_properties_from_link (const char *uri, LoomSpanId *span);
