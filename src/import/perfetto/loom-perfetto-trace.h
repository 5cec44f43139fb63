/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the data of a Perfetto trace that stay in memory after its packets were read once. Names,
 * categories and args of events are not kept in memory; they are read again from the packets.
 */
#pragma once

#include "loom-memory-budget.h"
#include "loom-perfetto-clocks.h"
#include "loom-perfetto-event-list.h"
#include "loom-perfetto-looks.h"
#include "loom-perfetto-pack.h"
#include "loom-perfetto-packets.h"
#include "loom-perfetto-texts.h"
#include "loom-perfetto-tracks.h"
#include "loom-progress.h"

/* Properties that many events of a packet sequence have in common. */
typedef struct {
  guint32 generation; /* generation in which the texts of the events are looked up (loom_perfetto_texts_get()) */
  guint clock;
  /* what happens to an event whose clock has no relation to the clock to which all times are converted
   * (loom_perfetto_clocks_choose()). TRUE: the event keeps its time; FALSE: the event is omitted */
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
  guint32 context; /* index of the context of the sample (LoomPerfettoContext); G_MAXUINT32: the sample is omitted */
} LoomPerfettoSample;

/* For a span whose end event has args: the place of the packet with the end event. `event`: number of the span. */
typedef struct {
  guint32 event;
  guint64 place;
} LoomPerfettoTail;

typedef enum {
  LOOM_PERFETTO_FLOW,
  LOOM_PERFETTO_LAUNCH,
  LOOM_PERFETTO_WAIT,
} LoomPerfettoArrowKind;

/* One end of an arrow: the event at which the arrow starts, or the event to which it points (`is_head`). */
typedef struct {
  guint32 event;
  guint32 number : 29; /* number of the arrow, which is the same at both of its ends */
  guint32 is_head : 1;
  guint32 kind : 2; /* kind of the arrow: a LoomPerfettoArrowKind */
} LoomPerfettoArrow;

/* Kinds of ids by which events refer to each other. */
typedef enum {
  LOOM_PERFETTO_LINK_FLOW,
  LOOM_PERFETTO_LINK_LAST_FLOW, /* id of a flow that ends at the event */
  LOOM_PERFETTO_LINK_STAGE,     /* the id belongs to the event itself, which is a GPU stage */
  /* id of a GPU stage that the event launches (LAUNCHES) or waits for (AWAITS) */
  LOOM_PERFETTO_LINK_LAUNCHES,
  LOOM_PERFETTO_LINK_AWAITS,
} LoomPerfettoLinkKind;

typedef struct {
  guint64 id;
  gint64 time_ns;
  guint32 event;
  guint32 context : 28;
  guint32 kind : 4; /* kind of the id: a LoomPerfettoLinkKind */
} LoomPerfettoLink;

typedef enum {
  LOOM_PERFETTO_DAMAGED, /* packets with fields that cannot be read */
  LOOM_PERFETTO_DAMAGED_ARGS,
  LOOM_PERFETTO_TOO_LARGE,  /* packets larger than 64 MiB */
  LOOM_PERFETTO_BAD_PACKED, /* damaged compressed packets */
  LOOM_PERFETTO_LARGE_PACKED,
  LOOM_PERFETTO_NESTED_PACKED,
  /* args of end events; they are not read, because compressed packets would have to be unpacked too often for them
   * (loom_perfetto_packets_can_reread()) */
  LOOM_PERFETTO_FAR_ARGS,
  LOOM_PERFETTO_STATELESS, /* packets that need the state of their sequence, but this state is lost */
  /* packets that need the state of their sequence, but a damaged part before them may have changed this state */
  LOOM_PERFETTO_BEHIND_DAMAGE,
  LOOM_PERFETTO_ACROSS_DAMAGE, /* spans that begin before a damaged part and end after it */
  LOOM_PERFETTO_TIMELESS,
  LOOM_PERFETTO_BAD_TIME,
  /* events that are omitted because their clock has no relation to the clock to which all times are converted */
  LOOM_PERFETTO_UNRELATED,
  LOOM_PERFETTO_BACKWARDS, /* events that end before they begin */
  LOOM_PERFETTO_NO_BEGIN,
  LOOM_PERFETTO_NO_STATE_TRACK,
  LOOM_PERFETTO_UNKNOWN_TYPE,
  LOOM_PERFETTO_UNNAMED, /* references to texts that the file does not contain */
  LOOM_PERFETTO_NO_VALUE,
  /* first samples of GPU counters, omitted because the start of their period is unknown */
  LOOM_PERFETTO_FIRST_SAMPLE,
  LOOM_PERFETTO_TOO_MANY_TRACKS,
  LOOM_PERFETTO_DEEP,
  LOOM_PERFETTO_N_LOSSES,
} LoomPerfettoLoss;

/* A damaged part of the file. `begin` and `end` are places (loom-perfetto-packets.h); without compressed packets
 * these are offsets in the file. */
typedef struct {
  guint64 begin, end;
} LoomPerfettoGap;

/* Properties of the events. They are determined while events are appended and paired, because the events are in the
 * cache of the processor at that time. */
