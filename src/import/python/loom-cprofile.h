/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import, and for tests and fuzzing: the bytes of a cProfile dump become a profile.
 */
#pragma once

#include "loom-import-log.h"
#include "loom-python-profile-builder.h"

G_BEGIN_DECLS

/* Fills `builder` (timer, interval and place are the caller's). What is odd is logged. FALSE with LOOM_ERROR_FORMAT or
 * LOOM_ERROR_LIMIT; then `error_offset` (may be NULL) is the byte that is wrong, and nothing of it is to be shown. Any
 * bytes will do. */
gboolean loom_cprofile_read (LoomPythonProfileBuilder *builder, const char *bytes, gsize length, LoomImportLog *log,
                             guint64 *error_offset, GError **error);

G_END_DECLS
