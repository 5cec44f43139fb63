/* SPDX-License-Identifier: Apache-2.0
 *
 * The args of one event as a tree, read again from its source. json-glib gives the structure; numbers are shown as the
 * literal bytes of the file, because json-glib would round them.
 */
#pragma once

#include "loom-timeline.h"
#include "loom-worker.h"

G_BEGIN_DECLS

/* A member: name, value as text, members below. */
#define LOOM_TYPE_ARG (loom_arg_get_type ())
G_DECLARE_FINAL_TYPE (LoomArg, loom_arg, LOOM, ARG, GObject)

const char *loom_event_arg_get_name (LoomArg *arg);
const char *loom_event_arg_get_value (LoomArg *arg);
GListModel *loom_event_args_get_children (LoomArg *arg); /* borrowed, NULL for a leaf */

typedef struct {
  GListModel *members;  /* LoomArg; empty when there are no args */
  char *json;           /* the args, pretty-printed */
  char *event;          /* the whole event as one line of strict JSON */
  GPtrArray *stack;     /* char *: names of functions the event says it began in; NULL: says none */
  GPtrArray *end_stack; /* … and ended in */
} LoomEventArgs;

void loom_event_args_free (LoomEventArgs *args);

/* Reads the event of a span (of a B/E pair both). Blocking: for a worker. NULL with `error` when the source cannot be
 * read any more; spans without text of their own have no args. */
LoomEventArgs *loom_event_args_read (LoomTimeline *timeline, LoomSpanId span, GError **error);

/* The same from the text of an args value; never fails. For tests. */
LoomEventArgs *loom_event_args_parse (const char *text, gssize length);

/* In a worker (loom_worker_start()); `done` gets a LoomEventArgs, owned, or NULL with the error. */
void loom_event_args_read_async (GCancellable **running, LoomTimeline *timeline, LoomSpanId span, LoomWorkerDone done,
                                 gpointer owner);

G_END_DECLS
