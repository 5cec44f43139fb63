/* SPDX-License-Identifier: Apache-2.0
 *
 * The GError domain LOOM_ERROR, for failures after which a file, a request or an export cannot be used. Less severe
 * problems are counted in the import log (model/source/loom-import-log.h).
 */
#pragma once

#include <glib.h>

typedef enum {
  LOOM_ERROR_READ,        /* reading failed: the system reported an error */
  LOOM_ERROR_WRITE,       /* writing failed: permission denied, disk full, … */
  LOOM_ERROR_FORMAT,      /* no importer recognises the content */
  LOOM_ERROR_UNSUPPORTED, /* a known format that the program does not read; the message names the format */
  LOOM_ERROR_EMPTY,       /* the input has no events */
  LOOM_ERROR_RANGE,       /* the range is invalid or selects nothing */
  LOOM_ERROR_LIMIT,       /* a limit of loom-limits.h was reached */
} LoomError;

#define LOOM_ERROR (loom_error_quark ())
GQuark loom_error_quark (void);

/* Sets `error`: the code is `code` (READ or WRITE), and the message contains the reason for the errno value
 * `saved_errno`. `format`: names the failed operation, with a place for the path, such as "Cannot read “%s”"; must be a
 * constant, which this function translates. */
void loom_error_set_from_errno (GError **error, LoomError code, int saved_errno, const char *format, const char *path);
