/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-name-row.h"

#include "loom-natural.h"
#include "loom-words.h"

#include <glib/gi18n.h>

struct _LoomNameRow {
  GObject parent;
  const LoomNameStats *stats;
  double share;
  gboolean ambiguous;
};

G_DEFINE_FINAL_TYPE (LoomNameRow, loom_name_row, G_TYPE_OBJECT)

static void
loom_name_row_class_init (LoomNameRowClass *klass)
{
}

static void
loom_name_row_init (LoomNameRow *self)
{
}

LoomNameRow *
loom_name_row_new (const LoomNameStats *stats, double share, gboolean ambiguous)
{
  LoomNameRow *self = g_object_new (LOOM_TYPE_NAME_ROW, NULL);
  self->stats = stats;
  self->share = share;
  self->ambiguous = ambiguous;
  return self;
}

const LoomNameStats *
loom_name_row_get_stats (LoomNameRow *self)
{
  return self->stats;
}

double
loom_name_row_get_share (LoomNameRow *self)
{
  return self->share;
}

const char *
loom_name_column_get_title (LoomNameColumn column)
{
  switch (column) {
  case LOOM_NAME_COLUMN_NAME: return C_ ("column", "Name");
  case LOOM_NAME_COLUMN_COUNT: return C_ ("column", "Count");
  case LOOM_NAME_COLUMN_INSIDE: return C_ ("column", "In range");
  case LOOM_NAME_COLUMN_TOTAL: return C_ ("column", "Total");
  case LOOM_NAME_COLUMN_SELF: return C_ ("column", "Self");
  case LOOM_NAME_COLUMN_MEAN: return C_ ("column", "Mean");
  case LOOM_NAME_COLUMN_MIN: return C_ ("column", "Shortest");
  case LOOM_NAME_COLUMN_P50: return C_ ("column", "Median");
  case LOOM_NAME_COLUMN_P95: return C_ ("column", "p95");
  case LOOM_NAME_COLUMN_P99: return C_ ("column", "p99");
  case LOOM_NAME_COLUMN_MAX: return C_ ("column", "Longest");
  default: return C_ ("column", "Share");
  }
}

const char *
loom_name_column_get_words (LoomNameColumn column)
{
  switch (column) {
  case LOOM_NAME_COLUMN_NAME: return _ ("Double-click a row to go to the longest span of its name");
  case LOOM_NAME_COLUMN_COUNT: return _ ("Spans that touch the range, on all tracks");
  case LOOM_NAME_COLUMN_INSIDE:
    return _ ("Time inside the range, summed over all tracks; what runs at once counts each");
  case LOOM_NAME_COLUMN_TOTAL: return _ ("Whole durations, also outside the range, summed over all tracks");
  case LOOM_NAME_COLUMN_SELF: return _ ("Total without what runs inside these spans, summed over all tracks");
  case LOOM_NAME_COLUMN_MEAN: return _ ("Total by count");
  case LOOM_NAME_COLUMN_MIN: return _ ("The shortest of these spans, whole");
  case LOOM_NAME_COLUMN_P50: return _ ("Half of these spans are shorter");
  case LOOM_NAME_COLUMN_P95: return _ ("95 % of these spans are shorter");
  case LOOM_NAME_COLUMN_P99: return _ ("99 % of these spans are shorter");
  case LOOM_NAME_COLUMN_MAX: return _ ("The longest of these spans, whole; double-click a row to go there");
  default: return _ ("Of the time of all names inside the range");
  }
}

gboolean
loom_name_column_is_number (LoomNameColumn column)
{
  return column != LOOM_NAME_COLUMN_NAME;
}

static gint64
number_of (LoomNameRow *self, LoomNameColumn column)
{
  switch (column) {
  case LOOM_NAME_COLUMN_COUNT: return (gint64) self->stats->count;
  case LOOM_NAME_COLUMN_SELF: return self->stats->self_ns;
  case LOOM_NAME_COLUMN_MEAN: return self->stats->mean_ns;
  case LOOM_NAME_COLUMN_MIN: return self->stats->min_ns;
  case LOOM_NAME_COLUMN_P50: return self->stats->p50_ns;
  case LOOM_NAME_COLUMN_P95: return self->stats->p95_ns;
  case LOOM_NAME_COLUMN_P99: return self->stats->p99_ns;
  case LOOM_NAME_COLUMN_MAX: return self->stats->max_ns;
  case LOOM_NAME_COLUMN_TOTAL: return self->stats->total_ns;
  default: return self->stats->in_range_ns;
  }
}

static char *
full_name (LoomNameRow *self)
{
  const char *name = *self->stats->name != '\0' ? self->stats->name : _ ("(no name)");
  return self->ambiguous && *self->stats->category != '\0' ? g_strdup_printf ("%s · %s", name, self->stats->category)
                                                           : g_strdup (name);
}

static char *
cell (LoomNameRow *self, LoomNameColumn column, char *(*format) (gint64 ns))
{
  switch (column) {
  case LOOM_NAME_COLUMN_NAME: return full_name (self);
  case LOOM_NAME_COLUMN_COUNT: return loom_words_number (self->stats->count);
  case LOOM_NAME_COLUMN_SHARE: return g_strdup_printf ("%.1f %%", self->share * 100);
  default: return format (number_of (self, column));
  }
}

char *
loom_name_row_dup_cell (LoomNameRow *self, LoomNameColumn column)
{
  return cell (self, column, loom_time_format_duration);
}

char *
loom_name_row_dup_exact (LoomNameRow *self, LoomNameColumn column)
{
  return cell (self, column, loom_time_format_exact);
}

int
loom_name_row_compare (LoomNameRow *a, LoomNameRow *b, LoomNameColumn column)
{
  if (column == LOOM_NAME_COLUMN_NAME) {
    int order = loom_natural_compare (a->stats->name, b->stats->name);
    return order != 0 ? order : loom_natural_compare (a->stats->category, b->stats->category);
  }
  gint64 x = number_of (a, column), y = number_of (b, column);
  return (x > y) - (x < y);
}
