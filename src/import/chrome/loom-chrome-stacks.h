/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: tables of stack frames, {id: {"category", "name", "parent"}}.
 */
#pragma once

#include "loom-chrome-importer.h"

/* Adds the table's frames to the source. `pid` is the process to which they belong; if absent, they belong to the whole
 * source. Entries that are no frames are skipped. Stops, and logs this, if there is no memory for more. */
void loom_chrome_stacks_parse_frames (LoomChromeImporter *chrome, LoomJsonSlice pid, LoomJsonSlice table);
