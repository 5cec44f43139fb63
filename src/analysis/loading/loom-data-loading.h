/* SPDX-License-Identifier: Apache-2.0
 *
 * Times of PyTorch's data loaders (as in smdebug/profiler/analysis/utils/pytorch_dataloader_analysis.py). They come
 * from the rows whose event or process name contains "DataLoaderIter::GetNext", "DataLoaderIterInitialize" or
 * "DataLoaderWorker" (upper and lower case are distinguished). An outlier takes more than twice the median. If numbers
 * are computed as smdebug does (LOOM_NUMBER_CONVENTION_SMDEBUG), it takes twice the median or more. Any thread;
 * O(rows), and the args of the found rows are read from files.
 */
#pragma once

#include "loom-data-frame.h"

#define LOOM_LOADER_OUTLIER_FACTOR 2.0

/* A row of the LoomDataFrame that a data loader recorded. */
typedef struct {
  guint32 row; /* index of the row in the LoomDataFrame */
  gint64 begin_ns, end_ns;
  /* end_ns − begin_ns; in LoomDataLoading.batches: begin_ns minus the begin_ns of the previous element */
  gint64 dur_ns;
  gint64 worker_id; /* −1: not stated */
} LoomLoaderEvent;

typedef struct {
  guint64 n;
  double median_ns;
  gint64 max_ns;
  LoomLoaderEvent longest; /* the longest event; if several are equally long, the first of them; not set if n is 0 */
  /* events longer than LOOM_LOADER_OUTLIER_FACTOR times the median, sorted by duration, longest first, then by row */
  LoomLoaderEvent *outliers;
  guint n_outliers;
} LoomLoaderTimes;

typedef struct {
  const char *name;      /* static: "_MultiProcessingDataLoaderIter.__init__" … */
  LoomLoaderTimes times; /* times of the iterator's initialisations; n is 0 if the iterator was not used */
  /* the different values that the initialisations state: "True", "False" or "NA", in order of first appearance; static
   * texts */
  GPtrArray *pin_memory;
  /* gint64: the different numbers of workers that the initialisations state, in order of first appearance; −1: not
   * stated */
  GArray *n_workers;
} LoomLoaderIterator;

typedef struct {
  LoomLoaderIterator iterators[2]; /* the multi-process iterator, then the single-process iterator */
  guint64 n_initializations;       /* number of initialisations of both iterators */
  LoomLoaderTimes workers;
  LoomLoaderTimes get_next;
  /* times of the calls by which a process fetches a batch. Here, dur_ns is the time from the start of the previous call
   * of the process to the start of this call; the first call of each process is omitted. */
  LoomLoaderTimes batches;
} LoomDataLoading;

typedef enum {
  LOOM_LOADER_INITIALIZATION,
  LOOM_LOADER_WORKER,
  LOOM_LOADER_GET_NEXT,
} LoomLoaderKind;

/* A row that a data loader recorded: the initialisation of an iterator, the life of a worker process, or a call that
 * fetches a batch. */
typedef struct {
  LoomLoaderKind kind;
  guint32 row, host_id;
  gint64 worker_id; /* −1: not stated */
  /* number that identifies the process; the numbers of two processes are equal with a probability of 2⁻⁶⁴ */
  guint64 process;
} LoomLoaderCall;

/* Returns TRUE if a row of this name represents a worker process. Such a row lasts as long as the process, so its
 * duration does not measure loading. */
gboolean loom_data_loading_is_worker (const char *name);

/* Returns all calls of data loaders (LoomLoaderCall), sorted by kind. Owned by the caller. */
GArray *loom_data_loading_list_calls (const LoomDataFrame *frame);

void loom_data_loading_init (LoomDataLoading *loading, const LoomDataFrame *frame);
void loom_data_loading_clear (LoomDataLoading *loading);
