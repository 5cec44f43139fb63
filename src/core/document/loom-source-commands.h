/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands that change the sources of a document. Each command makes one undo step. All lists of paths are
 * NULL-terminated. Called on the main thread.
 */
#pragma once

#include "loom-document.h"

/* Shows only the sources with these paths (solo). With NULL, shows all sources that are not muted. */
void loom_source_commands_set_solo (LoomDocument *document, const char *const *paths);
void loom_source_commands_set_muted (LoomDocument *document, const char *const *paths, gboolean muted);
/* Returns TRUE if all sources with these paths are muted. */
gboolean loom_source_commands_are_muted (LoomDocument *document, const char *const *paths);
/* Ends the muting and the solo of all sources, so that all are shown. */
void loom_source_commands_show_all (LoomDocument *document);

/* loom_source_commands_remove() removes sources from the run, without changing their files.
 * loom_source_commands_count_removed() returns the number of removed sources. loom_source_commands_bring_back()
 * restores all removed sources. */
void loom_source_commands_remove (LoomDocument *document, const char *const *paths);
guint loom_source_commands_count_removed (LoomDocument *document);
void loom_source_commands_bring_back (LoomDocument *document);

/* Reads the traces of these index files (small files that can be opened instead of traces). A trace replaces its
 * index file when it has been read. Ignores sources that are not index files, and index files whose traces are on
 * another machine. */
void loom_source_commands_read_traces (LoomDocument *document, const char *const *paths);

/* The members of a LoomSourceEdit that loom_source_commands_describe() can set. */
typedef enum {
  LOOM_SOURCE_NAME = 1 << 0,
  LOOM_SOURCE_RANK = 1 << 1,
  LOOM_SOURCE_NODE = 1 << 2,
} LoomSourceMembers;
/* Changes the user's edit of each of these sources: sets the members in the mask `which`. If a name or node is NULL
 * or "", or if the rank is −1, the value that is stated in the file is used again. */
void loom_source_commands_describe (LoomDocument *document, const char *const *paths, LoomSourceMembers which,
                                    const char *name, gint rank, const char *node);
/* Sets the pattern that finds the rank and node of a source in its path. With NULL or "", ranks and nodes are not
 * taken from paths. */
void loom_source_commands_set_pattern (LoomDocument *document, const char *pattern);

/* Returns the paths of the visible sources; NULL if all sources are visible. Owned by the caller. */
GStrv loom_source_commands_dup_shown (LoomDocument *document);
