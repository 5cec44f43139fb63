/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes one event as one line of a merged file. Members are copied byte for byte from the text of the event in its
 * file, except members that the merge determines (phase, times, process, thread, unique ids), which are written anew.
 * The result is strict JSON for any input.
 */
#pragma once

#include "loom-event-stack.h"

typedef struct {
  const LoomEvent *event; /* the event whose text is copied; NULL: the line is made only from the members below */
  gboolean strict;        /* TRUE if event->text is strict JSON on one line, see loom_trace_event_writer_is_clean() */
  /* if not NULL: written as the member "name", and `name` is written as LOOM_MEMBER_FIRST_NAME. NULL: `name` is written
   * as the member "name" */
  const char *other_name;
  /* the name on the timeline; if the name in the text has the same meaning, the literal in the text is copied. NULL:
   * the literal in the text is always copied */
  const char *name;
  /* the category on the timeline; if the category in the text has the same meaning, the literal in the text is copied.
   * NULL, "": the literal in the text is always copied */
  const char *category;
  char phase;
  gboolean has_ts, has_dur, has_pid, has_tid;
  gint64 ts_ns, dur_ns;
  LoomJsonSlice ts_literal;  /* literal to write instead of ts_ns; absent: ts_ns is written */
  LoomJsonSlice dur_literal; /* literal to write instead of dur_ns; absent: dur_ns is written */
  gint64 pid, tid;
  char scope;            /* scope of an instant, the member "s"; '\0': none */
  const char *id_prefix; /* prefix that is added to id and id2.global, which become texts; NULL: none */
  /* suffix that is added to id, id2.global and id2.local; NULL: none. An event that was made by the program, and so has
   * no text in a file, gets the id `id_prefix` + `id_suffix` */
  const char *id_suffix;
  /* TRUE: bind_id and the ids of flow events are replaced by numbers (loom-flow-id.h), without prefix and suffix */
  gboolean number_flows;
  guint trace; /* only used if number_flows is TRUE: number of the trace, or LOOM_FLOW_ID_ALONE */
  /* TRUE: also writes the pid and tid that the event has in the input, as LOOM_MEMBER_FIRST_PID and
   * LOOM_MEMBER_FIRST_TID */
  gboolean keep_place;
  /* stack frames to which the members sf and esf of the text refer by id; these ids are replaced by the ids that the
   * frames have in the merged file. NULL: sf and esf are copied unchanged */
  const LoomStackFrames *stacks;
  guint source;       /* index of the source in the run; only used with `stacks` */
  LoomEventStack end; /* call stack of the E event of a begin/end pair, see LoomExportEvent.end */
  /* TRUE: the line is the end event of a pair; its call stack is in the member `end`, not in the text of the event */
  gboolean is_end;
  /* TRUE: writes "bp":"e" instead of the bp of the text, so that the arrow ends at the span that encloses the event */
  gboolean binds_inside;
  gboolean bare;       /* TRUE: only name, category and args are copied from the text */
  const GString *args; /* args to write instead of those in the text; NULL: those in the text */
  gboolean no_args;
  const char *mark; /* value of the member "traceloom", which is written last; NULL: this member is not written */
} LoomTraceEventLine;

/* Members of a merged file that keep values of the input, because the ordinary members contain other values, which
 * readers of the file need. Such values are the name of a counter that was split into several counters, and the pid and
 * tid of a flow event on a thread without spans. */
#define LOOM_MEMBER_FIRST_NAME "traceloom_name"
#define LOOM_MEMBER_FIRST_PID "traceloom_pid"
#define LOOM_MEMBER_FIRST_TID "traceloom_tid"

/* Returns TRUE if the text of the event is strict JSON on one line, so that its members can be copied without
 * checks. */
gboolean loom_trace_event_writer_is_clean (const LoomEvent *event);

/* Appends the event as an object, without a line feed. */
void loom_trace_event_writer_append (GString *out, const LoomTraceEventLine *line);

/* Appends a value. `strict` TRUE: the value is strict JSON on one line, and is copied byte for byte. FALSE: the value
 * is changed into strict JSON on one line. */
void loom_trace_event_writer_append_value (GString *out, LoomJsonSlice value, gboolean strict);

/* Appends the args of a begin/end pair: those of the B event, then those of the E event. If both have an arg with the
 * same key, the value of E is used, as in chrome://tracing; if `keeps_replaced` is TRUE, the replaced values of B are
 * then appended in an object, LOOM_MEMBER_BEGIN_ARGS. Appends nothing if there are no args. Returns FALSE if something
 * was repaired. */
gboolean loom_trace_event_writer_append_merged_args (GString *out, LoomJsonSlice begin_args, LoomJsonSlice end_args,
                                                     gboolean keeps_replaced);

/* Appends `,"key":` or `{"key":`, depending on whether the object has members already. `key` is plain ASCII. */
void loom_trace_event_writer_append_key (GString *out, const char *key);
/* The next three functions append a member with a key and a value. loom_trace_event_writer_append_text() writes NULL as
 * null. loom_trace_event_writer_append_known() writes a negative number as null. */
void loom_trace_event_writer_append_text (GString *out, const char *key, const char *text);
void loom_trace_event_writer_append_int (GString *out, const char *key, gint64 value);
void loom_trace_event_writer_append_known (GString *out, const char *key, gint64 value);
/* Appends the member "node"; NULL and "" are written as null. */
void loom_trace_event_writer_append_node (GString *out, const char *node);
/* Appends the member "rank". If `is_process` is TRUE, the number `rank` is a process id: "rank" is then null, and the
 * number is appended as "process_id". */
void loom_trace_event_writer_append_worker (GString *out, gint rank, gboolean is_process);
