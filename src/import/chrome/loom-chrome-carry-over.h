/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: what the meaning of an event takes over from those before it, as texts under keys. A piece of a
 * file that is read ahead asks the table of what stands before the pieces and remembers the answers: when its turn
 * comes, they tell whether it was read as it would have been in one pass.
 *
 * One writer. While pieces read, nobody writes the table they ask.
 */
#pragma once

#include "loom-json-slice.h"

G_BEGIN_DECLS

typedef struct _LoomChromeState LoomChromeState;

/* `before` (may be NULL) is borrowed and must live as long. */
LoomChromeState *loom_chrome_carry_over_new (const LoomChromeState *before);
void loom_chrome_carry_over_free (LoomChromeState *carry);

/* The text under a key, kinds being apart; NULL for none. Valid until the key is set again. */
const char *loom_chrome_carry_over_get (LoomChromeState *carry, char kind, LoomJsonSlice key);
void loom_chrome_carry_over_set (LoomChromeState *carry, char kind, LoomJsonSlice key, const char *text);

/* TRUE when `before` would still answer all that was asked as it did. */
gboolean loom_chrome_carry_over_fits (const LoomChromeState *carry, const LoomChromeState *before);

/* What was set behind `before` is set there. */
void loom_chrome_carry_over_pass_on (const LoomChromeState *carry, LoomChromeState *before);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomChromeState, loom_chrome_carry_over_free)

G_END_DECLS
