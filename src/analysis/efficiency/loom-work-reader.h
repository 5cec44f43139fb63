/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: reads the inputs of calls from the files, and computes the work of the calls. Calls with
 * equal inputs share one element of `works`. One thread at a time.
 */
#pragma once

#include <gio/gio.h>

#include "loom-operator-work.h"
#include "loom-string-pool.h"
#include "loom-timeline.h"

typedef struct {
  const char *name;    /* borrowed from the run */
  guint32 shape, type; /* ids of texts in LoomWorkReader.texts */
  LoomOperatorKind kind;
  LoomOperatorWork work;
} LoomReadWork;

typedef struct {
  GArray *works; /* LoomReadWork; element 0 is empty, because 0 means unknown work */
  LoomStringPool *texts;
  /* n_calls: number of calls of operators whose work has a formula; n_read: number of those calls whose inputs were
   * read */
  guint64 n_calls, n_read;
  /* Private: */
  GMutex lock;       /* protects the members above while several threads read calls */
  GHashTable *known; /* key: text of name, type, shape and work; value: index in `works` */
} LoomWorkReader;

void loom_work_reader_init (LoomWorkReader *reader, LoomStringPool *texts);
void loom_work_reader_clear (LoomWorkReader *reader);

/* Returns the index (in reader->works) of an element with this work. Adds the element if it is new. `name`: borrowed
 * from the run. Any thread. */
guint32 loom_work_reader_intern (LoomWorkReader *reader, const char *name, LoomOperatorKind kind,
                                 const LoomOperatorWork *work, const GString *shape, const char *type);

/* Reads the inputs of calls of a trace in the range, at most `most` calls. `number`: index of the trace in the run.
 * Products, convolutions and attention come first. If there are more than `most` calls of these kinds, sets the end of
 * the range to an earlier time, before which all of them are read.
 *
 * Returns an array of LoomSpanShape, sorted by span: the span of a call, and as `shape` the index of its work in
 * `works`. NULL only when cancelled. Sets `unread` to an array: [name id] 1 if there is a formula for the work of
 * operators of this name, but their calls in the resulting range are not read. The array is owned by the caller; NULL:
 * there are no such names, or the function was cancelled. */
GArray *loom_work_reader_read (LoomWorkReader *reader, LoomTimeline *timeline, guint number, LoomRange *range,
                               guint64 most, guint8 **unread, GCancellable *cancellable);
