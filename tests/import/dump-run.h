/* SPDX-License-Identifier: Apache-2.0
 *
 * What was loaded, as text that can be compared.
 */
#pragma once

#include "loom-load.h"

/* `folder` is cut from the paths. `everything`: also facts, messages and what else no picture shows. piece_bytes: as in
 * LoomLoadOptions. */
#define DUMP_IN_ONE_PASS G_MAXUINT64
char *dump_run (LoomRun *run, const char *folder, gboolean everything);
char *dump_folder (const char *folder, guint64 piece_bytes, gboolean everything);
