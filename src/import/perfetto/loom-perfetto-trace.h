/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: what is known of a Perfetto trace when its packets were read once: formats/perfetto-protobuf.md.
 * The names, categories and args of its events are not kept; they are read again from the packets.
 */
#pragma once

#include "loom-memory-budget.h"
#include "loom-perfetto-clocks.h"
#include "loom-perfetto-packets.h"
#include "loom-perfetto-texts.h"
#include "loom-perfetto-tracks.h"
#include "loom-progress.h"

typedef enum {
  LOOM_PERFETTO_SPAN,
  LOOM_PERFETTO_INSTANT,
  LOOM_PERFETTO_STATE, /* lasts until the next one of its track */
  LOOM_PERFETTO_STAGE, /* work of a GPU */
  LOOM_PERFETTO_PHASE, /* an event of the old kind that Chrome trace events know as it is */
  LOOM_PERFETTO_BEGIN, /* these only until pairs are found */
  LOOM_PERFETTO_END,
  LOOM_PERFETTO_REMOVED,
} LoomPerfettoKind;

#define LOOM_PERFETTO_OPEN G_MAXINT64

/* Added to the numbers of queues and stages that are named by their order in a list, to tell them from specifications. */
#define LOOM_PERFETTO_OLD_QUEUES (G_GUINT64_CONSTANT (1) << 40)
#define LOOM_PERFETTO_OLD_STAGES (G_GUINT64_CONSTANT (1) << 41)

typedef struct {
  gint64 start_ns;
  gint64 end_ns;         /* LOOM_PERFETTO_OPEN: none; of LOOM_PERFETTO_END that was paired the index of its span */
  guint64 place : 55;    /* of the packet */
  guint64 kind : 4;      /* LoomPerfettoKind */
  guint64 is_paired : 1; /* of a begin: has its end; of an end: has its begin */
  guint64 has_tail : 1;  /* its end has args, in `tails` */
  guint64 has_arrows : 1;
  guint64 is_told : 1; /* of an end: it has args; of a state: it has a name */
  guint64 : 1;
  guint32 track;
  guint32 context; /* index */
} LoomPerfettoEvent;

/* What events of a sequence have in common. */
typedef struct {
  guint32 generation; /* of texts */
  guint clock;
  gboolean is_soft; /* where the clock cannot be related to others its times are used as they are */
} LoomPerfettoContext;

typedef struct {
  gint64 time_ns;
  union {
    gint64 integer;
    double real;
  } value;
  guint32 track : 31;
  guint32 is_real : 1;
  guint32 context; /* G_MAXUINT32: left out */
} LoomPerfettoSample;

/* A packet with what belongs to a span at its end. */
typedef struct {
  guint32 event;
  guint64 place;
} LoomPerfettoTail;

typedef enum {
  LOOM_PERFETTO_FLOW,
  LOOM_PERFETTO_LAUNCH,
  LOOM_PERFETTO_WAIT,
} LoomPerfettoArrowKind;

/* One end of an arrow between events. */
typedef struct {
  guint32 event;
  guint32 number : 29; /* of the arrow */
  guint32 is_head : 1;
  guint32 kind : 2; /* LoomPerfettoArrowKind */
} LoomPerfettoArrow;

/* An id by which events are linked. */
typedef enum {
  LOOM_PERFETTO_LINK_FLOW,
  LOOM_PERFETTO_LINK_LAST_FLOW, /* ends the flow */
  LOOM_PERFETTO_LINK_STAGE,     /* the id of a stage itself */
  LOOM_PERFETTO_LINK_LAUNCHES,  /* these name a stage */
  LOOM_PERFETTO_LINK_AWAITS,
} LoomPerfettoLinkKind;

typedef struct {
  guint64 id;
  gint64 time_ns;
  guint32 event;
  guint32 context : 28;
  guint32 kind : 4; /* LoomPerfettoLinkKind */
} LoomPerfettoLink;

