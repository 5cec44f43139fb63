/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: a table of texts that an event leaves for later events of the file, such as the name that a
 * metadata event gives to a pid. When parts (pieces) of a file are read in parallel, each piece looks up texts in the
 * table as it was before all pieces, and records the results. When the text before the piece has been read, the
 * recorded results show whether the piece was read with the right state.
 *
 * One thread may write a table. While pieces are being read, no thread may write the table that they look up.
 */
#pragma once

#include "loom-json-slice.h"

typedef struct _LoomChromeState LoomChromeState;

/* Returns an empty table. Lookups that find nothing in it continue in the table `before`, which is borrowed and must
 * outlive the new table; NULL: none. */
LoomChromeState *loom_chrome_carry_over_new (const LoomChromeState *before);
void loom_chrome_carry_over_free (LoomChromeState *carry);

/* Returns the text that was set for a kind and a key; NULL if none was set. `kind`: a letter that the caller chooses
 * for one use of the table; the same key can have another text for each kind. The result is valid until a text is set
 * again for this kind and key. */
const char *loom_chrome_carry_over_get (LoomChromeState *carry, char kind, LoomJsonSlice key);
void loom_chrome_carry_over_set (LoomChromeState *carry, char kind, LoomJsonSlice key, const char *text);

/* Returns TRUE if all lookups that `carry` made in its table `before` (loom_chrome_carry_over_new()) have the same
 * results in the table `before` that is passed here. */
gboolean loom_chrome_carry_over_fits (const LoomChromeState *carry, const LoomChromeState *before);

/* Sets in `before` all texts that were set in `carry`. */
void loom_chrome_carry_over_pass_on (const LoomChromeState *carry, LoomChromeState *before);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomChromeState, loom_chrome_carry_over_free)
