/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands that change the sources of a document. Each command is one undo step. Lists of paths are NULL-terminated.
 * Called on the main thread.
 */
#pragma once

#include "loom-document.h"

/* Shows only the sources with these paths; NULL: shows all sources that are not muted. */
void loom_source_commands_set_solo (LoomDocument *document, const char *const *paths);
void loom_source_commands_set_muted (LoomDocument *document, const char *const *paths, gboolean muted);
/* Returns TRUE if all sources with these paths are muted. */
gboolean loom_source_commands_are_muted (LoomDocument *document, const char *const *paths);
/* Ends muting and solo of all sources. */
void loom_source_commands_show_all (LoomDocument *document);

/* The next three functions remove sources from the run, count the removed sources, and bring all removed sources back.
 * The files are not touched. */
void loom_source_commands_remove (LoomDocument *document, const char *const *paths);
guint loom_source_commands_count_removed (LoomDocument *document);
void loom_source_commands_bring_back (LoomDocument *document);

/* Reads the traces from which these indexes (small files that are opened in place of traces) were made. Each trace
 * replaces its index once it is read. Skips sources that are not indexes, and indexes whose trace is on another
 * machine. */
void loom_source_commands_read_traces (LoomDocument *document, const char *const *paths);

/* The members of a LoomSourceEdit that loom_source_commands_describe() can set. */
typedef enum {
  LOOM_SOURCE_NAME = 1 << 0,
  LOOM_SOURCE_RANK = 1 << 1,
  LOOM_SOURCE_NODE = 1 << 2,
} LoomSourceMembers;
/* Changes the user's edit of each of these sources: sets the members in the mask `which`. A name or node that is NULL
 * or "", or the rank −1, restores the value that the file states. */
void loom_source_commands_describe (LoomDocument *document, const char *const *paths, LoomSourceMembers which,
                                    const char *name, gint rank, const char *node);
/* Sets the pattern by which ranks and nodes are read from paths; NULL or "": they are not read from paths. */
void loom_source_commands_set_pattern (LoomDocument *document, const char *pattern);

/* Returns the paths of the visible sources; NULL: all are visible. Owned by the caller. */
GStrv loom_source_commands_dup_shown (LoomDocument *document);
