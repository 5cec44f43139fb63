/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: what stands beside traces and is none, and traces of other programs: each gets one sentence
 * that says what it is and, where there is something, what to open instead. Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* By the name alone: what nobody expects on the timeline, or, with `is_trace`, what somebody may. NULL: nothing known; else
 * static. */
const char *loom_unsupported_formats_by_name (const char *path, gboolean *is_trace);

/* By the beginning of the content; as above. */
const char *loom_unsupported_formats_by_content (const char *text, gsize n_bytes);

G_END_DECLS
