/* SPDX-License-Identifier: Apache-2.0
 *
 * The user's changes to the sources of a run: which sources are removed, muted or solo, their names, and the node and
 * rank on which they were recorded. Sources are identified by path, so that changes can be saved and apply again when
 * the run is reloaded. Must be used by one thread at a time; another thread may use a copy.
 */
#pragma once

#include <glib.h>

typedef struct {
  char *path;       /* canonical path of the source; a URI such as "s3://…" is used as it is */
  char *name;       /* name given by the user; NULL: none */
  gboolean removed; /* TRUE if the source is not read */
  gboolean muted;   /* TRUE if the user has hidden the source */
  /* TRUE if the user has chosen to see only this source; if any source is solo, only solo sources are shown */
  gboolean solo;
  gboolean has_rank;
  gint rank;  /* rank that the user has set, ≥ 0; valid only if `has_rank` is TRUE */
  char *node; /* node that the user has set for the source; NULL: the node that the file states */
} LoomSourceEdit;

typedef struct _LoomSourceOverrides LoomSourceOverrides;

/* Returns overrides that change nothing. Owned by the caller. */
LoomSourceOverrides *loom_source_overrides_new (void);
LoomSourceOverrides *loom_source_overrides_copy (const LoomSourceOverrides *edits);
void loom_source_overrides_free (LoomSourceOverrides *edits);
gboolean loom_source_overrides_is_empty (const LoomSourceOverrides *edits);
gboolean loom_source_overrides_equal (const LoomSourceOverrides *a, const LoomSourceOverrides *b);
/* Returns TRUE if the program loads the same files, with the same ranks and nodes, for both overrides. Names and
 * visibility may differ. */
gboolean loom_source_overrides_read_the_same (const LoomSourceOverrides *a, const LoomSourceOverrides *b);
/* Returns TRUE if both overrides give all sources the same names. An argument of NULL gives no names. */
gboolean loom_source_overrides_name_the_same (const LoomSourceOverrides *a, const LoomSourceOverrides *b);

/* Returns the entry of a source; NULL if the user has not changed this source. Borrowed until the next change. */
const LoomSourceEdit *loom_source_overrides_find (const LoomSourceOverrides *edits, const char *path);
/* Returns the name that the user has given a source; NULL: none. `edits` may be NULL. Borrowed until the next
 * change. */
const char *loom_source_overrides_get_name (const LoomSourceOverrides *edits, const char *path);
/* Returns TRUE if the user may have set the node of this source: either directly or by a pattern, because a pattern can
 * match any source. `edits` may be NULL. */
gboolean loom_source_overrides_says_node (const LoomSourceOverrides *edits, const char *path);
/* Returns the entry of a source for changing it; adds an entry if there is none. The entry owns its texts. Borrowed
 * until the next call of this function. */
LoomSourceEdit *loom_source_overrides_change (LoomSourceOverrides *edits, const char *path);
/* Returns the entries with changes, sorted by path. The caller owns the array; the elements are borrowed. */
GPtrArray *loom_source_overrides_list (const LoomSourceOverrides *edits);
void loom_source_overrides_clear_solo (LoomSourceOverrides *edits);

/* Returns FALSE if the source is hidden, because it is muted or because other sources are solo. */
gboolean loom_source_overrides_shows (const LoomSourceOverrides *edits, const char *path);
/* Returns TRUE if any source is muted or solo. */
gboolean loom_source_overrides_hides_any (const LoomSourceOverrides *edits);

/* Sets a regular expression that is matched with the paths of sources; NULL: none. The texts that its groups “rank” and
 * “node” match become the rank and the node of the source. A rank or node that the user has set for a single source
 * takes precedence. */
void loom_source_overrides_set_pattern (LoomSourceOverrides *edits, const char *pattern);
const char *loom_source_overrides_get_pattern (const LoomSourceOverrides *edits);

/* Compiles a pattern. Returns NULL with `error` if it is not a valid expression, or has neither a group “rank” nor a
 * group “node”. */
GRegex *loom_source_overrides_pattern_new (const char *pattern, GError **error);

/* The node and the rank that the user has set for a source. */
typedef struct {
  gboolean has_rank, has_node;
  gint rank;
  char *node;
} LoomSourcePlace;

void loom_source_overrides_place_clear (LoomSourcePlace *place);
/* Sets `place` to the node and rank that a pattern finds in a path. Returns FALSE if it finds neither. */
gboolean loom_source_overrides_pattern_match (const GRegex *pattern, const char *path, LoomSourcePlace *place);

/* Finds the nodes and ranks that the user has set for many paths, on any thread. An invalid pattern is ignored. */
typedef struct _LoomSourcePlacer LoomSourcePlacer;
LoomSourcePlacer *loom_source_overrides_placer_new (const LoomSourceOverrides *edits);
void loom_source_overrides_placer_free (LoomSourcePlacer *placer);
/* Sets `place` to the node and rank that the user has set for the source at a path. Returns FALSE if both are unset;
 * `place` must be cleared even then. */
gboolean loom_source_overrides_placer_find (const LoomSourcePlacer *placer, const char *path, LoomSourcePlace *place);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSourceOverrides, loom_source_overrides_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSourcePlacer, loom_source_overrides_placer_free)
