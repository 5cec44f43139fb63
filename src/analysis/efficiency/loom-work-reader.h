/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: reads the inputs of calls from the files, and computes their work. Equal calls share one work.
 * One thread at a time.
 */
#pragma once

#include <gio/gio.h>

#include "loom-operator-work.h"
#include "loom-string-pool.h"
#include "loom-timeline.h"

typedef struct {
  const char *name;    /* borrowed from the run */
  guint32 shape, type; /* ids in LoomWorkReader.texts */
  LoomOperatorKind kind;
  LoomOperatorWork work;
} LoomReadWork;

typedef struct {
  GArray *works; /* LoomReadWork; element 0 is empty, because 0 means unknown work */
  LoomStringPool *texts;
  guint64 n_calls, n_read; /* number of calls of operators with a formula, and how many of them were read */
  /* private: */
  GMutex lock;       /* protects the members above during a reading */
  GHashTable *known; /* name, type, shape, work → index in `works` */
} LoomWorkReader;

void loom_work_reader_init (LoomWorkReader *reader, LoomStringPool *texts);
void loom_work_reader_clear (LoomWorkReader *reader);

/* Reads the calls of trace `number` in the range, at most `most`. If there are more products, convolutions and attention,
 * moves the end of the range back, and reads all of these up to there. Returns LoomSpanShape: span and index of its work
 * in `works`, sorted by span. NULL only when cancelled. */
GArray *loom_work_reader_read (LoomWorkReader *reader, LoomTimeline *timeline, guint number, LoomRange *range,
                               guint64 most, GCancellable *cancellable);
