/* SPDX-License-Identifier: Apache-2.0
 *
 * One error domain for everything that makes a file, a request or an export unusable. Anything less is counted
 * in the import log (model/source/loom-import-log.h).
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LOOM_ERROR_READ,        /* the system would not give the bytes */
  LOOM_ERROR_WRITE,       /* the system would not take them (permission, full disk) */
  LOOM_ERROR_FORMAT,      /* the bytes are not what any importer reads */
  LOOM_ERROR_UNSUPPORTED, /* a known format that is refused by name */
  LOOM_ERROR_EMPTY,       /* nothing to show */
  LOOM_ERROR_RANGE,       /* a range that selects nothing or makes no sense */
  LOOM_ERROR_LIMIT,       /* a stated limit was reached */
} LoomError;

#define LOOM_ERROR (loom_error_quark ())
GQuark loom_error_quark (void);

/* Sets `error` from errno `saved_errno`, code READ or WRITE. `format` is a constant that says what failed and takes the
 * path, "Cannot read “%s”"; it is translated here. */
void loom_error_set_from_errno (GError **error, LoomError code, int saved_errno, const char *format, const char *path);

G_END_DECLS
