/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import/discovery: recognises those Python pickles that PyTorch writes (dumps of the flight recorder,
 * memory snapshots) by their first bytes. At least 2 KB are needed.
 */
#pragma once

#include <glib.h>

/* Returns TRUE if the text is the beginning of a dump of PyTorch's flight recorder, which records collectives. */
gboolean loom_pickle_sniff_is_flight_recorder (const char *text, gsize n);

/* Returns TRUE if the text is the beginning of a memory snapshot of PyTorch. */
gboolean loom_pickle_sniff_is_memory_snapshot (const char *text, gsize n);

/* Returns a sentence that says that the file is a Python pickle and not a trace; untranslated, static. NULL: the text
 * is not a pickle. */
const char *loom_pickle_sniff_explain (const char *text, gsize n);
