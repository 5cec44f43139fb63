/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/cli: makes all characters of a JSON text visible. Names in a trace file may contain characters that
 * people don't see but that a language model reads, such as tags, joiners and marks of text direction.
 */
#pragma once

#include <glib.h>

/* Replaces the invisible characters in a JSON text by escapes \uXXXX. These are the characters of the Unicode
 * categories Cf, Co and Cn, C1 control characters and line separators. They occur only inside strings, so the JSON
 * value does not change. Owned by the caller. O(length). */
char *loom_mcp_text_escape_invisible (const char *json);
