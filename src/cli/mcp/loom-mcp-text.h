/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/cli: JSON texts whose every character is visible. A name in a trace file may hold characters that people don't
 * see and a language model reads: tags, joiners, marks of direction.
 */
#pragma once

#include <glib.h>

/* Replaces the invisible characters in a JSON text by escapes \uXXXX. These are characters of the Unicode categories
 * Cf, Co and Cn, C1 controls and line separators. They can only occur inside strings, so the JSON value does not
 * change. Owned by the caller. O(length). */
char *loom_mcp_text_escape_invisible (const char *json);
