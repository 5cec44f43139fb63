/* SPDX-License-Identifier: Apache-2.0
 *
 * The server side of the Model Context Protocol (modelcontextprotocol.io/specification). Of the features of the
 * protocol, it offers only tools. Messages are lines of JSON-RPC 2.0. Two kinds of clients are supported: clients that
 * begin with the handshake “initialize” (protocol versions 2024-11-05 to 2025-11-25), and clients that state the
 * version in “_meta” of each request (2026-07-28). Between requests, the server stores nothing except results that
 * tools have computed.
 *
 * One call at a time, from any thread.
 */
#pragma once

#include "loom-mcp-tools.h"

/* Maximum number of bytes of a line, which is one request. A longer line is refused without being parsed. */
#define LOOM_MCP_SERVER_LINE_BYTES (1024 * 1024)

/* Maximum duration of a call, in seconds. The program that runs the server must cancel longer calls. */
#define LOOM_MCP_SERVER_CALL_SECONDS 60

/* Answers one line. `length`: without the line feed. Returns one line of JSON without a line feed, owned by the
 * caller; NULL if the line needs no answer, because it is a notification, a response or empty. */
char *loom_mcp_server_answer (LoomMcpTools *tools, const char *line, gsize length, GCancellable *cancellable);

/* Returns the answer to a line that is longer than LOOM_MCP_SERVER_LINE_BYTES. Owned by the caller. */
char *loom_mcp_server_refuse_line (void);

/* Returns the id of the request in a line, as JSON; NULL if the line is not a request. Owned by the caller. */
char *loom_mcp_server_dup_id (const char *line, gsize length);
/* If a line cancels another request, returns the id of that request as JSON; otherwise NULL. Owned by the caller. */
char *loom_mcp_server_dup_cancelled_id (const char *line, gsize length);