typedef enum {
  LOOM_PERFETTO_DAMAGED, /* packets whose fields cannot be read */
  LOOM_PERFETTO_DAMAGED_ARGS,
  LOOM_PERFETTO_TOO_LARGE,  /* packets of more than 64 MiB */
  LOOM_PERFETTO_BAD_PACKED, /* compressed packets */
  LOOM_PERFETTO_LARGE_PACKED,
  LOOM_PERFETTO_NESTED_PACKED,
  LOOM_PERFETTO_STATELESS, /* need state that is lost */
  LOOM_PERFETTO_TIMELESS,
  LOOM_PERFETTO_BAD_TIME,
  LOOM_PERFETTO_UNRELATED, /* clock unknown */
  LOOM_PERFETTO_BACKWARDS, /* ended before they began */
  LOOM_PERFETTO_NO_BEGIN,
  LOOM_PERFETTO_NO_STATE_TRACK,
  LOOM_PERFETTO_UNKNOWN_TYPE,
  LOOM_PERFETTO_UNNAMED, /* number of a text that is not in the file */
  LOOM_PERFETTO_NO_VALUE,
  LOOM_PERFETTO_FIRST_SAMPLE, /* of GPU counters: the time before it is unknown */
  LOOM_PERFETTO_TOO_MANY_TRACKS,
  LOOM_PERFETTO_DEEP,
  LOOM_PERFETTO_N_LOSSES,
} LoomPerfettoLoss;

typedef struct {
  LoomPerfettoPackets *packets;
  LoomPerfettoTexts *texts;
  LoomPerfettoClocks *clocks;
  LoomPerfettoTracks *tracks;
  GArray *contexts; /* LoomPerfettoContext */
  GArray *events;   /* LoomPerfettoEvent, in the order of their begins in the file */
  GArray *samples;  /* LoomPerfettoSample */
  GArray *links;    /* LoomPerfettoLink; NULL once arrows are made */
  GArray *tails;    /* LoomPerfettoTail, ascending by event */
  GArray *arrows;   /* LoomPerfettoArrow, ascending by event */
  gboolean is_utc, is_epoch, is_by_snapshots;
  gboolean is_pytorch; /* as PyTorch writes it: all begins of a group, then all ends */
  gint64 drift_ns;
  guint64 losses[LOOM_PERFETTO_N_LOSSES],
    first_loss[LOOM_PERFETTO_N_LOSSES]; /* and the offset of the first in the file */
  guint64 n_unshown[256];               /* packets by the number of their field that are not shown */
  guint64 n_lost_packets, n_overwritten_bytes, n_dropping_sequences;
  guint64 damage;                    /* offset in the file where reading stopped; G_MAXUINT64: it did not */
  guint64 n_bytes;                   /* of the file, unpacked */
  guint64 full_at;                   /* offset where memory was used up; G_MAXUINT64: it was not */
  LoomPerfettoReader *begins, *ends; /* for reading packets again */
} LoomPerfettoTrace;

/* Reads all packets; takes over `file`. Returns NULL only if cancelled. Cost: one walk over the fields, O(events × log
 * events) if pairs are not found by their order. Memory: 32 bytes per event, as much again until they are paired. */
LoomPerfettoTrace *loom_perfetto_trace_new (LoomByteSource *file, guint64 n_bytes, LoomProgress *progress,
                                            LoomMemoryBudget *budget);
void loom_perfetto_trace_free (LoomPerfettoTrace *self);

/* Counts a loss at a place; G_MAXUINT64: not known. */
void loom_perfetto_trace_lose (LoomPerfettoTrace *self, LoomPerfettoLoss loss, guint64 place);

static inline LoomPerfettoEvent *
loom_perfetto_trace_get_event (const LoomPerfettoTrace *self, guint32 event)
{
  return &g_array_index (self->events, LoomPerfettoEvent, event);
}

static inline const LoomPerfettoContext *
loom_perfetto_trace_get_context (const LoomPerfettoTrace *self, guint32 context)
{
  return &g_array_index (self->contexts, LoomPerfettoContext, context);
}
