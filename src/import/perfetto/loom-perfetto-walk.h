/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the first reading of a Perfetto trace. Keeps the state of each sequence of packets, and turns
 * packets into events, samples and links of a LoomPerfettoTrace, whose times are still those of the file's clocks.
 */
#pragma once

#include "loom-perfetto-trace.h"

/* State of a sequence, the packets of one writer. */
typedef struct {
  guint64 id;
  guint32 generation;
  gboolean is_valid;    /* holds all state since the last packet that cleared it */
  gboolean has_dropped; /* packets of it were lost */
  gboolean has_context, is_soft;
  guint64 context_clock; /* id of the clock of `context` */
  guint32 context;
  guint64 default_clock; /* 0: none */
  guint64 default_track;
  gboolean has_default_track;
  GArray *extra, *extra_real; /* guint64: tracks of further counters */
  gboolean has_thread;
  gint64 pid, tid;
  guint32 thread; /* track of the last thread that was described */
  gint64 reference_us;
} LoomPerfettoSequence;

/* Begins that follow one another in the file, and the ends behind them. */
typedef struct {
  const LoomPerfettoSequence *sequence;
  guint32 first, n_begins, n_ends;
  guint first_link;     /* of the ends */
  gboolean is_in_order; /* of time */
} LoomPerfettoGroup;

typedef struct {
  LoomPerfettoTrace *trace;
  GHashTable *sequences; /* id → LoomPerfettoSequence */
  LoomPerfettoSequence *last_sequence;
  GHashTable *gpu_counters; /* of descriptor and counter → track + 1 */
  LoomPerfettoGroup group;
  GArray *values; /* guint64: scratch */
  struct {
    guint64 gpu;
    const char *name;
    guint32 track;
  } queues[16]; /* last ones, by hash */
} LoomPerfettoWalk;

/* What a packet says besides its message. */
typedef struct {
  guint64 place;
  LoomPerfettoSequence *sequence;
  gboolean has_time;
  gint64 time_ns;
  guint32 context;
} LoomPerfettoHead;

/* Reads all packets until the end, damage, or the end of memory. Returns FALSE if cancelled. */
gboolean loom_perfetto_walk_run (LoomPerfettoTrace *trace, LoomProgress *progress, LoomMemoryBudget *budget);

/* Returns the context of the sequence's events of a clock; `is_soft` as in LoomPerfettoContext. */
guint32 loom_perfetto_walk_find_context (LoomPerfettoWalk *self, LoomPerfettoSequence *sequence, guint64 clock,
                                         gboolean is_soft);

/* Each adds what a message of bytes holds. */
void loom_perfetto_walk_take_event (LoomPerfettoWalk *self, LoomPerfettoHead *head, const LoomProtoField *message);
void loom_perfetto_walk_take_stage (LoomPerfettoWalk *self, const LoomPerfettoHead *head,
                                    const LoomProtoField *message);
void loom_perfetto_walk_take_gpu_counters (LoomPerfettoWalk *self, const LoomPerfettoHead *head,
                                           const LoomProtoField *message);
void loom_perfetto_walk_take_gpu_descriptor (LoomPerfettoWalk *self, guint32 generation, guint64 number, guint64 gpu,
                                             const LoomProtoField *message);

/* Adds a sample of a track at the time of the packet. `value`: its bits. */
void loom_perfetto_walk_add_sample (LoomPerfettoWalk *self, const LoomPerfettoHead *head, guint32 track, guint64 value,
                                    gboolean is_real);
/* Adds an event at the time of the packet. Returns FALSE if there are too many tracks. `is_told` as in
 * LoomPerfettoEvent. */
gboolean loom_perfetto_walk_add_event (LoomPerfettoWalk *self, const LoomPerfettoHead *head, LoomPerfettoKind kind,
                                       guint32 track, gint64 end_ns, gboolean is_told);
/* Adds links of the event that is added next, one for each number in the field. */
void loom_perfetto_walk_add_links (LoomPerfettoWalk *self, LoomPerfettoLinkKind kind, const LoomProtoField *field,
                                   guint wire);
/* Gives the links that were added since there were `n_links` the time of their event; drops them without an event. */
void loom_perfetto_walk_settle_links (LoomPerfettoWalk *self, const LoomPerfettoHead *head, guint n_links,
                                      gboolean has_event);

/* Appends the numbers of a repeated field, which may be packed. `wire`: how each is written. */
void loom_perfetto_walk_append_numbers (GArray *values, const LoomProtoField *field, guint wire);
