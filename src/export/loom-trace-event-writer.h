/* SPDX-License-Identifier: Apache-2.0
 *
 * One event as one line of a merged file. What the file's own text says is copied byte for byte, what the merge decides
 * (phase, times, process, thread, unique ids) is written anew. Strict JSON comes out whatever went in. No printf.
 */
#pragma once

#include "loom-event-stack.h"

G_BEGIN_DECLS

typedef struct {
  const LoomEvent *event; /* NULL: there is no text, only what stands here */
  gboolean strict;        /* event->text is strict JSON on one line: loom_trace_event_writer_is_clean() */
  const char *other_name; /* written in place of `name`, which is kept in LOOM_MEMBER_FIRST_NAME; NULL: there is none */
  const char *name;       /* what is drawn; the text's own literal is kept when it means the same. NULL: keep */
  const char *category;   /* the same; "": keep */
  char phase;
  gboolean has_ts, has_dur, has_pid, has_tid;
  gint64 ts_ns, dur_ns;
  LoomJsonSlice ts_literal;  /* in place of ts_ns when not absent */
  LoomJsonSlice dur_literal; /* in place of dur_ns when not absent */
  gint64 pid, tid;
  char scope;            /* member s; '\0': none */
  const char *id_prefix; /* put before id and id2.global, which become texts; NULL: none */
  const char
    *id_suffix; /* put behind id, id2.global and id2.local, or an id of its own where there is no text; NULL: none */
  gboolean number_flows; /* bind_id, and id of flow events, become numbers instead (loom-flow-id.h) */
  guint trace;           /* for that: the number of the trace, or LOOM_FLOW_ID_ALONE */
  gboolean keep_place;   /* the text's pid and tid are kept in LOOM_MEMBER_FIRST_PID and LOOM_MEMBER_FIRST_TID */
  const LoomStackFrames *stacks; /* what sf and esf are ids of; they become ids of the merged file. NULL: they stay */
  guint source;                  /* of the run, where there are stacks */
  LoomEventStack end;            /* as in LoomExportEvent */
  gboolean is_end;               /* the line is the end itself: its stack is `end`, whatever the text says */
  gboolean binds_inside;         /* "bp":"e" in place of what the text says */
  gboolean bare;                 /* nothing of the text but name, category and args */
  const GString *args;           /* in place of the text's args; NULL: keep */
  gboolean no_args;
  const char *mark; /* value of the closing member "traceloom"; NULL: none */
} LoomTraceEventLine;

/* Members of a merged file that say how its input spelled what readers of the file need spelled otherwise: the name of a
 * counter that is written as several ones, the pid and tid of a flow event on a thread without spans. */
#define LOOM_MEMBER_FIRST_NAME "traceloom_name"
#define LOOM_MEMBER_FIRST_PID "traceloom_pid"
#define LOOM_MEMBER_FIRST_TID "traceloom_tid"

/* TRUE when members may be copied without looking at them. */
gboolean loom_trace_event_writer_is_clean (const LoomEvent *event);

/* Appends the object, without a line feed. */
void loom_trace_event_writer_append (GString *out, const LoomTraceEventLine *line);

/* Appends `value` as it may stand in a line: byte for byte when it is strict. */
void loom_trace_event_writer_append_value (GString *out, LoomJsonSlice value, gboolean strict);

/* Appends the args of a begin/end pair: those of B, then those of E, E's values winning on equal keys. Appends nothing
 * when there are none. FALSE when something had to be repaired. */
gboolean loom_trace_event_writer_append_merged_args (GString *out, LoomJsonSlice begin_args, LoomJsonSlice end_args);

/* Appends `,"key":` or `{"key":` as the object needs. `key` is plain ASCII. */
void loom_trace_event_writer_append_key (GString *out, const char *key);
/* A whole member; a negative rank is null. */
void loom_trace_event_writer_append_text (GString *out, const char *key, const char *text);
void loom_trace_event_writer_append_int (GString *out, const char *key, gint64 value);
void loom_trace_event_writer_append_rank (GString *out, gint rank);
/* The same of a node; NULL and "" are null. */
void loom_trace_event_writer_append_node (GString *out, const char *node);
/* "rank", or null and "process_id" where the number is the id of a process. */
void loom_trace_event_writer_append_worker (GString *out, gint rank, gboolean is_process);

G_END_DECLS
