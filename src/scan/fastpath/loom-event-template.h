/* SPDX-License-Identifier: Apache-2.0
 *
 * Events that look alike. A writer of traces says the same keys in the same order thousands of times, and only values
 * change: a text that was looked at once tells what the next one is, and what is equal byte for byte need not be read
 * token by token. Values that differ are: the answer is the one of loom_strict_event_parser_scan(), or there is none.
 */
#pragma once

#include "loom-strict-event-parser.h"

G_BEGIN_DECLS

typedef struct _LoomEventTemplates LoomEventTemplates;

typedef enum {
  LOOM_PATTERNS_OF_EVENTS,
  LOOM_PATTERNS_OF_OBJECTS, /* whatever is in them: as loom_strict_event_parser_object_scan() */
} LoomEventTemplatesKind;

LoomEventTemplates *loom_event_templates_new (LoomEventTemplatesKind kind);
void loom_event_templates_free (LoomEventTemplates *patterns);

/* As loom_strict_event_parser_scan(), or that of objects. `family` tells texts apart that hardly look alike; any number will do. One
 * thread. */
gboolean loom_event_templates_scan (LoomEventTemplates *patterns, guint family, const char *text,
                                    LoomStrictEvent *event);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomEventTemplates, loom_event_templates_free)

G_END_DECLS
