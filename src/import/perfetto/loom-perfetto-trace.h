/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: what is kept of a Perfetto trace after its packets were read once. Names, categories and args of
 * events are not kept, but read again from the packets.
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
  LOOM_PERFETTO_STATE, /* a state of a track, which lasts until the track's next state */
  LOOM_PERFETTO_STAGE, /* work of a GPU */
  LOOM_PERFETTO_PHASE, /* a legacy event whose phase exists in Chrome trace events too */
  LOOM_PERFETTO_BEGIN, /* a begin event; begin and end events are paired later, and each pair becomes a SPAN */
  LOOM_PERFETTO_END,
  LOOM_PERFETTO_REMOVED,
} LoomPerfettoKind;

#define LOOM_PERFETTO_OPEN G_MAXINT64

/* The number of a legacy queue or stage is its position in a list, with one of these bits set. The bit distinguishes
 * the number from the id of a specification, which is how newer files refer to queues and stages. */
#define LOOM_PERFETTO_OLD_QUEUES (G_GUINT64_CONSTANT (1) << 40)
#define LOOM_PERFETTO_OLD_STAGES (G_GUINT64_CONSTANT (1) << 41)

typedef struct {
  gint64 start_ns;
  gint64 end_ns;         /* LOOM_PERFETTO_OPEN: no end. For a paired LOOM_PERFETTO_END: index of the begin event */
  guint64 place : 55;    /* place of the packet (loom-perfetto-packets.h) */
  guint64 kind : 4;      /* LoomPerfettoKind */
  guint64 is_paired : 1; /* a begin event whose end was found, or an end event whose begin was found */
  guint64 has_tail : 1;  /* the end of the span has args; its packet is in `tails` */
  guint64 has_arrows : 1;
  guint64 is_told : 1; /* an end event that has args, or a state that has a name */
  guint64 : 1;
  guint32 track;
  guint32 context; /* index in LoomPerfettoTrace.contexts */
} LoomPerfettoEvent;

/* Properties that many events of a sequence have in common. */
typedef struct {
  guint32 generation; /* generation for loom_perfetto_texts_get() */
  guint clock;
  /* TRUE: if `clock` is not related to the chosen clock, times are used unchanged instead of omitting the events */
  gboolean is_soft;
} LoomPerfettoContext;

typedef struct {
  gint64 time_ns;
  union {
    gint64 integer;
    double real;
  } value;
  guint32 track : 31;
  guint32 is_real : 1;
  guint32 context; /* G_MAXUINT32: the sample is omitted */
} LoomPerfettoSample;

/* The packet of a span's end, if the end has args. */
typedef struct {
  guint32 event;
  guint64 place;
} LoomPerfettoTail;

typedef enum {
  LOOM_PERFETTO_FLOW,
  LOOM_PERFETTO_LAUNCH,
  LOOM_PERFETTO_WAIT,
} LoomPerfettoArrowKind;

/* One end of an arrow: the event that it starts from or points to. */
typedef struct {
  guint32 event;
  guint32 number : 29; /* number of the arrow; both ends of an arrow have the same number */
  guint32 is_head : 1;
  guint32 kind : 2; /* LoomPerfettoArrowKind */
} LoomPerfettoArrow;

