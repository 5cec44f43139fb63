/* SPDX-License-Identifier: Apache-2.0
 *
 * What a person changed about the sources of a run, by their paths, so that it can be kept and holds for a run that is read
 * again: which are left out, alone or not shown, what they are called, and where they ran. A plain struct for one thread;
 * a copy may be read by another one.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char *path;       /* canonical; a location ("s3://…") as it is */
  char *name;       /* what it is called instead; NULL: as it is */
  gboolean removed; /* not read at all */
  gboolean muted;   /* not shown */
  gboolean solo;    /* where any is, only those are shown */
  gboolean has_rank;
  gint rank;  /* ≥ 0 */
  char *node; /* NULL: as the file says */
} LoomSourceEdit;

typedef struct _LoomSourceOverrides LoomSourceOverrides;

LoomSourceOverrides *loom_source_overrides_new (void); /* nothing changed */
LoomSourceOverrides *loom_source_overrides_copy (const LoomSourceOverrides *edits);
void loom_source_overrides_free (LoomSourceOverrides *edits);
gboolean loom_source_overrides_is_empty (const LoomSourceOverrides *edits);
gboolean loom_source_overrides_equal (const LoomSourceOverrides *a, const LoomSourceOverrides *b);
/* TRUE when the two read the same files as running at the same places; names and what is shown may differ. */
gboolean loom_source_overrides_read_the_same (const LoomSourceOverrides *a, const LoomSourceOverrides *b);
/* TRUE when sources are called the same. NULL: as they are. */
gboolean loom_source_overrides_name_the_same (const LoomSourceOverrides *a, const LoomSourceOverrides *b);

/* NULL: nothing was changed about it. Borrowed until the next change. */
const LoomSourceEdit *loom_source_overrides_find (const LoomSourceOverrides *edits, const char *path);
/* What it is called by hand; NULL: as it is. `edits` may be NULL. Borrowed likewise. */
const char *loom_source_overrides_get_name (const LoomSourceOverrides *edits, const char *path);
/* Whether its node may be said by hand, or by the pattern, which may say it of any source. `edits` may be NULL. */
gboolean loom_source_overrides_says_node (const LoomSourceOverrides *edits, const char *path);
/* To be changed; made when there is none. Texts are owned. Borrowed until the next call. */
LoomSourceEdit *loom_source_overrides_change (LoomSourceOverrides *edits, const char *path);
/* Those that say something, in the order of their paths. Container; the elements are borrowed. */
GPtrArray *loom_source_overrides_list (const LoomSourceOverrides *edits);
void loom_source_overrides_clear_solo (LoomSourceOverrides *edits);

/* Whether a source is to be seen, as far as muting and solo go. */
gboolean loom_source_overrides_shows (const LoomSourceOverrides *edits, const char *path);
/* Whether any source is not to be seen, or only some are. */
gboolean loom_source_overrides_hides_any (const LoomSourceOverrides *edits);

/* A regular expression over paths whose groups named “rank” and “node” tell where a source ran; NULL: none. What is set by
 * hand for one source counts more. */
void loom_source_overrides_set_pattern (LoomSourceOverrides *edits, const char *pattern);
const char *loom_source_overrides_get_pattern (const LoomSourceOverrides *edits);

/* A pattern that can be used: a right expression with one of the two groups. */
GRegex *loom_source_overrides_pattern_new (const char *pattern, GError **error);

/* Where a source is said to have run. */
typedef struct {
  gboolean has_rank, has_node;
  gint rank;
  char *node;
} LoomSourcePlace;

void loom_source_overrides_place_clear (LoomSourcePlace *place);
/* What the pattern says of a path; FALSE: nothing. */
gboolean loom_source_overrides_pattern_match (const GRegex *pattern, const char *path, LoomSourcePlace *place);

/* Answers for many paths; any thread. A wrong pattern counts as none. */
typedef struct _LoomSourcePlacer LoomSourcePlacer;
LoomSourcePlacer *loom_source_overrides_placer_new (const LoomSourceOverrides *edits);
void loom_source_overrides_placer_free (LoomSourcePlacer *placer);
/* FALSE: nothing was said of it. `place` is to be cleared in either case. */
gboolean loom_source_overrides_placer_find (const LoomSourcePlacer *placer, const char *path, LoomSourcePlace *place);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSourceOverrides, loom_source_overrides_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSourcePlacer, loom_source_overrides_placer_free)

G_END_DECLS
