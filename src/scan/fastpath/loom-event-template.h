/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses events faster by comparing them with earlier events. Programs that write traces repeat the same keys in the
 * same order thousands of times, and change only values. Text that is equal to an earlier event is not parsed again;
 * only values that differ are parsed. If a call succeeds, the result is the same as that of
 * loom_strict_event_parser_scan().
 */
#pragma once

#include "loom-strict-event-parser.h"

typedef struct _LoomEventTemplates LoomEventTemplates;

typedef enum {
  LOOM_PATTERNS_OF_EVENTS,
  /* the texts are JSON objects with any content, parsed as by loom_strict_event_parser_object_scan() */
  LOOM_PATTERNS_OF_OBJECTS,
} LoomEventTemplatesKind;

LoomEventTemplates *loom_event_templates_new (LoomEventTemplatesKind kind);
void loom_event_templates_free (LoomEventTemplates *patterns);

/* Parses an event like loom_strict_event_parser_scan(), or an object like loom_strict_event_parser_object_scan(), but
 * in less time if an earlier text with the same `family` is similar. `family`: a number; the caller should choose it so
 * that similar texts usually have the same number. Only one thread at a time may use `patterns`. */
gboolean loom_event_templates_scan (LoomEventTemplates *patterns, guint family, const char *text,
                                    LoomStrictEvent *event);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomEventTemplates, loom_event_templates_free)
