/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* strcasestr */
#endif
#include "loom-problems-sorter.h"

#include "loom-natural-collate.h"

#include <string.h>

/* Rows between two looks at the cancellable. */
#define LOOK_EVERY 1024

LoomProblemsSorter *
loom_problems_sorter_new (LoomRun *run, GArray *all)
{
  LoomProblemsSorter *self = g_new0 (LoomProblemsSorter, 1);
  self->run = run != NULL ? loom_run_ref (run) : NULL;
  self->all = g_array_ref (all);
  self->column = LOOM_N_PROBLEM_COLUMNS;
  self->severities = G_MAXUINT;
  return self;
}

LoomProblemsSorter *
loom_problems_sorter_copy (const LoomProblemsSorter *order)
{
  LoomProblemsSorter *copy = loom_problems_sorter_new (order->run, order->all);
  copy->column = order->column;
  copy->descending = order->descending;
  copy->severities = order->severities;
  copy->words = g_strdupv (order->words);
  copy->paths = order->paths != NULL ? g_hash_table_ref (order->paths) : NULL;
  copy->sorted = order->sorted != NULL ? g_array_ref (order->sorted) : NULL;
  return copy;
}

void
loom_problems_sorter_free (LoomProblemsSorter *order)
{
  g_clear_pointer (&order->run, loom_run_unref);
  g_clear_pointer (&order->paths, g_hash_table_unref);
  g_clear_pointer (&order->sorted, g_array_unref);
  g_clear_pointer (&order->shown, g_array_unref);
  g_array_unref (order->all);
  g_strfreev (order->words);
  g_free (order);
}

static const LoomProblemFacts *
facts_at (const LoomProblemsSorter *self, guint number)
{
  return &g_array_index (self->all, LoomProblemFacts, number);
}

static int
compare_numbers (guint64 a, guint64 b)
{
  return a < b ? -1 : a > b;
}

static int
compare_column (const LoomProblemFacts *a, const LoomProblemFacts *b, LoomProblemColumn column)
{
  switch (column) {
  case LOOM_PROBLEM_SEVERITY: return compare_numbers (a->severity, b->severity);
  case LOOM_PROBLEM_FILE:
    return loom_natural_collate_compare (a->given != NULL ? a->given : a->path, b->given != NULL ? b->given : b->path);
  case LOOM_PROBLEM_CODE: return strcmp (a->code, b->code);
  case LOOM_PROBLEM_COUNT: return compare_numbers (a->count, b->count);
  case LOOM_PROBLEM_OFFSET: return compare_numbers (a->offset + 1, b->offset + 1); /* none, which is all ones, first */
  case LOOM_PROBLEM_MESSAGE: return loom_natural_collate_compare (a->message, b->message);
  case LOOM_PROBLEM_TEXT:
  case LOOM_N_PROBLEM_COLUMNS:
  default: return 0;
  }
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const LoomProblemsSorter *self = user_data;
  guint x = *(const guint *) a, y = *(const guint *) b;
  int order = compare_column (facts_at (self, x), facts_at (self, y), self->column);
  if (order == 0)
    return compare_numbers (x, y);
  return self->descending ? -order : order;
}

static gboolean
is_ascii (const char *word)
{
  return g_str_is_ascii (word);
}

static gboolean
contains (const char *text, const char *word)
{
  if (is_ascii (word))
    return strcasestr (text, word) != NULL;
  g_autofree char *valid = g_utf8_make_valid (text, -1), *folded = g_utf8_casefold (valid, -1);
  g_autofree char *wanted = g_utf8_casefold (word, -1);
  return strstr (folded, wanted) != NULL;
}

gboolean
loom_problems_sorter_has_file (const LoomProblemsSorter *self, const LoomProblemFacts *facts)
{
  return self->paths == NULL || g_hash_table_contains (self->paths, facts->path);
}

static gboolean
passes (const LoomProblemsSorter *self, const LoomProblemFacts *facts)
{
  if ((self->severities & 1u << facts->severity) == 0 || !loom_problems_sorter_has_file (self, facts))
    return FALSE;
  for (guint i = 0; self->words != NULL && self->words[i] != NULL; i++)
    if (!contains (facts->path, self->words[i]) && !contains (facts->message, self->words[i]) &&
        !contains (facts->code, self->words[i]) && (facts->given == NULL || !contains (facts->given, self->words[i])))
      return FALSE;
  return TRUE;
}

static void
sort_all (LoomProblemsSorter *self)
{
  self->sorted = g_array_sized_new (FALSE, FALSE, sizeof (guint), self->all->len);
  for (guint i = 0; i < self->all->len; i++)
    g_array_append_val (self->sorted, i);
  if (self->column != LOOM_N_PROBLEM_COLUMNS)
    g_array_sort_with_data (self->sorted, compare_rows, self);
}

gboolean
loom_problems_sorter_work (LoomProblemsSorter *self, GCancellable *cancellable)
{
  if (self->sorted == NULL)
    sort_all (self);
  g_clear_pointer (&self->shown, g_array_unref);
  self->shown = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < self->sorted->len; i++) {
    guint number = g_array_index (self->sorted, guint, i);
    if (i % LOOK_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      return FALSE;
    if (passes (self, facts_at (self, number)))
      g_array_append_val (self->shown, number);
  }
  return TRUE;
}
