/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the args of Perfetto's events as members of a JSON object. All append to `text`, behind an
 * opening bracket or another member.
 */
#pragma once

#include "loom-perfetto-trace.h"

/* The packet that args come from. */
typedef struct {
  LoomPerfettoTrace *trace;
  guint32 generation;
  guint64 place;
  gboolean is_first; /* read for the first time: losses are counted */
} LoomPerfettoArgs;

/* Appends the text of a number, JSON without quotes; "#number" if it has none. */
void loom_perfetto_args_append_text (const LoomPerfettoArgs *self, LoomPerfettoTextKind kind, guint64 number,
                                     GString *text);

/* Appends a number with as few digits as give the same number again; null if it is not finite. */
void loom_perfetto_args_append_real (GString *text, double value);

/* Appends the args of a track event. */
void loom_perfetto_args_append_event (const LoomPerfettoArgs *self, const LoomProtoField *message, GString *text);

/* Appends the args of work of a GPU, named as in PyTorch's traces. */
void loom_perfetto_args_append_stage (const LoomPerfettoArgs *self, const LoomProtoField *message, GString *text);
