/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of a query as a chart: bars, lines, a histogram or points. Columns are chosen by their names, or else those that fit
 * best. The number of bars and points is limited, and the chart says how many rows it lacks. Any thread.
 */
#pragma once

#include "loom-chart.h"
#include "loom-query-answer.h"
#include "loom-statistics.h"

/* Maximum numbers of rows drawn. More bars or points could not be told apart, and each takes time when the chart is painted:
 * 2,000 points take 11 ms. Histograms count all rows. */
#define LOOM_QUERY_CHART_MOST_BARS 100
#define LOOM_QUERY_CHART_MOST_POINTS 2000
/* Maximum number of groups of rows, each with a line and a colour of its own. */
#define LOOM_QUERY_CHART_MOST_GROUPS 8

typedef enum {
  LOOM_QUERY_CHART_NONE, /* the rows are a table */
  LOOM_QUERY_CHART_BARS, /* one for each row, named by the column x */
  LOOM_QUERY_CHART_LINES,
  LOOM_QUERY_CHART_HISTOGRAM, /* of the column x; there is no y */
  LOOM_QUERY_CHART_POINTS,
  LOOM_N_QUERY_CHARTS
} LoomQueryChartKind;

typedef enum {
  LOOM_QUERY_CHART_X,
  LOOM_QUERY_CHART_Y,
  LOOM_QUERY_CHART_GROUP, /* rows with the same value have a line and a colour */
  LOOM_N_QUERY_CHART_AXES
} LoomQueryChartAxis;

/* Returns the word for a kind in a session file: "bars", "lines", "histogram", "points"; NULL: none. */
const char *loom_query_chart_kind_to_word (LoomQueryChartKind kind);
/* LOOM_QUERY_CHART_NONE for NULL and for unknown words. */
LoomQueryChartKind loom_query_chart_kind_from_word (const char *word);

/* Returns TRUE if the kind of chart has that axis, and the column can be on it. */
gboolean loom_query_chart_can_use (const LoomQueryAnswer *answer, LoomQueryChartKind kind, LoomQueryChartAxis axis,
                                   guint column);
/* Fills the number of the column on each axis; G_MAXUINT: none. `names` are those that the user chose: NULL, or a name of no
 * column that can be used: one that fits; "" for the group: none. O(columns · rows that are drawn). */
void loom_query_chart_choose (const LoomQueryAnswer *answer, LoomQueryChartKind kind,
                              const char *const names[LOOM_N_QUERY_CHART_AXES], guint columns[LOOM_N_QUERY_CHART_AXES]);

typedef struct {
  LoomChart *chart;  /* NULL: nothing can be drawn */
  guint *elements;   /* [row] → element of the chart; LOOM_CHART_NONE: the row is not drawn */
  guint n_rows;      /* of the answer */
  guint n_beyond;    /* rows beyond the limit */
  guint n_missing;   /* other rows without a number */
  guint n_ungrouped; /* other rows whose group is beyond LOOM_QUERY_CHART_MOST_GROUPS */
} LoomQueryChart;

/* Draws the columns of loom_query_chart_choose(). Owned by the caller. O(rows · log rows). */
LoomQueryChart *loom_query_chart_new (const LoomQueryAnswer *answer, LoomQueryChartKind kind,
                                      const guint columns[LOOM_N_QUERY_CHART_AXES]);
void loom_query_chart_free (LoomQueryChart *chart);

/* Says in translated sentences which rows are not drawn; "": all are. Owned by the caller. */
char *loom_query_chart_dup_lack (const LoomQueryChart *chart);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomQueryChart, loom_query_chart_free)
