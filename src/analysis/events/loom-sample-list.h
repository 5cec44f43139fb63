/* SPDX-License-Identifier: Apache-2.0
 *
 * A sorted list of samples of a timeline: samples that are in a given range and whose texts contain given words.
 * Samples are the values of counters, the samples of threads (phase P of Chrome's trace event format), and the
 * functions in which a sampling Python profiler found a thread (sessions of pyinstrument). If a function was running in
 * several successive samples, the list has a single row for them, with the self time of the function. Reports of
 * pyinstrument are skipped, because they contain only a tree of functions without times. Uses eight bytes per sample.
 * Immutable, ref-counted atomically, any thread.
 */
#pragma once

#include "loom-source-overrides.h"
#include "loom-timeline.h"
#include "loom-track-id.h"

#include <gio/gio.h>

/* Maximum number of listed samples, because widgets cannot show longer lists. Further samples are counted, but not
 * listed. */
#define LOOM_SAMPLE_LIST_MOST 50000000

/* The order of a list. Samples with equal values (duration, name …) are sorted by time, then by their order in the
 * trace. */
typedef enum {
  LOOM_SAMPLE_BY_TIME,
  LOOM_SAMPLE_BY_DURATION, /* by duration; samples of unknown duration come first */
  LOOM_SAMPLE_BY_NAME,     /* by name in natural order */
  LOOM_SAMPLE_BY_VALUE,    /* by the number, without regard to its unit; samples without a value come first */
  LOOM_SAMPLE_BY_DEPTH,
  LOOM_SAMPLE_BY_RANK,  /* by rank; samples without a rank come first */
  LOOM_SAMPLE_BY_TRACK, /* in the order of the run's tracks */
  LOOM_N_SAMPLE_ORDERS
} LoomSampleOrder;

typedef struct {
  /* time range on the timeline; a sample is in the range if range.begin_ns ≤ time of the sample < range.end_ns. If the
   * range is empty, samples at all times are listed */
  LoomRange range;
  const GArray *tracks; /* LoomTrackId of the tracks whose samples are listed; NULL: all tracks */
  const char *text;     /* words that must all occur in the name or the track labels; NULL or "": no filter */
  const LoomSourceOverrides *names; /* names that the user gave to sources; NULL: no source was renamed */
  LoomSampleOrder order;
  gboolean descending;
} LoomSampleQuery;

typedef struct {
  LoomTrackId track;
  gint64 time_ns; /* on the timeline */
  /* of a counter: how long the value holds; of a call of a function: its self time; −1: unknown */
  gint64 duration_ns;
  const LoomSeries *series; /* series of the counter; NULL: the sample is not of a counter */
  double value;             /* value of the counter; not used (0) if `series` is NULL */
  LoomSpanId span;          /* span of the sample or of the function's call; LOOM_SPAN_ID_NONE for counters */
  guint depth;              /* number of calls that enclose the call of the function; 0 if the file does not state it */
} LoomSample;

typedef struct {
  LoomTimeline *timeline;
  guint64 n_found; /* number of matching samples, including those beyond the limit */
  guint n;
  /* TRUE if at least one listed sample has a value (has_values), a depth > 0 (has_depths), or a rank (has_ranks) */
  gboolean has_values, has_depths, has_ranks;
  gboolean ranks_differ; /* see loom-event-list.h */
  /* number of decimal digits that times in seconds need: 0, 3, 6 or 9; determined from about a thousand samples */
  guint digits;
  /* Private: */
  gatomicrefcount refs;
  GArray *places; /* Place: a series, or a row of spans or instants */
  /* [row of the list] the sample. `trace`: index of a Place in `places`. `span`: if the Place is a series, index of the
   * sample in it; if the Place is a row of spans, index of the span in its trace */
  LoomSpanId *rows;
} LoomSampleList;

/* Returns TRUE if the timeline has any sample. O(series + rows of spans). */
gboolean loom_sample_list_has_any (LoomTimeline *timeline);

/* Finds and sorts the samples of a query. Takes O(samples in the range), and needs 40 bytes per sample while it runs.
 * NULL when cancelled. */
LoomSampleList *loom_sample_list_new (LoomTimeline *timeline, const LoomSampleQuery *query, GCancellable *cancellable);
LoomSampleList *loom_sample_list_ref (LoomSampleList *list);
void loom_sample_list_unref (LoomSampleList *list);

/* Sets `sample` to the sample in a row of the list. O(1), or O(log spans) for a call of a function. */
void loom_sample_list_get (const LoomSampleList *list, guint row, LoomSample *sample);
/* Returns the name that a row of the list shows. For a counter, this is for example "GPU utilization · 0"; for other
 * samples, it is the name of the sample or of the function. Owned by the caller. */
char *loom_sample_list_dup_name (const LoomSampleList *list, guint row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSampleList, loom_sample_list_unref)
