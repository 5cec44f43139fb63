/* SPDX-License-Identifier: Apache-2.0
 *
 * The tools with which an assistant (a language model) examines a loaded run: sources, tables, findings, report, SQL
 * queries, the spans of a range, and a picture. Tools only read the run. The picture is written to a file in a new
 * temporary folder, which is then removed.
 *
 * Texts in trace files may be written to mislead an assistant. So they occur only inside JSON strings, every answer
 * says that they are data, and characters that are invisible or change the direction of text are escaped. The text of
 * an answer has at most LOOM_MCP_TOOLS_TEXT_BYTES bytes.
 *
 * One call at a time, from any thread.
 */
#pragma once

#include "loom-json-slice.h"
#include "loom-query.h"
#include "loom-source-overrides.h"

#define LOOM_MCP_TOOLS_TEXT_BYTES (256 * 1024)
#define LOOM_MCP_TOOLS_ROWS 1000   /* maximum number of rows in an answer */
#define LOOM_MCP_TOOLS_PIXELS 2000 /* maximum width and height of a picture, in pixels */

typedef struct _LoomMcpTools LoomMcpTools;

/* Makes the tools for a run. `names`: the names that the user gave to sources; may be NULL; must live longer than
 * the tools. */
LoomMcpTools *loom_mcp_tools_new (LoomTimeline *timeline, const LoomSourceOverrides *names);
void loom_mcp_tools_free (LoomMcpTools *self);

/* Appends the JSON array of all tools with their JSON Schemas, for the result of “tools/list”. */
void loom_mcp_tools_append_list (GString *out);
gboolean loom_mcp_tools_has (const char *name);

/* Calls a tool, and appends its answer, which is an array of content blocks. `arguments`: a strict JSON object, or
 * empty. On failure, appends nothing, returns FALSE and sets `error`, whose message is for the assistant:
 * LOOM_ERROR_FORMAT for wrong arguments, an error of loom-query.h, or G_IO_ERROR_CANCELLED. */
gboolean loom_mcp_tools_call (LoomMcpTools *self, const char *name, LoomJsonSlice arguments, GCancellable *cancellable,
                              GString *out, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomMcpTools, loom_mcp_tools_free)
