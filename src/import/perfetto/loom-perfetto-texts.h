/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: stores the texts of a Perfetto trace to which packets refer by number. A number is valid
 * within a “generation”: the packets of a sequence from one clearing of the sequence's state to the next. Within a
 * generation, a number may later get another text. All texts are added, in the order of the packets, before they are
 * read. Memory: each text once, and about 100 bytes per number.
 */
#pragma once

#include <glib.h>

typedef struct _LoomPerfettoTexts LoomPerfettoTexts;

/* Name of the arg that Traceloom writes into Perfetto traces to mark events that never end or have implausible
 * times. */
#define LOOM_PERFETTO_TEXTS_MARK "traceloom"

typedef enum {
  LOOM_PERFETTO_TEXT_CATEGORY,
  LOOM_PERFETTO_TEXT_EVENT_NAME,
  LOOM_PERFETTO_TEXT_ARG_NAME,
  LOOM_PERFETTO_TEXT_ARG_TEXT,
  LOOM_PERFETTO_TEXT_SOURCE_FILE, /* file name with the line number */
  LOOM_PERFETTO_TEXT_SOURCE_FUNCTION,
  LOOM_PERFETTO_TEXT_LOG_MESSAGE,
  LOOM_PERFETTO_TEXT_CORRELATION,
  LOOM_PERFETTO_TEXT_GPU_SPECIFICATION,
  LOOM_PERFETTO_TEXT_OLD_QUEUE, /* names of GPU queues (OLD_QUEUE) and stages (OLD_STAGE) in older files, which refer to
                                 * them by their position in a list */
  LOOM_PERFETTO_TEXT_OLD_STAGE,
  LOOM_PERFETTO_TEXT_GPU_CONTEXT, /* id of the process that owns a GPU context */
  LOOM_PERFETTO_TEXT_KERNEL,      /* name of the kernel for display */
  LOOM_PERFETTO_TEXT_KERNEL_SYMBOL,
  LOOM_PERFETTO_TEXT_KERNEL_ARG,
  LOOM_PERFETTO_N_TEXT_KINDS,
} LoomPerfettoTextKind;

LoomPerfettoTexts *loom_perfetto_texts_new (void);
void loom_perfetto_texts_free (LoomPerfettoTexts *self);

/* Adds a generation, that is, the period between two packets that clear the state of a sequence. The new generation has
 * no texts. Returns the number of the generation; numbers start at 0. */
guint32 loom_perfetto_texts_add_generation (LoomPerfettoTexts *self);

/* Sets the text of a number for packets from `place` (see loom-perfetto-packets.h) on. Stores the text encoded as JSON
 * without quotes, at most 64 KiB of it. */
void loom_perfetto_texts_add (LoomPerfettoTexts *self, guint32 generation, LoomPerfettoTextKind kind, guint64 number,
                              guint64 place, const char *text, gsize length);

/* Returns TRUE if LOOM_PERFETTO_TEXTS_MARK was added as the name of an arg of an event
 * (LOOM_PERFETTO_TEXT_ARG_NAME). */
gboolean loom_perfetto_texts_has_mark (const LoomPerfettoTexts *self);

/* Returns the text that a number has for the packet at `place`, encoded as JSON without quotes; NULL if the number has
 * no text. Borrowed. */
const char *loom_perfetto_texts_get (const LoomPerfettoTexts *self, guint32 generation, LoomPerfettoTextKind kind,
                                     guint64 number, guint64 place);

/* Like loom_perfetto_texts_get(), but sets `length` to the length of the text in bytes. Returns FALSE if the number has
 * no text. */
gboolean loom_perfetto_texts_get_length (const LoomPerfettoTexts *self, guint32 generation, LoomPerfettoTextKind kind,
                                         guint64 number, guint64 place, gsize *length);

/* Returns how many times the text of a number was replaced, in all generations. As long as the result stays the same, a
 * text that was found for a number also applies at later places (see loom-perfetto-packets.h). */
guint32 loom_perfetto_texts_get_n_changed (const LoomPerfettoTexts *self);
