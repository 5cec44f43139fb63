/* SPDX-License-Identifier: Apache-2.0
 *
 * The input of every analysis as a table: the samples of hardware metrics (series), and the spans of the training
 * framework (rows), both stored in columns. All times are ns on the timeline. Immutable, ref-counted atomically, any
 * thread.
 *
 * LOOM_NUMBER_CONVENTION_SMDEBUG makes the same tables as smdebug's PandasFrame: only the data that smdebug reads, in
 * the order in which it reads them, and nothing before the first minute of the system metrics. Times are whole µs;
 * those of samples and TensorFlow traces are computed in doubles, as smdebug does.
 */
#pragma once

#include <gio/gio.h>

#include "loom-steps.h"
#include "loom-string-pool.h"
#include "loom-timeline.h"

typedef enum {
  LOOM_NUMBER_CONVENTION_INTENDED,
  /* numbers exactly as smdebug computes them, with its mistakes */
  LOOM_NUMBER_CONVENTION_SMDEBUG,
} LoomNumberConvention;

typedef enum {
  LOOM_ROW_STEP = 1 << 0,  /* the span of a whole step of any mode */
  LOOM_ROW_TRAIN = 1 << 1, /* the span of a training step, or of a step without a stated mode */
  /* the clock of the row is too inaccurate to compare the times of the row with those of samples */
  LOOM_ROW_LOOSE = 1 << 2,
  LOOM_ROW_PYTHON = 1 << 3, /* row of a Python timeline, or of a trace of another format than smdebug */
} LoomRowFlags;

/* The writer of some rows: a rank, or a process, on a host. */
typedef struct {
  const char *host;    /* "": unknown */
  const char *display; /* name of the worker in smdebug, which calls it the node of a row: "algo-1-901" */
  gint rank;           /* −1: unknown */
  gboolean is_process; /* TRUE if `rank` is the id of a process: loom-track-rank.h */
  const char *format;  /* format of the source that has the rows; static */
  guint32 host_id;     /* index in the hosts of the LoomDataFrame */
} LoomWorker;

/* One series of samples, sorted by time. Pointers are borrowed from the LoomDataFrame. */
typedef struct {
  guint32 host_id;
  const char *type, *name, *dimension; /* "cpu", "cpu0", "CPUUtilization" */
  const char *unit;
  const gint64 *time_ns;
  const double *value;
  guint32 n;
} LoomSampleSeries;

/* The `n` rows of the table. Each member is a column with one element per row. */
typedef struct {
  guint32 n;
  const gint64 *start_ns, *end_ns; /* both times are inclusive: the row also contains the instant end_ns */
  /* id, in the texts of the LoomDataFrame, of the display name, which is derived from the event's name and args as
   * smdebug does it */
  const guint32 *metric;
  const guint32 *process; /* id, in the texts of the LoomDataFrame, of the label of the phase or process */
  const guint32 *worker;  /* index in the workers of the LoomDataFrame */
  const gint32 *step;     /* −1: not stated */
  const guint8 *flags;    /* mask of LoomRowFlags */
  const LoomSpanId *span;
} LoomDataFrameRows;

/* A table of the run's spans (rows) and samples (series). Members are borrowed from the LoomDataFrame. */
typedef struct _LoomDataFrame LoomDataFrame;
struct _LoomDataFrame {
  LoomTimeline *timeline;
  LoomNumberConvention numbers;
  gint64 origin_ns; /* time from which times "since start" are counted */
  /* range passed to loom_data_frame_new_in_range(), both ends included; if the LoomDataFrame was made otherwise, all of
   * time */
  LoomRange range;
  /* TRUE if loom_data_frame_new_with_steps() made it: its steps may reach out of the range. Then `step_numbers` holds
   * the argument of that function. */
  gboolean has_numbered_steps;
  LoomStepNumbers step_numbers;
  LoomDataFrameRows rows;
  const LoomWorker *workers;
  const LoomSampleSeries *series; /* sorted by host, type, name (numbers in names by value), dimension */
  const guint32 *step_rows;       /* indices of the rows with LOOM_ROW_STEP, ascending */
  guint n_workers, n_series, n_hosts, n_step_rows;

  /* Private to src/analysis: */
  gatomicrefcount refs;
  /* if this LoomDataFrame was made from another one, the LoomDataFrame that owns the shared data; else NULL */
  LoomDataFrame *base;
  LoomStringPool *texts; /* texts of metrics, processes, workers and series */
  GArray *all_workers;   /* LoomWorker: owns `workers` */
  GPtrArray *hosts;      /* char *: names of the hosts, borrowed from `texts` */
  GArray *all_series;    /* LoomSampleSeries: owns `series` */
  GPtrArray *columns;    /* owned arrays to which `time_ns` and `value` of the series point */
  /* only if numbers are computed as smdebug does: key of a span → by how many ns its duration becomes shorter when its
   * times are truncated to whole µs */
  GHashTable *cut_ns;
  gpointer row_columns[8];
  /* Used only if `base` is NULL. `shared`: a result that all LoomDataFrames of a run share; the code that computes it
   * locks `lock`. */
  GMutex lock;
  gpointer shared;
  GDestroyNotify free_shared;
  GArray *all_step_rows; /* guint32: owns `step_rows` */
  /* `host_step_rows`: the rows of `all_step_rows`, sorted by host, then ascending. `first_host_step`: [host id] index
   * in host_step_rows of the host's first row; the last element is the number of rows. */
  guint32 *host_step_rows, *first_host_step;
};

