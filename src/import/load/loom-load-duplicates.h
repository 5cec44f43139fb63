/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: chooses which of several files is loaded if all should contain the same trace. The first file
 * is read. If it is damaged or cut off, the others are read, too, and the file with the most events is kept.
 */
#pragma once

#include "loom-load-groups.h"

/* Returns TRUE if a unit (files that are read together) was read but did not give a complete trace, so that its
 * duplicates should be read. */
gboolean loom_load_duplicates_are_needed (const LoomLoadUnit *unit);

/* Exchanges the files and traces of two units, both already read, if `duplicate` has more events than `unit`. */
void loom_load_duplicates_choose (LoomLoadUnit *unit, LoomLoadUnit *duplicate);

/* Adds the files of all duplicates of the units (LoomLoadUnit) to the ignored files of `run`, with the file that is
 * loaded instead. If neither a unit nor its duplicates are loaded, adds only those files of the duplicates that could
 * not be read, with the reasons. */
void loom_load_duplicates_note (const GPtrArray *units, LoomRun *run);
