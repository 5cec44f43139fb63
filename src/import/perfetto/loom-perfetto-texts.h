/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: stores the texts of a Perfetto trace to which packets refer by number. A number is valid
 * within a generation: the packets of a sequence from one packet that clears the state of the sequence up to the next
 * packet that clears it. Within a generation, a number may later get another text. All texts are added, in the order of
 * the packets, before they are read. Memory: each text once, and about 100 bytes per number.
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

/* Adds a generation: the time between two packets of a sequence that clear its state. The new generation has no
 * texts. Returns its number, from 0. */
guint32 loom_perfetto_texts_add_generation (LoomPerfettoTexts *self);

/* Sets the text of a number for packets from `place` on. Stores the text encoded as JSON without quotes, at most 64
 * KiB of it. */
void loom_perfetto_texts_add (LoomPerfettoTexts *self, guint32 generation, LoomPerfettoTextKind kind, guint64 number,
                              guint64 place, const char *text, gsize length);

/* Returns TRUE if an arg has the name LOOM_PERFETTO_TEXTS_MARK. */
gboolean loom_perfetto_texts_has_mark (const LoomPerfettoTexts *self);

/* Returns the text that a number has for the packet at `place`, in the form the text has in JSON, without quotes; NULL
 * if it has none. Borrowed. */
const char *loom_perfetto_texts_get (const LoomPerfettoTexts *self, guint32 generation, LoomPerfettoTextKind kind,
                                     guint64 number, guint64 place);

/* Like loom_perfetto_texts_get(), but sets `length` to the length of the text in bytes. Returns FALSE if the number has
 * no text. */
gboolean loom_perfetto_texts_get_length (const LoomPerfettoTexts *self, guint32 generation, LoomPerfettoTextKind kind,
                                         guint64 number, guint64 place, gsize *length);

/* Returns how often a number got another text than it had before, in any generation. While this does not change, a text
 * that was found is also the text of the number at later places. */
guint32 loom_perfetto_texts_get_n_changed (const LoomPerfettoTexts *self);
