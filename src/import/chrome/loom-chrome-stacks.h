/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: tables of stack frames, {id: {"category", "name", "parent"}}.
 */
#pragma once

#include "loom-chrome-importer.h"

G_BEGIN_DECLS

/* Adds the table's frames to the source. `pid` is that of the process they count in; absent: they count in the whole
 * source. What is no frame is passed over. Stops where there is no memory for more, and says so. */
void loom_chrome_stacks_parse_frames (LoomChromeImporter *chrome, LoomJsonSlice pid, LoomJsonSlice table);

G_END_DECLS
