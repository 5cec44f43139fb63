/* SPDX-License-Identifier: Apache-2.0
 *
 * What a person does to the sources of a document, each a step that can be taken back. Paths are NULL-terminated.
 * Main thread.
 */
#pragma once

#include "loom-document.h"

/* Only these are shown; NULL: all that are not muted. */
void loom_source_commands_set_solo (LoomDocument *document, const char *const *paths);
void loom_source_commands_set_muted (LoomDocument *document, const char *const *paths, gboolean muted);
/* TRUE when all of them are. */
gboolean loom_source_commands_are_muted (LoomDocument *document, const char *const *paths);
/* Neither muted nor solo any more. */
void loom_source_commands_show_all (LoomDocument *document);

/* Not read any more; back again. The files stay where they are. */
void loom_source_commands_remove (LoomDocument *document, const char *const *paths);
guint loom_source_commands_count_removed (LoomDocument *document);
void loom_source_commands_bring_back (LoomDocument *document);

/* Called and placed so: NULL name or node, rank −1: as the file says. `which` is a mask: others stay as they are. */
typedef enum {
  LOOM_SOURCE_NAME = 1 << 0,
  LOOM_SOURCE_RANK = 1 << 1,
  LOOM_SOURCE_NODE = 1 << 2,
} LoomSourceMembers;
void loom_source_commands_describe (LoomDocument *document, const char *const *paths, LoomSourceMembers which,
                                    const char *name, gint rank, const char *node);
/* NULL or "": none. */
void loom_source_commands_set_pattern (LoomDocument *document, const char *pattern);

/* The paths of the sources to be seen; NULL: all are. Owned. */
GStrv loom_source_commands_dup_shown (LoomDocument *document);
