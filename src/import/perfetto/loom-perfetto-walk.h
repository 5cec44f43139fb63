/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: reads all packets of a Perfetto trace for the first time. Keeps the state of each packet
 * sequence, and makes the events, samples and links of a LoomPerfettoTrace from the packets. Does not convert their
 * times to one clock.
 */
#pragma once

#include "loom-perfetto-trace.h"

/* State of a packet sequence. The packets of a sequence come from one writer; a packet depends on state that earlier
 * packets of the sequence have set. */
typedef struct {
  guint64 id;
  guint32 generation;
  gboolean is_valid;    /* TRUE if a packet has cleared the state, and no packet of the sequence was lost since then */
  gboolean has_dropped; /* TRUE if the recorder has dropped packets of this sequence */
  /* value of LoomPerfettoWalk.n_gaps when a packet last cleared the state. If n_gaps is greater now, a damaged part may
   * have contained changes of the state */
  guint64 n_gaps;
  gboolean has_context, is_soft;
  guint64 context_clock; /* id of the clock that events in `context` use */
  guint32 context;
  guint64 default_clock; /* id of the clock of packets that do not state their clock; 0: not set */
  guint64 default_track;
  gboolean has_default_track;
  /* guint64 elements: uuids of tracks. An event without a list of tracks takes the tracks of its additional counter
   * values from here: `extra` for integers, `extra_real` for doubles. NULL (usual): the sequence states no tracks */
  GArray *extra, *extra_real;
  gboolean has_thread;
  gint64 pid, tid;
  guint32 thread; /* index of the track of the thread that was described last */
  gint64 reference_us;
} LoomPerfettoSequence;

/* A group of events that may be paired by order: consecutive begin events, followed by end events; see
 * loom-perfetto-groups.h. */
typedef struct {
  const LoomPerfettoSequence *sequence;
  guint32 first, n_begins, n_ends;
  /* index in LoomPerfettoTrace.links of the first link of an end event of the group; valid if n_ends > 0 */
  guint first_link;
  gboolean is_in_order; /* TRUE if the events of the group are in the order of time */
} LoomPerfettoGroup;

typedef struct {
  LoomPerfettoTrace *trace;
  GHashTable *sequences; /* id of a sequence → LoomPerfettoSequence */
  LoomPerfettoSequence *last_sequence;
  GHashTable *gpu_counters; /* generation, number of the counter's descriptor, id of the counter → index of the
                             * counter's track + 1 */
  LoomPerfettoGroup group;
  guint64 n_gaps; /* number of damaged parts of the file before the current packet */
  /* place at which the readable content of a damaged compressed packet ends; 0: no such packet is being read */
  guint64 cut_at;
  GArray *values; /* guint64: buffer for the numbers in a repeated field */
  struct {
    guint64 gpu;
    const char *name;
    guint32 track;
  } queues[16]; /* cache of the queues that were used last, indexed by a hash */
  struct {
    guint64 uuid;
    guint32 track;
    gboolean is_known;
  } tracks[64]; /* cache of the tracks that were used last, indexed by bits of the uuid */
} LoomPerfettoWalk;

/* Properties of a packet that do not depend on the kind of its message. */
typedef struct {
  guint64 place;
  LoomPerfettoSequence *sequence;
  gboolean has_time;
  gint64 time_ns;
  guint32 context;
} LoomPerfettoHead;

/* Reads packets up to the end of the file, up to damage after which no packet is found, or until memory is used up.
 * Returns FALSE if cancelled. */
gboolean loom_perfetto_walk_run (LoomPerfettoTrace *trace, LoomProgress *progress, LoomMemoryBudget *budget);

/* Returns the index of a context (LoomPerfettoContext) for events of this sequence and clock. If the last context of
 * the sequence has the same clock and the same `is_soft`, returns this context; otherwise adds a context. `is_soft`:
 * see LoomPerfettoContext. */
guint32 loom_perfetto_walk_find_context (LoomPerfettoWalk *self, LoomPerfettoSequence *sequence, guint64 clock,
                                         gboolean is_soft);

/* Returns the index of the track with this uuid; LOOM_PERFETTO_NO_TRACK if there are too many tracks. */
guint32 loom_perfetto_walk_find_track (LoomPerfettoWalk *self, guint64 uuid);

/* Each of the functions below reads one kind of message and adds its content to the trace. */
void loom_perfetto_walk_take_event (LoomPerfettoWalk *self, LoomPerfettoHead *head, const LoomProtoField *message);
void loom_perfetto_walk_take_stage (LoomPerfettoWalk *self, const LoomPerfettoHead *head,
                                    const LoomProtoField *message);
void loom_perfetto_walk_take_gpu_counters (LoomPerfettoWalk *self, const LoomPerfettoHead *head,
                                           const LoomProtoField *message);
void loom_perfetto_walk_take_gpu_descriptor (LoomPerfettoWalk *self, guint32 generation, guint64 number, guint64 gpu,
                                             const LoomProtoField *message);

/* Adds a sample with the time of the packet. `value`: the bits of a double if `is_real` is TRUE, else the bits of an
 * integer. */
void loom_perfetto_walk_add_sample (LoomPerfettoWalk *self, const LoomPerfettoHead *head, guint32 track, guint64 value,
                                    gboolean is_real);
/* Adds an event with the time of the packet. Returns FALSE if there are too many tracks. `parts`: name and args of the
 * event; NULL: they are not known. `is_told`: for an end event, TRUE if it has args; for a state, TRUE if it has a
 * name; for other events, it is not used. */
gboolean loom_perfetto_walk_add_event (LoomPerfettoWalk *self, const LoomPerfettoHead *head,
                                       const LoomPerfettoParts *parts, LoomPerfettoKind kind, guint32 track,
                                       gint64 end_ns, gboolean is_told);
/* Adds a link for each number in the field. The links belong to the event that is added next. */
void loom_perfetto_walk_add_links (LoomPerfettoWalk *self, LoomPerfettoLinkKind kind, const LoomProtoField *field,
                                   guint wire);
/* Sets the time of each link whose index is at least `n_links` to the time of the event to which these links belong. If
 * this event was not added (`has_event` is FALSE), removes these links instead. */
void loom_perfetto_walk_settle_links (LoomPerfettoWalk *self, const LoomPerfettoHead *head, guint n_links,
                                      gboolean has_event);

/* Appends the numbers in a repeated field, packed or not. `wire`: wire type of a single number. */
void loom_perfetto_walk_append_numbers (GArray *values, const LoomProtoField *field, guint wire);
