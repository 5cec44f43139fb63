/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the texts that packets of a Perfetto trace refer to by number. A number means something only
 * within its generation, the packets of one sequence between two that clear its state, and there may get another text
 * later. Filled in the order of the packets, then only read. Memory: each text once, about 100 bytes per number.
 */
#pragma once

#include <glib.h>

typedef struct _LoomPerfettoTexts LoomPerfettoTexts;

typedef enum {
  LOOM_PERFETTO_TEXT_CATEGORY,
  LOOM_PERFETTO_TEXT_EVENT_NAME,
  LOOM_PERFETTO_TEXT_ARG_NAME,
  LOOM_PERFETTO_TEXT_ARG_TEXT,
  LOOM_PERFETTO_TEXT_SOURCE_FILE, /* with the line */
  LOOM_PERFETTO_TEXT_SOURCE_FUNCTION,
  LOOM_PERFETTO_TEXT_LOG_MESSAGE,
  LOOM_PERFETTO_TEXT_CORRELATION,
  LOOM_PERFETTO_TEXT_GPU_SPECIFICATION,
  LOOM_PERFETTO_TEXT_GPU_CONTEXT, /* the number of its process */
  LOOM_PERFETTO_TEXT_KERNEL,      /* as it is shown */
  LOOM_PERFETTO_TEXT_KERNEL_SYMBOL,
  LOOM_PERFETTO_TEXT_KERNEL_ARG,
} LoomPerfettoTextKind;

LoomPerfettoTexts *loom_perfetto_texts_new (void);
void loom_perfetto_texts_free (LoomPerfettoTexts *self);

/* Returns the number of a new generation; 0 is the first one. */
guint32 loom_perfetto_texts_add_generation (LoomPerfettoTexts *self);

/* Gives a number a text, from the packet at `place` on. The text is kept as JSON without quotes, at most 64 KiB of it. */
void loom_perfetto_texts_add (LoomPerfettoTexts *self, guint32 generation, LoomPerfettoTextKind kind, guint64 number,
                              guint64 place, const char *text, gsize length);

/* Returns the text that a number has for the packet at `place`, as JSON without quotes; NULL if none. Borrowed. */
const char *loom_perfetto_texts_get (const LoomPerfettoTexts *self, guint32 generation, LoomPerfettoTextKind kind,
                                     guint64 number, guint64 place);
