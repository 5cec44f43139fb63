/* SPDX-License-Identifier: Apache-2.0
 *
 * Draws the rows of a query's answer as a chart: bars, lines, a histogram or points. The user chooses the columns of
 * axes by name; for axes without a choice, the columns that fit best are chosen. The numbers of bars, points and groups
 * are limited, and LoomQueryChart states how many rows are not drawn. Any thread.
 */
#pragma once

#include "loom-chart.h"
#include "loom-query-answer.h"
#include "loom-statistics.h"

/* Maximum numbers of bars and of points; each row of the answer is one bar or point. More bars or points could not be
 * distinguished, and painting takes time: 11 ms for 2,000 points. Histograms are not limited; they count all rows. */
#define LOOM_QUERY_CHART_MOST_BARS 100
#define LOOM_QUERY_CHART_MOST_POINTS 2000
/* Maximum number of groups of rows. Each group has a line and a colour of its own. */
#define LOOM_QUERY_CHART_MOST_GROUPS 8

typedef enum {
  LOOM_QUERY_CHART_NONE, /* no chart, only the table of rows */
  LOOM_QUERY_CHART_BARS, /* a bar for each row; the column x names the bars */
  LOOM_QUERY_CHART_LINES,
  LOOM_QUERY_CHART_HISTOGRAM, /* a histogram of the values in the column x; there is no column y */
  LOOM_QUERY_CHART_POINTS,
  LOOM_N_QUERY_CHARTS
} LoomQueryChartKind;

typedef enum {
  LOOM_QUERY_CHART_X,
  LOOM_QUERY_CHART_Y,
  LOOM_QUERY_CHART_GROUP, /* rows with the same value in this column share a line and a colour */
  LOOM_N_QUERY_CHART_AXES
} LoomQueryChartAxis;

/* Returns the word by which a session file names a kind: "bars", "lines", "histogram", "points"; NULL for
 * LOOM_QUERY_CHART_NONE. */
const char *loom_query_chart_kind_to_word (LoomQueryChartKind kind);
/* Returns the kind for a word; LOOM_QUERY_CHART_NONE for NULL and for unknown words. */
LoomQueryChartKind loom_query_chart_kind_from_word (const char *word);

/* Returns TRUE if this kind of chart has the axis, and the column can be used on the axis. */
gboolean loom_query_chart_can_use (const LoomQueryAnswer *answer, LoomQueryChartKind kind, LoomQueryChartAxis axis,
                                   guint column);
/* Fills `columns` with the index of the column on each axis; G_MAXUINT: the axis has no column. `names`: for each axis,
 * the name of the column that the user chose. If this name is NULL, or no column with this name can be used on the
 * axis, the axis gets the column that fits best. If the name for LOOM_QUERY_CHART_GROUP is "", rows are not grouped.
 * O(columns · rows that are drawn). */
void loom_query_chart_choose (const LoomQueryAnswer *answer, LoomQueryChartKind kind,
                              const char *const names[LOOM_N_QUERY_CHART_AXES], guint columns[LOOM_N_QUERY_CHART_AXES]);

typedef struct {
  LoomChart *chart; /* the chart; NULL: nothing can be drawn */
  /* for each row of the answer, the index of the bar or point in `chart` that represents the row; LOOM_CHART_NONE: the
   * row is not drawn */
  guint *elements;
  guint n_rows;    /* number of rows of the query's answer */
  guint n_beyond;  /* number of rows that are not drawn because there are too many rows */
  guint n_missing; /* number of rows that are not drawn because a cell is not a finite number */
  /* number of rows that are not drawn because there are more than LOOM_QUERY_CHART_MOST_GROUPS groups */
  guint n_ungrouped;
} LoomQueryChart;

/* Draws the columns that loom_query_chart_choose() found. Owned by the caller. O(rows · log rows). */
LoomQueryChart *loom_query_chart_new (const LoomQueryAnswer *answer, LoomQueryChartKind kind,
                                      const guint columns[LOOM_N_QUERY_CHART_AXES]);
void loom_query_chart_free (LoomQueryChart *chart);

/* Returns translated sentences which say how many rows are not drawn and why; "": all rows are drawn. Owned by the
 * caller. */
char *loom_query_chart_dup_lack (const LoomQueryChart *chart);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomQueryChart, loom_query_chart_free)
