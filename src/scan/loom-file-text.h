/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/scan: LoomText of an uncompressed file. Descriptors are opened when needed and only so many are kept.
 */
#pragma once

#include "loom-text.h"

#include <sys/stat.h>

G_BEGIN_DECLS

/* `status` is what the file was when it was opened for loading. */
LoomText *loom_file_text_new (const char *path, const struct stat *status);

G_END_DECLS