/* Kinds of ids that connect events. */
typedef enum {
  LOOM_PERFETTO_LINK_FLOW,
  LOOM_PERFETTO_LINK_LAST_FLOW, /* the last event of a flow */
  LOOM_PERFETTO_LINK_STAGE,     /* the id of a GPU stage */
  LOOM_PERFETTO_LINK_LAUNCHES,  /* LAUNCHES and AWAITS: the id of a stage that the event launches or waits for */
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
  LOOM_PERFETTO_DAMAGED, /* packets with fields that cannot be read */
  LOOM_PERFETTO_DAMAGED_ARGS,
  LOOM_PERFETTO_TOO_LARGE,  /* packets larger than 64 MiB */
  LOOM_PERFETTO_BAD_PACKED, /* damaged compressed packets */
  LOOM_PERFETTO_LARGE_PACKED,
  LOOM_PERFETTO_NESTED_PACKED,
  LOOM_PERFETTO_STATELESS, /* packets that need the state of their sequence, which is lost */
  /* packets that need the state of their sequence, which damage before them may have changed */
  LOOM_PERFETTO_BEHIND_DAMAGE,
  LOOM_PERFETTO_ACROSS_DAMAGE, /* spans that begin before a damaged part and end after it */
  LOOM_PERFETTO_TIMELESS,
  LOOM_PERFETTO_BAD_TIME,
  LOOM_PERFETTO_UNRELATED, /* events whose clock is not related to the others */
  LOOM_PERFETTO_BACKWARDS, /* events that end before they begin */
  LOOM_PERFETTO_NO_BEGIN,
  LOOM_PERFETTO_NO_STATE_TRACK,
  LOOM_PERFETTO_UNKNOWN_TYPE,
  LOOM_PERFETTO_UNNAMED, /* references to texts that are not in the file */
  LOOM_PERFETTO_NO_VALUE,
  LOOM_PERFETTO_FIRST_SAMPLE, /* first samples of GPU counters, because the time before them is unknown */
  LOOM_PERFETTO_TOO_MANY_TRACKS,
  LOOM_PERFETTO_DEEP,
  LOOM_PERFETTO_N_LOSSES,
} LoomPerfettoLoss;

/* A damaged part of the file: the places where it begins and ends. */
typedef struct {
  guint64 begin, end;
} LoomPerfettoGap;

typedef struct {
  LoomPerfettoPackets *packets;
  LoomPerfettoTexts *texts;
  LoomPerfettoClocks *clocks;
  LoomPerfettoTracks *tracks;
  GArray *contexts; /* LoomPerfettoContext */
  GArray *events;   /* LoomPerfettoEvent; spans are in the order in which their begin events are in the file */
  GArray *samples;  /* LoomPerfettoSample */
  GArray *links;    /* LoomPerfettoLink; NULL once arrows are made */
  GArray *tails;    /* LoomPerfettoTail, ascending by event */
  GArray *arrows;   /* LoomPerfettoArrow, ascending by event */
  gboolean is_utc, is_epoch, is_by_snapshots;
  /* spans are written in groups, as PyTorch does: all begin events of a group, then all its end events */
  gboolean is_pytorch;
  gint64 drift_ns;
  guint64 losses[LOOM_PERFETTO_N_LOSSES],
    first_loss[LOOM_PERFETTO_N_LOSSES]; /* offset in the file of the first loss of each kind */
  /* [field number of the packet's content]: number of packets that are not shown */
  guint64 n_unshown[256];
  guint64 n_lost_packets, n_overwritten_bytes, n_dropping_sequences;
  /* offset in the file where reading stopped because of damage; G_MAXUINT64: no damage */
  guint64 damage;
  /* parts of the file that could not be read, but after which packets could be read again */
  GArray *gaps;    /* LoomPerfettoGap, ascending */
  guint64 n_bytes; /* length of the file; if it is compressed as a whole, unpacked */
  /* offset in the file where reading stopped because memory was used up; G_MAXUINT64: it was not */
  guint64 full_at;
  LoomPerfettoReader *begins, *ends; /* read packets again: one reader for begin events, one for end events */
} LoomPerfettoTrace;

/* Reads all packets. `file` becomes owned by the trace. Returns NULL only if cancelled. Cost: one pass over all fields,
 * and O(events · log events) if begin and end events cannot be paired by their order in the file. Memory: 32 bytes per
 * span or instant; before pairing, a span is two events and needs twice as much. */
LoomPerfettoTrace *loom_perfetto_trace_new (LoomByteSource *file, guint64 n_bytes, LoomProgress *progress,
                                            LoomMemoryBudget *budget);
void loom_perfetto_trace_free (LoomPerfettoTrace *self);

/* Counts a loss. `place`: the place of the packet; G_MAXUINT64: unknown. */
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
