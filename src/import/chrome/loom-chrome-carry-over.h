/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the state that later events take over from earlier events, as texts by key. A piece of a file
 * that is read ahead in parallel uses the table as it was before all pieces, and records the result of each lookup.
 * When the preceding text has been read, the recorded results show whether the piece was read as in a single pass.
 *
 * One writer. While pieces are being read, no thread writes the table that they use.
 */
#pragma once

#include "loom-json-slice.h"

typedef struct _LoomChromeState LoomChromeState;

/* Returns an empty table. A lookup that finds nothing in it continues in `before`, which may be NULL, is borrowed and
 * must outlive the table. */
LoomChromeState *loom_chrome_carry_over_new (const LoomChromeState *before);
void loom_chrome_carry_over_free (LoomChromeState *carry);

/* Returns the text that was set for a key; NULL if there is none. Each `kind` has keys of its own. Valid until the key
 * is set again. */
const char *loom_chrome_carry_over_get (LoomChromeState *carry, char kind, LoomJsonSlice key);
void loom_chrome_carry_over_set (LoomChromeState *carry, char kind, LoomJsonSlice key, const char *text);

/* `carry` has recorded its lookups in the table `before` that was given to loom_chrome_carry_over_new(). Returns TRUE
 * if all these lookups would have the same results in the `before` given here. */
gboolean loom_chrome_carry_over_fits (const LoomChromeState *carry, const LoomChromeState *before);

/* Sets in `before` all texts that were set in `carry`. */
void loom_chrome_carry_over_pass_on (const LoomChromeState *carry, LoomChromeState *before);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomChromeState, loom_chrome_carry_over_free)
