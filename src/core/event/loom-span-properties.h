/* SPDX-License-Identifier: Apache-2.0
 *
 * The properties of a span in the details pane, except its args, as pairs of label and value. Pure.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-path-overlay.h"
#include "loom-source-overrides.h"
#include "loom-steps.h"
#include "loom-timeline.h"

/* A link to the span's place in its source. */
#define LOOM_SOURCE_LINK "source:"

typedef struct {
  char *word;     /* the label, "Duration" */
  char *value;    /* plain text; markup with links if `links` */
  gboolean links; /* `value` contains links "span:<trace>:<index>" or LOOM_SOURCE_LINK */
} LoomProperty;

void loom_span_properties_free_property (LoomProperty *fact);

/* The path to the track of the span: "rank 3 › python › main". `names` may be NULL. Owned by the caller. */
char *loom_span_properties_dup_place (LoomTimeline *timeline, const LoomSourceOverrides *names, LoomSpanId span);

/* LoomProperty * in display order. `steps` and `collectives` may be NULL. O(children · log n) for at most a few thousand
 * children. */
GPtrArray *loom_span_properties (LoomTimeline *timeline, LoomSteps *steps, const LoomCollectives *collectives,
                                 LoomSpanId span);

/* Adds whether the span is on the critical path, or its slack; nothing if the path is NULL or neither is known. */
void loom_span_properties_add_path (GPtrArray *facts, const LoomPathOverlay *path, LoomSpanId span);

/* Inserts the comparison with spans of the same name (loom-span-peers.h) after the duration; nothing if `text` is NULL.
 * Returns its index; -1: none. */
int loom_span_properties_add_peers (GPtrArray *facts, const char *text);

/* Adds the functions of a stack at the event's begin or end, one per line; nothing if `names` is NULL. */
void loom_span_properties_add_stack (GPtrArray *facts, const char *word, const GPtrArray *names);

/* Parses the link of a property. */
gboolean loom_span_properties_from_link (const char *uri, LoomSpanId *span);