/* Makes a LoomDataFrame of the whole run. From the args of events, reads the step and the display name for smdebug's
 * spans, and only the numbers of steps for other formats. Removes exact duplicates of rows. O(spans + samples), about
 * the cost of loading; a LoomProgressCancellable counts spans. NULL only when cancelled. */
LoomDataFrame *loom_data_frame_new (LoomTimeline *timeline, LoomNumberConvention numbers, GCancellable *cancellable);
/* Returns a LoomDataFrame with the rows of `frame` of which some time lies in the range, and with the samples in the
 * range. Both ends of the range are included. Steps of which only a small part lies inside are omitted, see
 * LOOM_RANGES_MOSTLY. If numbers are computed as smdebug does, they are kept, and rows that only touch an end of the
 * range count as well. Shares columns if possible. O(rows + series · log samples). */
LoomDataFrame *loom_data_frame_new_in_range (LoomDataFrame *frame, gint64 begin_ns, gint64 end_ns);
/* Returns a copy of `frame` without the steps that are not in `numbers`. The range of `frame` must be the time of the
 * steps in `numbers`. On ranks that are late, this range also touches the previous step; this step is removed. All rows
 * that are not steps are kept. Steps without a number, and steps of another format, whose numbers may differ, cannot be
 * compared with `numbers`: they are kept if their middle is in the range. */
LoomDataFrame *loom_data_frame_new_with_steps (LoomDataFrame *frame, const LoomStepNumbers *numbers);
/* Returns a LoomDataFrame with the rows of `frame` in steps `first_step` to `last_step`, and with the samples from the
 * earliest start to the latest end of these rows. */
LoomDataFrame *loom_data_frame_new_of_steps (LoomDataFrame *frame, gint32 first_step, gint32 last_step);
LoomDataFrame *loom_data_frame_ref (LoomDataFrame *frame);
void loom_data_frame_unref (LoomDataFrame *frame);

/* Returns the text of a metric or process with this id; borrowed. */
const char *loom_data_frame_get_text (const LoomDataFrame *frame, guint32 id);
guint32 loom_data_frame_get_n_texts (const LoomDataFrame *frame);
/* Returns the name of a row's event, from which the display name (`metric`) may differ. */
const char *loom_data_frame_get_event_name (const LoomDataFrame *frame, guint32 row);

/* Returns the duration of a row in ns. If numbers are computed as smdebug does, rows of TensorFlow traces may last
 * slightly longer than a whole number of µs, because their times are doubles that only some of smdebug's tables
 * truncate. */
gint64 loom_data_frame_get_duration (const LoomDataFrame *frame, guint32 row);
/* If `frame` was made by loom_data_frame_new_in_range(), returns the LoomDataFrame from which it was made; otherwise
 * returns `frame` itself. Borrowed. */
const LoomDataFrame *loom_data_frame_get_whole (const LoomDataFrame *frame);
/* Returns how many ns of a row are inside the range of the LoomDataFrame; panels and reports show sums of these
 * times. If numbers are computed as smdebug does, returns the whole duration, because smdebug doesn't cut rows. */
gint64 loom_data_frame_get_time_in_range (const LoomDataFrame *frame, guint32 row);

const char *loom_data_frame_get_host (const LoomDataFrame *frame, guint32 host_id);
/* Returns the indices of the `n` rows with LOOM_ROW_STEP of a host (less than `n_hosts`), ascending; borrowed. O(1). */
const guint32 *loom_data_frame_get_host_steps (const LoomDataFrame *frame, guint32 host_id, guint *n);
guint64 loom_data_frame_get_n_samples (const LoomDataFrame *frame);
/* Sets the times of the earliest and the latest sample. Returns FALSE if there are no samples. O(series). */
gboolean loom_data_frame_get_sample_extent (const LoomDataFrame *frame, gint64 *first_ns, gint64 *last_ns);

/* --- series of devices -------------------------------------------------------------------------------------------- */

typedef enum {
  LOOM_DEVICE_GPU,
  LOOM_DEVICE_CPU,
} LoomDevice;

typedef enum {
  LOOM_SELECT_DIMENSION, /* only the dimensions GPUUtilization and CPUUtilization */
  /* all series whose name begins with gpu or cpu, including memory and I/O wait; used if numbers are computed as
   * smdebug does */
  LOOM_SELECT_PREFIX,
} LoomSelect;

gboolean loom_data_frame_series_is (const LoomSampleSeries *series, LoomDevice device, LoomSelect select);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomDataFrame, loom_data_frame_unref)
