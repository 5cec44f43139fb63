/* SPDX-License-Identifier: Apache-2.0
 *
 * The GError domain LOOM_ERROR, for failures that make a file, a request or an export unusable. Less severe problems
 * are counted in the import log (model/source/loom-import-log.h).
 */
#pragma once

#include <glib.h>

typedef enum {
  LOOM_ERROR_READ,        /* reading failed: the system reported an error */
  LOOM_ERROR_WRITE,       /* writing failed: permission denied, disk full, … */
  LOOM_ERROR_FORMAT,      /* no importer recognises the content */
  LOOM_ERROR_UNSUPPORTED, /* a known format that Traceloom does not read; the message names it */
  LOOM_ERROR_EMPTY,       /* the input has no events */
  LOOM_ERROR_RANGE,       /* the range is invalid or selects nothing */
  LOOM_ERROR_LIMIT,       /* a limit of loom-limits.h was reached */
} LoomError;

#define LOOM_ERROR (loom_error_quark ())
GQuark loom_error_quark (void);

/* Sets `error` from the errno value `saved_errno`, with code READ or WRITE. `format` is a constant that names the
 * failed operation and takes the path, such as "Cannot read “%s”"; this function translates it. */
void loom_error_set_from_errno (GError **error, LoomError code, int saved_errno, const char *format, const char *path);
