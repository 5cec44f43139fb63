/* SPDX-License-Identifier: Apache-2.0
 *
 * The user's changes to the sources of a run, by path, so that they can be saved and apply again when the run is
 * reloaded: which sources are removed, muted or solo, their names, and where they ran. A plain struct for one thread;
 * another thread may read a copy.
 */
#pragma once

#include <glib.h>

typedef struct {
  char *path;       /* canonical path; a URI ("s3://…") is unchanged */
  char *name;       /* name given by the user; NULL: none */
  gboolean removed; /* not read at all */
  gboolean muted;   /* not shown */
  gboolean solo;    /* if any source is solo, only solo sources are shown */
  gboolean has_rank;
  gint rank;  /* ≥ 0 */
  char *node; /* NULL: that of the file */
} LoomSourceEdit;

typedef struct _LoomSourceOverrides LoomSourceOverrides;

LoomSourceOverrides *loom_source_overrides_new (void); /* without changes */
LoomSourceOverrides *loom_source_overrides_copy (const LoomSourceOverrides *edits);
void loom_source_overrides_free (LoomSourceOverrides *edits);
gboolean loom_source_overrides_is_empty (const LoomSourceOverrides *edits);
gboolean loom_source_overrides_equal (const LoomSourceOverrides *a, const LoomSourceOverrides *b);
/* Returns TRUE if both overrides load the same files with the same ranks and nodes; names and visibility may differ. */
gboolean loom_source_overrides_read_the_same (const LoomSourceOverrides *a, const LoomSourceOverrides *b);
/* Returns TRUE if both give all sources the same names. NULL: no names given. */
gboolean loom_source_overrides_name_the_same (const LoomSourceOverrides *a, const LoomSourceOverrides *b);

/* Returns the changes of a source, NULL if there are none. Borrowed until the next change. */
const LoomSourceEdit *loom_source_overrides_find (const LoomSourceOverrides *edits, const char *path);
/* Returns the name given by the user, NULL if there is none. `edits` may be NULL. Borrowed until the next change. */
const char *loom_source_overrides_get_name (const LoomSourceOverrides *edits, const char *path);
/* Returns TRUE if the user may have set the node of this source, directly or by the pattern, which can apply to any
 * source. `edits` may be NULL. */
gboolean loom_source_overrides_says_node (const LoomSourceOverrides *edits, const char *path);
/* Returns the changes of a source for writing; adds an entry if there is none. The texts in it are owned by the entry.
 * Borrowed until the next call. */
LoomSourceEdit *loom_source_overrides_change (LoomSourceOverrides *edits, const char *path);
/* Returns the entries with changes, sorted by path. Transfer container; the elements are borrowed. */
GPtrArray *loom_source_overrides_list (const LoomSourceOverrides *edits);
void loom_source_overrides_clear_solo (LoomSourceOverrides *edits);

/* Returns TRUE if mute and solo let the source be shown. */
gboolean loom_source_overrides_shows (const LoomSourceOverrides *edits, const char *path);
/* Returns TRUE if any source is muted or solo. */
gboolean loom_source_overrides_hides_any (const LoomSourceOverrides *edits);

/* Sets a regular expression over paths, whose groups “rank” and “node” give the place of a source; NULL: none. Places
 * set for a single source take precedence. */
void loom_source_overrides_set_pattern (LoomSourceOverrides *edits, const char *pattern);
const char *loom_source_overrides_get_pattern (const LoomSourceOverrides *edits);

/* Compiles a pattern. Fails if it is not a valid expression or has neither group. */
GRegex *loom_source_overrides_pattern_new (const char *pattern, GError **error);

/* Place of a source set by the user. */
typedef struct {
  gboolean has_rank, has_node;
  gint rank;
  char *node;
} LoomSourcePlace;

void loom_source_overrides_place_clear (LoomSourcePlace *place);
/* Matches a path against the pattern. Returns FALSE if it gives no place. */
gboolean loom_source_overrides_pattern_match (const GRegex *pattern, const char *path, LoomSourcePlace *place);

/* Finds the places of many paths; any thread. An invalid pattern counts as none. */
typedef struct _LoomSourcePlacer LoomSourcePlacer;
LoomSourcePlacer *loom_source_overrides_placer_new (const LoomSourceOverrides *edits);
void loom_source_overrides_placer_free (LoomSourcePlacer *placer);
/* Returns FALSE if no place was set. `place` must be cleared in either case. */
gboolean loom_source_overrides_placer_find (const LoomSourcePlacer *placer, const char *path, LoomSourcePlace *place);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSourceOverrides, loom_source_overrides_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSourcePlacer, loom_source_overrides_placer_free)
