/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/export: writes the packets of a Perfetto trace, and the texts that they refer to by number.
 *
 * The file is divided into parts. Each begins with a packet that clears the state of the sequence, and repeats the
 * clock and all names and tracks that its events use: memory stays bounded, and a reader can continue after a damaged place.
 */
#pragma once

#include "loom-output-file.h"
#include "loom-perfetto-message.h"

/* Kinds of texts; each kind has numbers of its own. */
typedef enum {
  LOOM_PERFETTO_STREAM_CATEGORY,
  LOOM_PERFETTO_STREAM_NAME,
  LOOM_PERFETTO_STREAM_ARG_NAME,
  LOOM_PERFETTO_STREAM_ARG_TEXT,
  LOOM_PERFETTO_STREAM_N_KINDS,
} LoomPerfettoStreamKind;

/* Fields of a packet, and of a track event. */
enum {
  LOOM_PERFETTO_STREAM_TRACK_EVENT = 11,
  LOOM_PERFETTO_STREAM_TRACK_DESCRIPTOR = 60,
};

typedef struct _LoomPerfettoStream LoomPerfettoStream;

/* Makes a stream of packets. `clock_ns`: a time of the trace's clock that equals `utc_ns` in UTC, written as a clock
 * snapshot; `utc_ns` < 0: the clock is not related to UTC. `output` is borrowed. */
LoomPerfettoStream *loom_perfetto_stream_new (LoomOutputFile *output, gint64 clock_ns, gint64 utc_ns);
void loom_perfetto_stream_free (LoomPerfettoStream *self);

/* Begins another part if this one is full; returns the number of the part, from 1. A part has at least 8 events per
 * track, so that descriptors stay a small share of the file, but ends at 64 MiB of text. Call it before an event is
 * made. */
guint loom_perfetto_stream_begin_event (LoomPerfettoStream *self, guint n_tracks);

/* Returns the number of a text in this part of the file. A new text is written with the next event. */
guint64 loom_perfetto_stream_intern (LoomPerfettoStream *self, LoomPerfettoStreamKind kind, const char *text);

/* Writes a packet with a track event or a track descriptor, whose `content` it copies. A negative time is not
 * written. */
void loom_perfetto_stream_put (LoomPerfettoStream *self, guint field, gint64 time_ns, const GString *content);
