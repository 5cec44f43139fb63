/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/export: writes the packets of a Perfetto trace, and the texts that they refer to by number.
 *
 * The file is divided into parts. Each part begins with a packet that clears the state of the sequence, and repeats the
 * clock and all names and tracks that the events of the part use. So memory stays bounded, and a reader can continue
 * after a damaged place.
 */
#pragma once

#include "loom-output-file.h"
#include "loom-perfetto-message.h"

/* Kinds of texts that are written once and then referred to by a number. The texts of each kind are numbered
 * separately. */
typedef enum {
  LOOM_PERFETTO_STREAM_CATEGORY,
  LOOM_PERFETTO_STREAM_NAME,
  LOOM_PERFETTO_STREAM_ARG_NAME,
  LOOM_PERFETTO_STREAM_ARG_TEXT,
  LOOM_PERFETTO_STREAM_N_KINDS,
} LoomPerfettoStreamKind;

/* Field numbers of the two kinds of content that loom_perfetto_stream_put() writes to a packet. */
enum {
  LOOM_PERFETTO_STREAM_TRACK_EVENT = 11,
  LOOM_PERFETTO_STREAM_TRACK_DESCRIPTOR = 60,
};

typedef struct _LoomPerfettoStream LoomPerfettoStream;

/* Makes a stream of packets. `clock_ns`: a time of the trace's clock, `utc_ns`: the same time in UTC; both are written
 * as a clock snapshot. `utc_ns` < 0: the relation of the clock to UTC is unknown. `output` is borrowed. */
LoomPerfettoStream *loom_perfetto_stream_new (LoomOutputFile *output, gint64 clock_ns, gint64 utc_ns);
void loom_perfetto_stream_free (LoomPerfettoStream *self);

/* Sets the JSON text `head` (loom-export-head.h), which is written into the file. To be called before the first
 * event. */
void loom_perfetto_stream_set_head (LoomPerfettoStream *self, const char *head);
/* States in the file that some of the input could not be read. To be called before the first event. */
void loom_perfetto_stream_set_incomplete (LoomPerfettoStream *self);
/* States in the file that some of the input was skipped, and the code of the log entry that says so
 * (loom_import_losses_is_left_out()). Each code counts once. To be called before the first event. */
void loom_perfetto_stream_add_left_out (LoomPerfettoStream *self, const char *code);

/* Must be called before each event is made. Begins another part of the file if the current part is full, and returns
 * the number of the current part, from 1. In each part, all texts and tracks are described again. A part is full if it
 * has 64 MiB of text. It is also full if it has enough text or enough events, and at least 8 events per track, so that
 * descriptors are only a small share of the file. */
guint loom_perfetto_stream_begin_event (LoomPerfettoStream *self, guint n_tracks);

/* Returns the number of a text in the present part of the file. If the text is new in this part, it is written with the
 * next event. */
guint64 loom_perfetto_stream_intern (LoomPerfettoStream *self, LoomPerfettoStreamKind kind, const char *text);

/* Writes a packet that contains a track event or a track descriptor. `field`: LOOM_PERFETTO_STREAM_TRACK_EVENT or
 * LOOM_PERFETTO_STREAM_TRACK_DESCRIPTOR. `content`: the message; it is copied. `time_ns` < 0: the packet gets no
 * time. */
void loom_perfetto_stream_put (LoomPerfettoStream *self, guint field, gint64 time_ns, const GString *content);
