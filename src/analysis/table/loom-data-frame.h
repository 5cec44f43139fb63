/* SPDX-License-Identifier: Apache-2.0
 *
 * The input of every analysis: the samples of the hardware and the rows of the framework (spans), as columns in timeline
 * time. Immutable, ref-counted atomically, any thread. All times are timeline ns.
 *
 * LOOM_NUMBER_CONVENTION_SMDEBUG gives the tables as smdebug's PandasFrame makes them: times in whole µs (for samples and
 * TensorFlow traces, those of smdebug's double arithmetic), only the data that smdebug reads, rows in its reading order, and
 * nothing before the first minute of the system metrics.
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
  /* the clock of the row is too inaccurate to compare the row with samples */
  LOOM_ROW_LOOSE = 1 << 2,
  LOOM_ROW_PYTHON = 1 << 3, /* row of a Python timeline, or of a trace of another format than smdebug */
} LoomRowFlags;

/* The writer of rows: one rank (or process) of a host. */
typedef struct {
  const char *host;    /* "": unknown */
  const char *display; /* "algo-1-901": the node of a row in smdebug */
  gint rank;           /* −1: unknown */
  gboolean is_process; /* TRUE if `rank` is the id of a process: loom-track-rank.h */
  const char *format;  /* format of its source; static */
  guint32 host_id;     /* index in the frame's hosts */
} LoomWorker;

/* One series of samples, sorted by time. Pointers are borrowed from the frame. */
typedef struct {
  guint32 host_id;
  const char *type, *name, *dimension; /* "cpu", "cpu0", "CPUUtilization" */
  const char *unit;
  const gint64 *time_ns;
  const double *value;
  guint32 n;
} LoomSampleSeries;

/* Columns of `n` rows. */
typedef struct {
  guint32 n;
  const gint64 *start_ns, *end_ns; /* times are inclusive: the row also contains the instant end_ns */
  const guint32 *metric;  /* text id of the display name, as smdebug derives it from the event's name and args */
  const guint32 *process; /* text id of the phase or process label */
  const guint32 *worker;  /* index in the frame's workers */
  const gint32 *step;     /* −1: not stated */
  const guint8 *flags;    /* LoomRowFlags */
  const LoomSpanId *span;
} LoomDataFrameRows;

/* A table of the run's spans (rows) and samples (series). Members are borrowed from the frame. */
typedef struct _LoomDataFrame LoomDataFrame;
struct _LoomDataFrame {
  LoomTimeline *timeline;
  LoomNumberConvention numbers;
  gint64 origin_ns; /* the zero of times "since start" */
  /* range passed to loom_data_frame_new_in_range(), both ends included; all of time for other frames */
  LoomRange range;
  LoomDataFrameRows rows;
  const LoomWorker *workers;
  const LoomSampleSeries *series; /* sorted by host, type, name (numbers in names by value), dimension */
  const guint32 *step_rows;       /* indices of the rows with LOOM_ROW_STEP, ascending */
  guint n_workers, n_series, n_hosts, n_step_rows;

  /* Private to the room: */
  gatomicrefcount refs;
  LoomDataFrame *base;   /* for a part of a frame: the frame that owns the shared data; else NULL */
  LoomStringPool *texts; /* texts of metrics, processes, workers and series */
  GArray *all_workers;   /* LoomWorker */
  GPtrArray *hosts;      /* borrowed from `texts` */
  GArray *all_series;    /* LoomSampleSeries */
  GPtrArray *columns;    /* owned blocks that the series point into */
  /* with smdebug's numbers: key of a span → ns by which its duration is shorter because its times are cut to whole
   * µs */
  GHashTable *cut_ns;
  gpointer row_columns[8];
  /* only in a frame without a base: a result that all frames of a run share; the code that computes it locks it */
  GMutex lock;
  gpointer shared;
  GDestroyNotify free_shared;
  GArray *all_step_rows; /* guint32 */
};

/* Makes a frame of the whole run. Reads the args of smdebug's spans (step, display name); of other formats only the
 * numbers of steps. Exact duplicates of rows are removed. O(spans + samples), about the cost of loading; a
 * LoomProgressCancellable counts spans. NULL only when cancelled. */
LoomDataFrame *loom_data_frame_new (LoomTimeline *timeline, LoomNumberConvention numbers, GCancellable *cancellable);
/* Returns a frame of the rows that touch the range and of the samples in it, both ends included. Shares columns if
 * possible. O(rows + series · log samples). */
LoomDataFrame *loom_data_frame_new_in_range (LoomDataFrame *frame, gint64 begin_ns, gint64 end_ns);
/* Returns a frame without the steps that only touch the range of `frame`, which was made from step numbers: on late
 * ranks, the range also touches the step before. Rows that are not steps are kept. A step is kept if its number is
 * one of `numbers`; a step without a number, or of another format, which may count differently, if its middle is in
 * the range. */
LoomDataFrame *loom_data_frame_new_with_steps (LoomDataFrame *frame, const LoomStepNumbers *numbers);
/* Returns a frame of the rows of steps `first_step` to `last_step`, and of the samples from the earliest start to
 * the latest end of these rows. */
LoomDataFrame *loom_data_frame_new_of_steps (LoomDataFrame *frame, gint32 first_step, gint32 last_step);
LoomDataFrame *loom_data_frame_ref (LoomDataFrame *frame);
void loom_data_frame_unref (LoomDataFrame *frame);

/* Returns the text with the id of a metric or process; borrowed. */
const char *loom_data_frame_get_text (const LoomDataFrame *frame, guint32 id);
guint32 loom_data_frame_get_n_texts (const LoomDataFrame *frame);
/* Returns the name of a row's event, from which the display name (`metric`) may differ. */
const char *loom_data_frame_get_event_name (const LoomDataFrame *frame, guint32 row);

/* Returns the duration of a row in ns. With smdebug's numbers, rows of TensorFlow traces may last slightly longer
 * than their whole µs, because their times are doubles that only some of smdebug's tables truncate. */
gint64 loom_data_frame_get_duration (const LoomDataFrame *frame, guint32 row);
/* Returns the frame from which loom_data_frame_new_in_range() cut this frame; the frame itself if it was made
 * otherwise. Borrowed. */
const LoomDataFrame *loom_data_frame_get_whole (const LoomDataFrame *frame);
/* Returns how many ns of a row are inside the frame's range; totals in panels and reports are sums of these. With
 * smdebug's numbers returns the whole duration, because smdebug doesn't cut rows. */
gint64 loom_data_frame_get_time_in_range (const LoomDataFrame *frame, guint32 row);

const char *loom_data_frame_get_host (const LoomDataFrame *frame, guint32 host_id);
guint64 loom_data_frame_get_n_samples (const LoomDataFrame *frame);
/* Sets the times of the earliest and the latest sample. Returns FALSE if there are no samples. O(series). */
gboolean loom_data_frame_get_sample_extent (const LoomDataFrame *frame, gint64 *first_ns, gint64 *last_ns);

/* --- series of devices -------------------------------------------------------------------------------------------- */

typedef enum {
  LOOM_DEVICE_GPU,
  LOOM_DEVICE_CPU,
} LoomDevice;

typedef enum {
  LOOM_SELECT_DIMENSION, /* GPUUtilization, CPUUtilization */
  /* with smdebug's numbers: any series whose name begins with gpu or cpu, including memory and I/O wait */
  LOOM_SELECT_PREFIX,
} LoomSelect;

gboolean loom_data_frame_series_is (const LoomSampleSeries *series, LoomDevice device, LoomSelect select);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomDataFrame, loom_data_frame_unref)
