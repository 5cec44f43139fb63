/* SPDX-License-Identifier: Apache-2.0
 *
 * Completes names in an SQL query. After the letters dur, it proposes the names of tables and columns that begin with
 * "dur". After 'nccl, which is the beginning of a text in quotes, it proposes the names of spans, categories, tracks,
 * processes and threads of the run that contain "nccl".
 */
#pragma once

#include "loom-query-state.h"

#include <gtksourceview/gtksource.h>

#define LOOM_TYPE_QUERY_COMPLETION (loom_query_completion_get_type ())
G_DECLARE_FINAL_TYPE (LoomQueryCompletion, loom_query_completion, LOOM, QUERY_COMPLETION, GObject)

/* Makes a completion provider for a GtkSourceView. Takes a reference to `query`. */
GtkSourceCompletionProvider *loom_query_completion_new (LoomQueryState *query);
