/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* needed for strcasestr() */
#endif
#include "loom-problem-list.h"

#include "loom-archive-path.h"
#include "loom-excerpt.h"
#include "loom-natural-collate.h"
#include "loom-problem-item.h"
#include "loom-worker.h"

#include <string.h>

/* If at most this many rows are copied, the text of the file at the offset of each problem is copied, too. It must be
 * read from the file, so it is omitted if more rows are copied. */
#define MAX_COPIED_TEXTS 10000

struct _LoomProblemList {
  LoomRun *run;               /* run that owns the strings in `facts`; NULL if the list is empty */
  LoomSourceOverrides *names; /* the names that the user gave to sources; NULL if no source was renamed */
  GArray *facts;              /* LoomProblemFacts: one for each problem */
};

/* --- filling ------------------------------------------------------------------------------------------------------ */

static void
add (LoomProblemList *self, LoomProblemFacts facts)
{
  facts.given = loom_source_overrides_get_name (self->names, facts.path);
  g_array_append_val (self->facts, facts);
}

static void
add_ignored (LoomProblemList *self, gboolean failed)
{
  for (guint i = 0; i < loom_run_get_n_ignored (self->run); i++) {
    const LoomRunSkippedFile *ignored = loom_run_get_ignored (self->run, i);
    if (ignored->failed == failed)
      add (self, (LoomProblemFacts) { .severity = failed ? LOOM_SEVERITY_ERROR : LOOM_SEVERITY_INFO,
                                      .path = ignored->path,
                                      .code = failed ? "unreadable" : "ignored",
                                      .message = ignored->reason,
                                      .count = 1,
                                      .offset = LOOM_OFFSET_NONE });
  }
}

static void
add_of_severity (LoomProblemList *self, LoomSeverity severity)
{
  for (guint s = 0; s < loom_run_get_n_sources (self->run); s++) {
    const LoomSource *source = loom_run_get_source (self->run, s);
    for (guint i = 0; source->log != NULL && i < loom_import_log_get_n_problems (source->log); i++) {
      const LoomProblem *problem = loom_import_log_get_problem (source->log, i);
      if (problem->severity == severity)
        add (self, (LoomProblemFacts) { .severity = severity,
                                        .path = source->path,
                                        .code = problem->code,
                                        .message = problem->message != NULL ? problem->message : problem->code,
                                        .count = problem->count,
                                        .offset = problem->offset,
                                        .text = loom_source_get_file_text (source),
                                        .is_packed = source->packed });
    }
  }
}

LoomProblemList *
loom_problem_list_new (LoomRun *run, const LoomSourceOverrides *names)
{
  LoomProblemList *self = g_atomic_rc_box_new0 (LoomProblemList);
  self->facts = g_array_new (FALSE, FALSE, sizeof (LoomProblemFacts));
  self->names = names != NULL ? loom_source_overrides_copy (names) : NULL;
  if (run == NULL)
    return self;
  self->run = loom_run_ref (run);
  add_ignored (self, TRUE);
  add_of_severity (self, LOOM_SEVERITY_ERROR);
  add_of_severity (self, LOOM_SEVERITY_WARNING);
  add_of_severity (self, LOOM_SEVERITY_INFO);
  add_ignored (self, FALSE);
  return self;
}

LoomProblemList *
loom_problem_list_ref (LoomProblemList *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  LoomProblemList *self = data;
  g_clear_pointer (&self->run, loom_run_unref);
  g_clear_pointer (&self->names, loom_source_overrides_free);
  g_array_unref (self->facts);
}

void
loom_problem_list_unref (LoomProblemList *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

guint
loom_problem_list_get_n (const LoomProblemList *self)
{
  return self->facts->len;
}

const LoomProblemFacts *
loom_problem_list_get (const LoomProblemList *self, guint row)
{
  g_return_val_if_fail (row < self->facts->len, NULL);
  return &g_array_index (self->facts, LoomProblemFacts, row);
}

gboolean
loom_problem_list_has_offsets (const LoomProblemList *self)
{
  for (guint i = 0; i < self->facts->len; i++)
    if (loom_problem_list_get (self, i)->offset != LOOM_OFFSET_NONE)
      return TRUE;
  return FALSE;
}

/* --- order -------------------------------------------------------------------------------------------------------- */

static int
compare_numbers (guint64 a, guint64 b)
{
  return a < b ? -1 : a > b;
}

static int
compare (gpointer list, guint x, guint y, guint column)
{
  const LoomProblemFacts *a = loom_problem_list_get (list, x), *b = loom_problem_list_get (list, y);
  switch ((LoomProblemColumn) column) {
  case LOOM_PROBLEM_SEVERITY: return compare_numbers (a->severity, b->severity);
  case LOOM_PROBLEM_FILE:
    return loom_natural_collate_compare (a->given != NULL ? a->given : a->path, b->given != NULL ? b->given : b->path);
  case LOOM_PROBLEM_CODE: return strcmp (a->code, b->code);
  case LOOM_PROBLEM_COUNT: return compare_numbers (a->count, b->count);
  /* in a missing offset, all bits are set; adding 1 makes it 0, so problems without an offset come first */
  case LOOM_PROBLEM_OFFSET: return compare_numbers (a->offset + 1, b->offset + 1);
  case LOOM_PROBLEM_MESSAGE: return loom_natural_collate_compare (a->message, b->message);
  case LOOM_PROBLEM_TEXT:
  case LOOM_N_PROBLEM_COLUMNS:
  default: return 0;
  }
}

/* --- filter ------------------------------------------------------------------------------------------------------- */

typedef struct {
  guint severities; /* mask of the severities that pass the filter (1 << severity) */
  char **words;
  GHashTable *paths; /* set of the paths (char *) that pass the filter; NULL if all files pass */
} Filter;

static void
filter_free (Filter *filter)
{
  g_strfreev (filter->words);
  g_clear_pointer (&filter->paths, g_hash_table_unref);
  g_free (filter);
}

static GHashTable *
new_set (const char *const *paths)
{
  GHashTable *set = paths != NULL ? g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) : NULL;
  for (guint i = 0; paths != NULL && paths[i] != NULL; i++)
    g_hash_table_add (set, g_strdup (paths[i]));
  return set;
}

