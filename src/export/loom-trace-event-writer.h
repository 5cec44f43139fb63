/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes one event as one line of a merged file. Members of the file's text are copied byte for byte; members that the
 * merge determines (phase, times, process, thread, unique ids) are written anew. The result is strict JSON for any
 * input. No printf.
 */
#pragma once

#include "loom-event-stack.h"

typedef struct {
  const LoomEvent *event; /* NULL: no text, the line consists of the members below */
  gboolean strict;        /* event->text is strict JSON on one line: loom_trace_event_writer_is_clean() */
  const char *other_name; /* replaces `name`, which is written as LOOM_MEMBER_FIRST_NAME; NULL: none */
  const char *name;       /* the drawn name; a literal in the text with this meaning is kept. NULL: keep the literal */
  const char *category;   /* the drawn category; a literal with this meaning is kept. NULL, "": keep the literal */
  char phase;
  gboolean has_ts, has_dur, has_pid, has_tid;
  gint64 ts_ns, dur_ns;
  LoomJsonSlice ts_literal;  /* replaces ts_ns if not absent */
  LoomJsonSlice dur_literal; /* replaces dur_ns if not absent */
  gint64 pid, tid;
  char scope;            /* scope of an instant, the member "s"; '\0': none */
  const char *id_prefix; /* prefix for id and id2.global, which become texts; NULL: none */
  /* suffix for id, id2.global and id2.local; for an event without text, the whole id; NULL: none */
  const char *id_suffix;
  gboolean number_flows; /* bind_id, and id of flow events, become numbers instead (loom-flow-id.h) */
  guint trace;           /* number of the trace if number_flows is TRUE, or LOOM_FLOW_ID_ALONE */
  gboolean keep_place;   /* write the text's pid and tid as LOOM_MEMBER_FIRST_PID and LOOM_MEMBER_FIRST_TID */
  /* stack frames that the members sf and esf refer to by id; their ids become those of the merged file.
   * NULL: sf and esf are copied unchanged */
  const LoomStackFrames *stacks;
  guint source;       /* index of the source in the run; only used with `stacks` */
  LoomEventStack end; /* see LoomExportEvent */
  gboolean is_end;    /* the line is the end event: its stack is `end`, even if the text states another one */
  gboolean
    binds_inside; /* writes "bp":"e", so that the arrow binds to the enclosing span, in place of the bp of the text */
  gboolean bare;  /* copies only name, category and args of the text */
  const GString *args; /* replaces the text's args; NULL: keep */
  gboolean no_args;
  const char *mark; /* value of the last member "traceloom"; NULL: none */
} LoomTraceEventLine;

/* Members of a merged file with values of the input for which readers of the file need other values: the name of a
 * counter that is split into several, the pid and tid of a flow event on a thread without spans. */
#define LOOM_MEMBER_FIRST_NAME "traceloom_name"
#define LOOM_MEMBER_FIRST_PID "traceloom_pid"
#define LOOM_MEMBER_FIRST_TID "traceloom_tid"

/* Returns TRUE if the event's members may be copied without checks: its text is strict JSON on one line. */
gboolean loom_trace_event_writer_is_clean (const LoomEvent *event);

/* Appends the event as an object, without a line feed. */
void loom_trace_event_writer_append (GString *out, const LoomTraceEventLine *line);

/* Appends `value` as part of a line: byte for byte if it is strict. */
void loom_trace_event_writer_append_value (GString *out, LoomJsonSlice value, gboolean strict);

/* Appends the args of a begin/end pair: those of B, then those of E; E's values replace B's for equal keys, as in
 * chrome://tracing; the replaced values follow in an object, LOOM_MEMBER_BEGIN_ARGS. Appends nothing if there are no args.
 * Returns FALSE if something was repaired. */
gboolean loom_trace_event_writer_append_merged_args (GString *out, LoomJsonSlice begin_args, LoomJsonSlice end_args);

/* Appends `,"key":` or `{"key":`, depending on whether the object has members already. `key` is plain ASCII. */
void loom_trace_event_writer_append_key (GString *out, const char *key);
/* Append a member with key and value. append_text() writes NULL as null; append_known() writes a negative number as
 * null. */
void loom_trace_event_writer_append_text (GString *out, const char *key, const char *text);
void loom_trace_event_writer_append_int (GString *out, const char *key, gint64 value);
void loom_trace_event_writer_append_known (GString *out, const char *key, gint64 value);
/* Appends the member "node"; NULL and "" are written as null. */
void loom_trace_event_writer_append_node (GString *out, const char *node);
/* Appends "rank", or "rank":null and "process_id" if the number is a process id. */
void loom_trace_event_writer_append_worker (GString *out, gint rank, gboolean is_process);
