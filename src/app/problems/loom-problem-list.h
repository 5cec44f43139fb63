/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of the problems that occurred while a run was loaded: files that could not be read, problems within sources,
 * and ignored files. Texts are borrowed from the run, so that a problem needs only a few pointers; a run may have a
 * hundred thousand ignored files. Immutable, atomically reference-counted.
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
  const char *code; /* for example "truncated"; for files that were not loaded "unreadable" or "ignored" */
  const char *message;
  guint64 count;
  guint64 offset;       /* offset of the first occurrence, in bytes; LOOM_OFFSET_NONE if unknown */
  LoomByteSource *text; /* source from which the text at the offset can be read; NULL if the text cannot be read */
  gboolean is_packed;   /* TRUE if `offset` counts bytes of the decompressed text of a compressed file */
  const char *given;    /* name that the user gave to the source; NULL if it was not renamed */
} LoomProblemFacts;

typedef enum {
  LOOM_PROBLEM_SEVERITY,
  LOOM_PROBLEM_FILE,
  LOOM_PROBLEM_CODE,
  LOOM_PROBLEM_COUNT,
  LOOM_PROBLEM_OFFSET,
  LOOM_PROBLEM_MESSAGE,
  LOOM_PROBLEM_TEXT, /* the text of the file at the offset; rows cannot be sorted by this column */
  LOOM_N_PROBLEM_COLUMNS
} LoomProblemColumn;

typedef struct _LoomProblemList LoomProblemList;

/* Lists the problems of a run (may be NULL), sorted by severity with the worst first; problems of equal severity
 * keep their order. `names`: the names that the user gave to sources, copied; NULL if no source was renamed.
 * O(problems). */
LoomProblemList *loom_problem_list_new (LoomRun *run, const LoomSourceOverrides *names);
LoomProblemList *loom_problem_list_ref (LoomProblemList *self);
void loom_problem_list_unref (LoomProblemList *self);

guint loom_problem_list_get_n (const LoomProblemList *self);
const LoomProblemFacts *loom_problem_list_get (const LoomProblemList *self, guint row); /* returns a borrowed struct */
/* Returns TRUE if at least one problem has a known offset. O(problems). */
gboolean loom_problem_list_has_offsets (const LoomProblemList *self);
/* Returns the number of problems with this severity in the files `paths`, or in all files if `paths` is NULL. */
guint loom_problem_list_count (const LoomProblemList *self, LoomSeverity severity, const char *const *paths);

/* Appends one line for a problem: severity, path, code, count, offset in bytes and message, separated by tabs.
 * `excerpt`: the text of the file at the offset; it is appended, too; if it is NULL or "", nothing is appended for
 * it. */
void loom_problem_list_append_line (GString *out, const LoomProblemFacts *facts, const char *excerpt);

/* --- problems as a table ------------------------------------------------------------------------------------------ */

/* Makes a model whose items are LoomProblemItem; `sorter` may be NULL. */
LoomTableModel *loom_problem_list_new_model (LoomProblemList *self, GtkSorter *sorter);
/* Makes a filter for loom_table_model_take_filter(). A row passes if its severity is in the mask `severities` (1 <<
 * severity), it contains each word of `words`, ignoring case, and its path is one of `paths`. If `words` is "" or NULL,
 * the words are not checked; if `paths` is NULL, the path is not checked. Owned by the caller. */
GBytes *loom_problem_list_new_filter (guint severities, const char *words, const char *const *paths);

/* Makes the text of all shown rows on a worker thread, including texts around offsets, which are read from the
 * files. `done` receives and owns the text. `owner` must live until `done` is called. */
void loom_problem_list_write (LoomTableModel *model, LoomWorkerDone done, gpointer owner);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomProblemList, loom_problem_list_unref)
