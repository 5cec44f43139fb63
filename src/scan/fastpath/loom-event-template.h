/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses events by comparing them with similar earlier ones. A writer emits the same keys in the same order thousands
 * of times, and only values change; text that equals an earlier event byte for byte need not be parsed again. Only
 * values that differ are parsed. The result equals that of loom_strict_event_parser_scan(), or the call fails.
 */
#pragma once

#include "loom-strict-event-parser.h"

typedef struct _LoomEventTemplates LoomEventTemplates;

typedef enum {
  LOOM_PATTERNS_OF_EVENTS,
  /* the texts are objects with any content, parsed as by loom_strict_event_parser_object_scan() */
  LOOM_PATTERNS_OF_OBJECTS,
} LoomEventTemplatesKind;

LoomEventTemplates *loom_event_templates_new (LoomEventTemplatesKind kind);
void loom_event_templates_free (LoomEventTemplates *patterns);

/* Parses like loom_strict_event_parser_scan(), or for objects like loom_strict_event_parser_object_scan(), but faster
 * if the event is similar to an earlier event with the same `family`. The caller chooses this number so that similar
 * events are likely to have the same one. `patterns` must be used by one thread at a time. */
gboolean loom_event_templates_scan (LoomEventTemplates *patterns, guint family, const char *text,
                                    LoomStrictEvent *event);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomEventTemplates, loom_event_templates_free)
