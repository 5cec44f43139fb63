/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: what the meaning of an event takes over from those before it, as texts under keys. A piece of a
 * file that is read ahead asks the table of what stands before the pieces and remembers the answers: when its turn
 * comes, they tell whether it was read as it would have been in one pass.
 *
 * One writer. While pieces read, nobody writes the table they ask.
 */
#pragma once

#include "loom-json-text.h"

G_BEGIN_DECLS

typedef struct _LoomCarry LoomCarry;

/* `before` (may be NULL) is borrowed and must live as long. */
LoomCarry *loom_carry_new (const LoomCarry *before);
void loom_carry_free (LoomCarry *carry);

/* The text under a key, kinds being apart; NULL for none. Valid until the key is set again. */
const char *loom_carry_get (LoomCarry *carry, char kind, LoomSlice key);
void loom_carry_set (LoomCarry *carry, char kind, LoomSlice key, const char *text);

/* TRUE when `before` would still answer all that was asked as it did. */
gboolean loom_carry_fits (const LoomCarry *carry, const LoomCarry *before);

/* What was set behind `before` is set there. */
void loom_carry_pass_on (const LoomCarry *carry, LoomCarry *before);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomCarry, loom_carry_free)

G_END_DECLS
