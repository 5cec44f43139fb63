/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import, and for tests and fuzzing: parses the bytes of a cProfile dump into a profile.
 */
#pragma once

#include "loom-import-log.h"
#include "loom-python-profile-builder.h"

/* Reads a dump of cProfile into `builder`. The dump does not state timer, interval, node and rank; the caller must set
 * these. Implausible values are logged. Returns FALSE with LOOM_ERROR_FORMAT or LOOM_ERROR_LIMIT on failure;
 * `error_offset` (may be NULL) is then the offset of the wrong byte, and the content of `builder` must not be shown.
 * `bytes` may be any bytes. */
gboolean loom_cprofile_read (LoomPythonProfileBuilder *builder, const char *bytes, gsize length, LoomImportLog *log,
                             guint64 *error_offset, GError **error);
