/* SPDX-License-Identifier: Apache-2.0
 *
 * Server side of the Model Context Protocol (modelcontextprotocol.io/specification), with tools only: messages are
 * lines of JSON-RPC 2.0. Two kinds of clients are answered: those that begin with the handshake “initialize” (protocol
 * versions 2024-11-05 to 2025-11-25), and those whose requests state the version in “_meta” (2026-07-28). Between
 * requests, the server stores only results that tools have computed.
 *
 * One call at a time, from any thread.
 */
#pragma once

#include "loom-mcp-tools.h"

/* Maximum number of bytes of a line, which is one request; longer lines are refused without being parsed. */
#define LOOM_MCP_SERVER_LINE_BYTES (1024 * 1024)

/* Time limit of a call, in seconds. The program that runs the server must cancel longer calls. */
#define LOOM_MCP_SERVER_CALL_SECONDS 60

/* Answers one line, whose `length` does not include the line feed. Returns one line of JSON without a line feed; NULL
 * if the line needs no answer, because it is a notification, a response or empty. Owned by the caller. */
char *loom_mcp_server_answer (LoomMcpTools *tools, const char *line, gsize length, GCancellable *cancellable);

/* Returns the answer to a line that is longer than LOOM_MCP_SERVER_LINE_BYTES. Owned by the caller. */
char *loom_mcp_server_refuse_line (void);

/* Returns the id of a request as JSON; NULL if the line is not a request. Owned by the caller. */
char *loom_mcp_server_dup_id (const char *line, gsize length);
/* Returns the id, as JSON, of the request that a line cancels; NULL if the line does not cancel a request. Owned by the
 * caller. */
char *loom_mcp_server_dup_cancelled_id (const char *line, gsize length);
