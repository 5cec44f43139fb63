/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/export: writes args as the debug annotations of a Perfetto event. Numbers keep their exact value: a
 * number that neither a 64-bit integer nor a double can represent is written as JSON text.
 */
#pragma once

#include "loom-json-slice.h"
#include "loom-perfetto-stream.h"

typedef struct {
  LoomPerfettoStream *stream;
  GString *text; /* working memory for one text */
} LoomPerfettoAnnotations;

/* Appends the members of `object`, which is strict JSON. Each becomes a field with the number `number`. */
void loom_perfetto_annotations_append (const LoomPerfettoAnnotations *self, GString *out, guint number,
                                       LoomJsonSlice object);
/* Appends a field with the number `number` that contains a name and a text. */
void loom_perfetto_annotations_append_text (const LoomPerfettoAnnotations *self, GString *out, guint number,
                                            const char *name, const char *text);
