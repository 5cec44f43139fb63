/* SPDX-License-Identifier: Apache-2.0
 *
 * The input of every analysis as a table: the samples of hardware metrics (series), and the spans of the training
 * framework (rows), both stored in columns. All times are ns on the timeline. Immutable, ref-counted atomically, any
 * thread.
 *
 * LOOM_NUMBER_CONVENTION_SMDEBUG makes the same tables as the class PandasFrame of smdebug (SageMaker Debugger): they
 * contain only the data that smdebug reads, in the order in which smdebug reads them, and nothing before the first
 * minute of the system metrics. All times are whole µs. The times of samples and of TensorFlow traces are computed in
 * doubles, as smdebug does.
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
  /* the clock of the row is too inaccurate: times of the row must not be compared with times of samples */
  LOOM_ROW_LOOSE = 1 << 2,
  LOOM_ROW_PYTHON = 1 << 3, /* the row is from a Python timeline of smdebug, or was not recorded by smdebug */
} LoomRowFlags;

/* A worker: the rank or process, on a host, that wrote some of the rows. */
typedef struct {
  const char *host;    /* "" if unknown */
  const char *display; /* name of the worker in smdebug, for example "algo-1-901"; smdebug's tables call it the node */
  gint rank;           /* −1 if unknown */
  gboolean is_process; /* TRUE if `rank` is a process id, see loom-track-rank.h */
  const char *format;  /* format of the source from which the rows were read; static */
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
  /* id of the display name in the texts of the LoomDataFrame; the display name is derived from the event's name and
   * args as in smdebug */
  const guint32 *metric;
  const guint32 *process; /* id of the label of the phase or process, in the texts of the LoomDataFrame */
  const guint32 *worker;  /* index in the workers of the LoomDataFrame */
  const gint32 *step;     /* −1 if not stated */
  const guint8 *flags;    /* mask of LoomRowFlags */
  const LoomSpanId *span;
} LoomDataFrameRows;

/* A table of the run's spans (rows) and samples (series). Members are borrowed from the LoomDataFrame. */
typedef struct _LoomDataFrame LoomDataFrame;
struct _LoomDataFrame {
  LoomTimeline *timeline;
  LoomNumberConvention numbers;
  gint64 origin_ns; /* instant from which times "since start" are counted */
  /* range passed to loom_data_frame_new_in_range(), both ends included; all of time if another function made the
   * LoomDataFrame */
  LoomRange range;
  /* TRUE if loom_data_frame_new_with_steps() made the LoomDataFrame. Then `step_numbers` is the argument of that
   * function, and steps may begin before the range or end after it. */
  gboolean has_numbered_steps;
  LoomStepNumbers step_numbers;
  LoomDataFrameRows rows;
  const LoomWorker *workers;
  /* sorted by host, type, name and dimension; numbers in names are sorted by value ("cpu2" before "cpu10") */
  const LoomSampleSeries *series;
  const guint32 *step_rows; /* indices of the rows with LOOM_ROW_STEP, ascending */
  guint n_workers, n_series, n_hosts, n_step_rows;

  /* The members below are private to src/analysis. */
  gatomicrefcount refs;
  /* the LoomDataFrame from which this one was made, and which owns the shared data; NULL if it was not made from
   * another one */
  LoomDataFrame *base;
  LoomStringPool *texts; /* texts of metrics, processes, workers and series */
  GArray *all_workers;   /* LoomWorker: owns `workers` */
  GPtrArray *hosts;      /* char *: names of the hosts, borrowed from `texts` */
  GArray *all_series;    /* LoomSampleSeries: owns `series` */
  GPtrArray *columns;    /* owned arrays to which `time_ns` and `value` of the series point */
  /* Used only if numbers are computed as smdebug does. Key: loom_data_frame_span_key() of a span. Value: by how many ns
   * the duration of the span becomes shorter when its times are truncated to whole µs. */
  GHashTable *cut_ns;
  gpointer row_columns[8];
  /* `shared`: a result that all LoomDataFrames of a run share; stored only in the LoomDataFrame whose `base` is NULL.
   * `lock` must be held while it is computed. */
  GMutex lock;
  gpointer shared;
  GDestroyNotify free_shared;
  GArray *all_step_rows; /* guint32: owns `step_rows` */
  /* `host_step_rows`: the rows of `all_step_rows`, sorted by host, then ascending. `first_host_step`: for each host
   * id, the index in host_step_rows of the first row of the host; the last element is the number of rows. */
  guint32 *host_step_rows, *first_host_step;
};

