/* SPDX-License-Identifier: Apache-2.0
 *
 * The args of one event as a tree. The args are read again from the file of the event, and parsed with json-glib.
 * Numbers are shown exactly as they are in the file, although json-glib would round them.
 */
#pragma once

#include "loom-timeline.h"
#include "loom-worker.h"

/* One arg of an event: its name, its value as text, and the args that are nested in it. */
#define LOOM_TYPE_ARG (loom_arg_get_type ())
G_DECLARE_FINAL_TYPE (LoomArg, loom_arg, LOOM, ARG, GObject)

const char *loom_event_arg_get_name (LoomArg *self);
const char *loom_event_arg_get_value (LoomArg *self);
/* Returns the value as it is shown on the screen. Whole numbers from 10,000 on get separators of thousands. A number
 * gets no separators if the name of the arg, for example "External id", "correlation" or "ptr", means that the number
 * identifies something. Owned by the caller. */
char *loom_event_arg_dup_shown (LoomArg *self);
/* Returns TRUE if the value is a short array whose elements are all in its text, for example "[8, [1, 2]]". Its
 * elements then have no separate rows. */
gboolean loom_event_arg_is_inline (LoomArg *self);
GListModel *loom_event_args_get_children (LoomArg *self); /* borrowed; NULL if the arg has no nested args */

typedef struct {
  /* LoomArg: the args of the event; empty if it has none. Args that explain the event, such as sizes, types and
   * groups, are at the start. Args that only identify something are at the end. Nested args are in the order of the
   * file. */
  GListModel *members;
  char *json;  /* the args as JSON text with line breaks and indentation */
  char *event; /* the whole event as one line of strict JSON */
  /* char *: names of the functions that were on the call stack when the event started; NULL if the file does not
   * state them */
  GPtrArray *stack;
  GPtrArray *end_stack; /* char *: function names of the stack at the event's end; NULL: not stated */
} LoomEventArgs;

void loom_event_args_free (LoomEventArgs *args);

/* Reads the args of a span from the text of its event; for a span made from a begin event and an end event (phases B
 * and E), from both events. Blocks, so call it in a worker. Returns NULL with `error` if the source cannot be read any
 * more. A span that has no text in a file has no args. */
LoomEventArgs *loom_event_args_read (LoomTimeline *timeline, LoomSpanId span, GError **error);

/* Parses the args in `text`, the JSON value of the member "args"; never fails. For tests. */
LoomEventArgs *loom_event_args_parse (const char *text, gssize length);

/* Runs loom_event_args_read() in a worker (loom_worker_start()). `done` receives the LoomEventArgs and owns it; on
 * failure it receives NULL and the error. */
void loom_event_args_read_async (GCancellable **running, LoomTimeline *timeline, LoomSpanId span, LoomWorkerDone done,
                                 gpointer owner);
