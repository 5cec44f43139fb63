/* SPDX-License-Identifier: Apache-2.0
 *
 * What the details pane says of one span besides its args, as pairs of words and values. Pure.
 */
#pragma once

#include "loom-source-overrides.h"
#include "loom-steps.h"
#include "loom-timeline.h"

G_BEGIN_DECLS

/* To the span's own place in its source. */
#define LOOM_SOURCE_LINK "source:"

typedef struct {
  char *word;     /* "Duration" */
  char *value;    /* plain text, or markup with links when `links` */
  gboolean links; /* links "span:<trace>:<index>" and LOOM_SOURCE_LINK */
} LoomProperty;

void loom_span_properties_free_property (LoomProperty *fact);

/* LoomProperty *, in the order they are shown. `steps` and `names` may be NULL. O(children · log n) at most a few thousand children. */
GPtrArray *loom_span_properties (LoomTimeline *timeline, LoomSteps *steps, const LoomSourceOverrides *names,
                                 LoomSpanId span);

/* Adds the stack of functions an event says it began in, or ended in, one per line; nothing when `names` is NULL. */
void loom_span_properties_add_stack (GPtrArray *facts, const char *word, const GPtrArray *names);

/* Reads a link of a fact. */
gboolean loom_span_properties_from_link (const char *uri, LoomSpanId *span);

G_END_DECLS