GBytes *
loom_problem_list_new_filter (guint severities, const char *words, const char *const *paths)
{
  Filter *filter = g_new (Filter, 1);
  *filter = (Filter) { severities, g_strsplit_set (words != NULL ? words : "", " \t", -1), new_set (paths) };
  return g_bytes_new_with_free_func (filter, sizeof *filter, (GDestroyNotify) filter_free, filter);
}

static gboolean
contains (const char *text, const char *word)
{
  if (g_str_is_ascii (word))
    return strcasestr (text, word) != NULL;
  g_autofree char *valid = g_utf8_make_valid (text, -1), *folded = g_utf8_casefold (valid, -1);
  g_autofree char *wanted = g_utf8_casefold (word, -1);
  return strstr (folded, wanted) != NULL;
}

/* Returns TRUE if each of the words occurs in at least one text of the problem. If the filter has two consecutive
 * blanks, one of the words is ""; it occurs in every text. */
static gboolean
has_words (const LoomProblemFacts *facts, char *const *words)
{
  for (guint i = 0; words[i] != NULL; i++)
    if (!contains (facts->path, words[i]) && !contains (facts->message, words[i]) &&
        !contains (facts->code, words[i]) && (facts->given == NULL || !contains (facts->given, words[i])))
      return FALSE;
  return TRUE;
}

static gboolean
matches (gpointer list, guint row, gconstpointer user_data)
{
  const Filter *filter = user_data;
  const LoomProblemFacts *facts = loom_problem_list_get (list, row);
  return (filter->severities & 1u << facts->severity) != 0 &&
         (filter->paths == NULL || g_hash_table_contains (filter->paths, facts->path)) &&
         has_words (facts, filter->words);
}

guint
loom_problem_list_count (const LoomProblemList *self, LoomSeverity severity, const char *const *paths)
{
  guint n = 0;
  g_autoptr (GBytes) filter = loom_problem_list_new_filter (1u << severity, NULL, paths);
  for (guint i = 0; i < self->facts->len; i++)
    n += matches ((gpointer) self, i, g_bytes_get_data (filter, NULL));
  return n;
}

LoomTableModel *
loom_problem_list_new_model (LoomProblemList *self, GtkSorter *sorter)
{
  static const LoomRowSource rows = { .ref = (gpointer (*) (gpointer)) loom_problem_list_ref,
                                      .unref = (GDestroyNotify) loom_problem_list_unref,
                                      .get_n_rows = (guint (*) (gpointer)) loom_problem_list_get_n,
                                      .compare = compare,
                                      .matches = matches,
                                      .get_item_type = loom_problem_item_get_type };
  LoomTableModel *model = loom_table_model_new (&rows, sorter, TRUE);
  loom_table_model_set_rows (model, self);
  return model;
}

/* --- problems as text --------------------------------------------------------------------------------------------- */

void
loom_problem_list_append_line (GString *out, const LoomProblemFacts *facts, const char *excerpt)
{
  g_autofree char *path = loom_archive_path_dup_printable (facts->path);
  g_string_append_printf (out, "%s\t%s\t%s\t%" G_GUINT64_FORMAT "\t",
                          loom_import_log_severity_to_string (facts->severity), path, facts->code, facts->count);
  if (facts->offset != LOOM_OFFSET_NONE)
    g_string_append_printf (out, "%" G_GUINT64_FORMAT, facts->offset);
  g_string_append_printf (out, "\t%s", facts->message);
  if (excerpt != NULL && *excerpt != '\0')
    g_string_append_printf (out, "\t%s", excerpt);
  g_string_append_c (out, '\n');
}

typedef struct {
  LoomProblemList *list;
  GArray *rows; /* guint: indices of the rows to copy */
} Copy;

static void
copy_free (Copy *copy)
{
  loom_problem_list_unref (copy->list);
  g_array_unref (copy->rows);
  g_free (copy);
}

static gpointer
write_lines (const Copy *copy, GCancellable *cancellable, GError **error)
{
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < copy->rows->len; i++) {
    const LoomProblemFacts *facts = loom_problem_list_get (copy->list, g_array_index (copy->rows, guint, i));
    gboolean has_place = facts->text != NULL && facts->offset != LOOM_OFFSET_NONE && i < MAX_COPIED_TEXTS;
    g_autofree char *excerpt = has_place ? loom_excerpt_read (facts->text, facts->offset, NULL, NULL) : NULL;
    loom_problem_list_append_line (out, facts, excerpt);
  }
  return g_string_free (out, FALSE);
}

void
loom_problem_list_write (LoomTableModel *model, LoomWorkerDone done, gpointer owner)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) write_lines, (GDestroyNotify) copy_free, g_free };
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < loom_table_model_get_n_rows (model); i++) {
    guint row = loom_table_model_get_row (model, i);
    g_array_append_val (rows, row);
  }
  Copy *copy =
    LOOM_WORKER_INPUT (Copy, loom_problem_list_ref (loom_table_model_get_rows (model)), g_steal_pointer (&rows));
  loom_worker_run (NULL, &kind, copy, done, owner);
}
