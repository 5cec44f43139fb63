/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: writes the args of Perfetto's events as members of a JSON object. All functions append to
 * `text`, which must end with an opening bracket or with another member.
 */
#pragma once

#include "loom-perfetto-trace.h"

/* Numbers of the fields of a debug annotation (DebugAnnotation in Perfetto's protos). */
enum {
  LOOM_PERFETTO_ARG_NAME_ID = 1,
  LOOM_PERFETTO_ARG_BOOL = 2,
  LOOM_PERFETTO_ARG_UNSIGNED = 3,
  LOOM_PERFETTO_ARG_SIGNED = 4,
  LOOM_PERFETTO_ARG_REAL = 5,
  LOOM_PERFETTO_ARG_TEXT = 6,
  LOOM_PERFETTO_ARG_POINTER = 7,
  LOOM_PERFETTO_ARG_NESTED = 8,
  LOOM_PERFETTO_ARG_JSON = 9,
  LOOM_PERFETTO_ARG_NAME = 10,
  LOOM_PERFETTO_ARG_DICTIONARY = 11,
  LOOM_PERFETTO_ARG_ARRAY = 12,
  LOOM_PERFETTO_ARG_TEXT_ID = 17,
};

/* The packet from which args are read, and the data needed to read them. */
typedef struct {
  LoomPerfettoTrace *trace;
  guint32 generation;
  guint64 place;
  /* TRUE: the packet is read for the first time. Data that cannot be read is counted only in this case */
  gboolean is_first;
  gsize begin; /* length of the output text before the text of the event */
} LoomPerfettoArgs;

/* Appends the text to which a number refers, encoded as JSON without quotes; "#number" if the file does not contain
 * this text. */
void loom_perfetto_args_append_text (const LoomPerfettoArgs *self, LoomPerfettoTextKind kind, guint64 number,
                                     GString *text);

/* Appends a number with the fewest digits that represent it exactly; "null" for NaN and infinite numbers. */
void loom_perfetto_args_append_real (GString *text, double value);

/* Appends the args of a track event. */
void loom_perfetto_args_append_event (const LoomPerfettoArgs *self, const LoomProtoField *message, GString *text);

/* Appends the args of a GPU stage (work on a GPU), with the names that PyTorch's profiler uses for them. */
void loom_perfetto_args_append_stage (const LoomPerfettoArgs *self, const LoomProtoField *message, GString *text);
