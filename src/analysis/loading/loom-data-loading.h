/* SPDX-License-Identifier: Apache-2.0
 *
 * How PyTorch loaded its data: formats/analysis.md §12. The rows whose event or process name contains
 * "DataLoaderIter::GetNext", "DataLoaderIterInitialize" or "DataLoaderWorker", letter case kept. Outliers are longer than
 * two medians; as written, as long counts too. Any thread; O(rows), and the args of the rows found are read.
 */
#pragma once

#include "loom-data-frame.h"

G_BEGIN_DECLS

#define LOOM_LOADER_OUTLIER_FACTOR 2.0

/* A row, or for batches the time from the start of the row before it to its own. */
typedef struct {
  guint32 row; /* of the frame */
  gint64 begin_ns, end_ns;
  gint64 dur_ns;    /* end − begin */
  gint64 worker_id; /* −1 not stated */
} LoomLoaderEvent;

typedef struct {
  guint64 n;
  double median_ns;
  gint64 max_ns;
  LoomLoaderEvent longest;   /* of equal ones the first; not set when n is 0 */
  LoomLoaderEvent *outliers; /* longest first; of equal ones the earlier row */
  guint n_outliers;
} LoomLoaderTimes;

typedef struct {
  const char *name;      /* static: "_MultiProcessingDataLoaderIter.__init__" … */
  LoomLoaderTimes times; /* of the initialisations; n is 0 when the iterator was not used */
  GPtrArray *pin_memory; /* distinct "True", "False", "NA", in order of appearance; borrowed, static */
  GArray *n_workers;     /* distinct gint64, −1 not stated, in order of appearance */
} LoomLoaderIterator;

typedef struct {
  LoomLoaderIterator iterators[2]; /* multi-process, single-process */
  guint64 n_initializations;       /* events of any iterator */
  LoomLoaderTimes workers;
  LoomLoaderTimes get_next;
  LoomLoaderTimes batches; /* n: those with a predecessor of the same node and process */
} LoomDataLoading;

typedef enum {
  LOOM_LOADER_INITIALIZATION,
  LOOM_LOADER_WORKER,
  LOOM_LOADER_GET_NEXT,
} LoomLoaderKind;

/* An event of a data loader. */
typedef struct {
  LoomLoaderKind kind;
  guint32 row, host_id;
  gint64 worker_id; /* −1 not stated */
  guint64 process;  /* the same for rows of one process, and of no other on the host but by a chance of 2⁻⁶⁴ */
} LoomLoaderCall;

/* Whether a row of this name is a call for the next batch. */
gboolean loom_data_loading_is_get_next (const char *name);

/* Whether a row of this name is a worker process: it lasts as long as the process, whatever that does. */
gboolean loom_data_loading_is_worker (const char *name);

/* Of all rows found, kind by kind. Owned. */
GArray *loom_data_loading_list_calls (const LoomDataFrame *frame);

void loom_data_loading_init (LoomDataLoading *loading, const LoomDataFrame *frame);
void loom_data_loading_clear (LoomDataLoading *loading);

G_END_DECLS