/* Makes a LoomDataFrame of the whole run. For spans of smdebug, reads the step number and the display name from the
 * args of the events; for other formats, only step numbers. Removes exact duplicates of rows. O(spans + samples); takes
 * about as long as loading the run. If `cancellable` is a LoomProgressCancellable, it counts the spans. Returns NULL
 * only when cancelled. */
LoomDataFrame *loom_data_frame_new (LoomTimeline *timeline, LoomNumberConvention numbers, GCancellable *cancellable);
/* Returns a LoomDataFrame with the rows of `frame` that overlap the range, and with the samples in the range. Both ends
 * of the range are included. Steps of which only a small part lies inside the range are omitted, see
 * LOOM_RANGES_MOSTLY. Exception: if numbers are computed as smdebug does, such steps are kept, and rows that only touch
 * an end of the range are kept, too. Shares columns with `frame` if possible. O(rows + series · log samples). */
LoomDataFrame *loom_data_frame_new_in_range (LoomDataFrame *frame, gint64 begin_ns, gint64 end_ns);
/* Returns a copy of `frame` that contains only those steps whose numbers are in `numbers`; rows that are not steps are
 * kept. The range of `frame` must be the time of the steps in `numbers`. When this range begins, a late rank may still
 * be in an earlier step; the copy omits that step. Some steps cannot be compared with `numbers`, because they have no
 * number, or because their format is not the format in `numbers`. Such a step is kept if its middle is in the range. */
LoomDataFrame *loom_data_frame_new_with_steps (LoomDataFrame *frame, const LoomStepNumbers *numbers);
/* Returns a LoomDataFrame with the rows of `frame` in steps `first_step` to `last_step`, and with the samples from the
 * earliest start to the latest end of these rows. */
LoomDataFrame *loom_data_frame_new_of_steps (LoomDataFrame *frame, gint32 first_step, gint32 last_step);
LoomDataFrame *loom_data_frame_ref (LoomDataFrame *frame);
void loom_data_frame_unref (LoomDataFrame *frame);

/* Returns the text with the id `id`, which is the name of a metric or of a process; borrowed. */
const char *loom_data_frame_get_text (const LoomDataFrame *frame, guint32 id);
guint32 loom_data_frame_get_n_texts (const LoomDataFrame *frame);
/* Returns the name of a row's event. The display name (`metric`) may be another text. */
const char *loom_data_frame_get_event_name (const LoomDataFrame *frame, guint32 row);

/* Returns the duration of a row in ns. Exception: if numbers are computed as smdebug does, and the row is from a
 * TensorFlow trace, the duration may be slightly longer than a whole number of µs. The times of such rows are doubles,
 * and only some of smdebug's tables truncate them to whole µs. */
gint64 loom_data_frame_get_duration (const LoomDataFrame *frame, guint32 row);
/* Returns the LoomDataFrame from which loom_data_frame_new_in_range() made `frame`; returns `frame` itself if another
 * function made it. Borrowed. */
const LoomDataFrame *loom_data_frame_get_whole (const LoomDataFrame *frame);
/* Returns how many ns of a row are inside the range of the LoomDataFrame; panels and reports show sums of these
 * times. If numbers are computed as smdebug does, returns the whole duration, because smdebug doesn't cut rows. */
gint64 loom_data_frame_get_time_in_range (const LoomDataFrame *frame, guint32 row);

const char *loom_data_frame_get_host (const LoomDataFrame *frame, guint32 host_id);
/* Returns the indices of those rows of a host that have the flag LOOM_ROW_STEP, ascending, and sets `n` to their
 * number; borrowed. `host_id`: less than `n_hosts`. O(1). */
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
  /* all series whose name begins with "gpu" or "cpu", including those of memory and of I/O wait; used if numbers are
   * computed as smdebug does */
  LOOM_SELECT_PREFIX,
} LoomSelect;

gboolean loom_data_frame_series_is (const LoomSampleSeries *series, LoomDevice device, LoomSelect select);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomDataFrame, loom_data_frame_unref)
