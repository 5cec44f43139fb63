/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of the problems that occurred while a run was loaded: files that could not be read, problems within sources,
 * and ignored files. Texts are borrowed from the run, so that a hundred thousand ignored files need only a few pointers
 * each. Immutable, atomically reference-counted.
 */
#pragma once

#include "loom-run.h"
#include "loom-source-overrides.h"
#include "loom-table-model.h"
#include "loom-worker.h"

/* One problem, which is a row of the list. Strings are borrowed from the run and the list of problems. */
typedef struct {
  LoomSeverity severity;
  const char *path; /* path in the file system's encoding */
  const char *code; /* for example "truncated"; "unreadable" or "ignored" for files that were not loaded */
  const char *message;
  guint64 count;
  guint64 offset;       /* offset of the first occurrence, in bytes; LOOM_OFFSET_NONE: unknown */
  LoomByteSource *text; /* source from which the text at the offset can be read; NULL: the text cannot be read */
  gboolean is_packed;   /* TRUE if the offset counts bytes of the decompressed text */
  const char *given;    /* name that the user gave to the source; NULL: it was not renamed */
} LoomProblemFacts;

typedef enum {
  LOOM_PROBLEM_SEVERITY,
  LOOM_PROBLEM_FILE,
  LOOM_PROBLEM_CODE,
  LOOM_PROBLEM_COUNT,
  LOOM_PROBLEM_OFFSET,
  LOOM_PROBLEM_MESSAGE,
  LOOM_PROBLEM_TEXT, /* the text at the offset; rows cannot be sorted by this column */
  LOOM_N_PROBLEM_COLUMNS
} LoomProblemColumn;

typedef struct _LoomProblemList LoomProblemList;

/* Lists the problems of a run (may be NULL), the worst first; problems of equal severity keep the order of the run.
 * `names`: the names that the user gave to sources, copied; NULL: no source was renamed. O(problems). */
LoomProblemList *loom_problem_list_new (LoomRun *run, const LoomSourceOverrides *names);
LoomProblemList *loom_problem_list_ref (LoomProblemList *self);
void loom_problem_list_unref (LoomProblemList *self);

guint loom_problem_list_get_n (const LoomProblemList *self);
const LoomProblemFacts *loom_problem_list_get (const LoomProblemList *self, guint row); /* returns a borrowed struct */
/* Returns TRUE if the offset of at least one problem is known. O(problems). */
gboolean loom_problem_list_has_offsets (const LoomProblemList *self);
/* Returns the number of problems of the files `paths` (NULL: of all files) that have this severity. */
guint loom_problem_list_count (const LoomProblemList *self, LoomSeverity severity, const char *const *paths);

/* Appends one line: severity, path, code, count, byte and message separated by tabs, then the text at the offset
 * unless it is NULL or "". */
void loom_problem_list_append_line (GString *out, const LoomProblemFacts *facts, const char *excerpt);

/* --- problems as a table ------------------------------------------------------------------------------------------ */

/* Makes a model whose items are LoomProblemItem; `sorter` may be NULL. */
LoomTableModel *loom_problem_list_new_model (LoomProblemList *self, GtkSorter *sorter);
/* Makes a filter for loom_table_model_take_filter(). A row passes if all conditions are met: its severity is in the
 * mask `severities` (1 << severity); it contains each of the words, ignoring case ("" or NULL: no condition); its path
 * is one of `paths` (NULL: no condition). Owned. */
GBytes *loom_problem_list_new_filter (guint severities, const char *words, const char *const *paths);

/* Makes the text of all shown rows in a worker, including the excerpts of the files. `done` receives the text and owns
 * it; `owner` must live until `done` is called. */
void loom_problem_list_write (LoomTableModel *model, LoomWorkerDone done, gpointer owner);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomProblemList, loom_problem_list_unref)