typedef struct {
  guint64 n_unpaired;  /* number of events of the kinds BEGIN, END and STATE */
  guint64 n_plausible; /* number of events whose times look like times since 1970; events of the kind END are not
                        * counted */
  gboolean is_unusual; /* TRUE: an event ends before it starts, or a time is out of range */
  /* guint32 elements, indexed by the number of a look (loom-perfetto-looks.h): number of the first event with this look
   * that is not of the kind END; G_MAXUINT32: there is no such event */
  GArray *firsts;
} LoomPerfettoSurvey;

typedef struct {
  LoomPerfettoPackets *packets;
  LoomPerfettoTexts *texts;
  LoomPerfettoClocks *clocks;
  LoomPerfettoTracks *tracks;
  LoomPerfettoLooks *looks;
  GArray *contexts; /* LoomPerfettoContext: the contexts of all events and samples */
  /* the events in the order of the file; a span is at the position of its begin event. Empty after the events were moved
   * to `pack` */
  LoomPerfettoEventList events;
  LoomPerfettoSurvey survey; /* properties of `events` after all packets were read */
  LoomPerfettoPack *pack;    /* the final events; NULL: they are still in `events` */
  guint32 n_events;          /* number of events in `pack` or `events`; set when the list of events is final */
  GArray *samples;           /* LoomPerfettoSample elements: the samples of all counters */
  /* LoomPerfettoLink: the ids by which events refer to each other; NULL after arrows were made from them */
  GArray *links;
  GArray *tails; /* LoomPerfettoTail: the packets of end events with args, ascending by event */
  /* LoomPerfettoArrow: two elements for each arrow, one for its start and one for its end; sorted by their member
   * `event` */
  GArray *arrows;
  gboolean is_utc, is_epoch, is_by_snapshots;
  /* TRUE if the file contains groups of spans as PyTorch writes them: first all begin events of a group, then all
   * its end events */
  gboolean is_pytorch;
  gint64 drift_ns;
  guint64 losses[LOOM_PERFETTO_N_LOSSES],
    first_loss[LOOM_PERFETTO_N_LOSSES]; /* offset in the file at which the first loss of each kind occurred */
  /* array indexed by the field number of a packet's content: number of packets with this content. Counts only packets
   * that are not shown */
  guint64 n_unshown[256];
  guint64 n_lost_packets, n_overwritten_bytes, n_dropping_sequences;
  /* offset in the file at which reading stopped because of damage; G_MAXUINT64: it did not stop */
  guint64 damage;
  /* damaged parts of the file after which reading continued */
  GArray *gaps;    /* LoomPerfettoGap elements, in ascending order */
  guint64 n_bytes; /* length of the file in bytes; if the whole file is compressed, length of its unpacked content */
  /* offset in the file at which reading ended because the memory budget was used up; G_MAXUINT64: the budget
   * sufficed */
  guint64 full_at;
  /* readers for reading packets again: `begins` for packets of begin events, `ends` for those of end events */
  LoomPerfettoReader *begins, *ends;
} LoomPerfettoTrace;

/* Reads all packets of a file. The trace owns `file` afterwards. Returns NULL only if cancelled. All fields are read
 * once; pairing begin and end events costs O(events · log events) if they cannot be paired by their order in the file.
 * Memory: 32 bytes per event until the events are packed (loom-perfetto-packer.h). While packets are read, each end
 * event takes 32 bytes more, because end events are paired only afterwards. */
LoomPerfettoTrace *loom_perfetto_trace_new (LoomByteSource *file, guint64 n_bytes, LoomProgress *progress,
                                            LoomMemoryBudget *budget);
void loom_perfetto_trace_free (LoomPerfettoTrace *self);

/* Counts data that could not be read or are not shown. `place`: the place of the packet; G_MAXUINT64: unknown. */
void loom_perfetto_trace_lose (LoomPerfettoTrace *self, LoomPerfettoLoss loss, guint64 place);

/* Returns an event that may still be changed. Must be called before the events are packed. */
static inline LoomPerfettoEvent *
loom_perfetto_trace_get_event (const LoomPerfettoTrace *self, guint32 event)
{
  return loom_perfetto_event_list_get (&self->events, event);
}

/* Returns an event after the list of events is final. The place of its packet is not set;
 * loom_perfetto_trace_find_place() returns it. */
static inline LoomPerfettoEvent
loom_perfetto_trace_read_event (const LoomPerfettoTrace *self, guint32 event)
{
  return self->pack != NULL ? loom_perfetto_pack_get (self->pack, event) : *loom_perfetto_trace_get_event (self, event);
}

static inline guint64
loom_perfetto_trace_find_place (const LoomPerfettoTrace *self, guint32 event)
{
  return self->pack != NULL ? loom_perfetto_pack_get_place (self->pack, event)
                            : loom_perfetto_trace_get_event (self, event)->place;
}

static inline const LoomPerfettoContext *
loom_perfetto_trace_get_context (const LoomPerfettoTrace *self, guint32 context)
{
  return &g_array_index (self->contexts, LoomPerfettoContext, context);
}

static inline guint32
loom_perfetto_trace_get_track (const LoomPerfettoTrace *self, const LoomPerfettoEvent *event)
{
  return loom_perfetto_looks_get (self->looks, event->look)->track;
}

static inline const LoomPerfettoContext *
loom_perfetto_trace_get_event_context (const LoomPerfettoTrace *self, const LoomPerfettoEvent *event)
{
  return loom_perfetto_trace_get_context (self, loom_perfetto_looks_get (self->looks, event->look)->context);
}
