/* SPDX-License-Identifier: Apache-2.0
 *
 * Work of the main thread in small pieces: a few milliseconds of all such work in each turn of the main loop, so that keys, pointer
 * and frames never wait for the whole. Main thread only.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Does one piece; FALSE: there was none left. */
typedef gboolean (*LoomTurnsAdvance) (gpointer owner);

typedef struct {
  LoomTurnsAdvance advance;
  gpointer owner;
} LoomTurns;

/* Rests. Stopped before the owner goes. */
void loom_turns_init (LoomTurns *turns, LoomTurnsAdvance advance, gpointer owner);
/* From the next turn on, until nothing is left; nothing when it goes on already. */
void loom_turns_begin (LoomTurns *turns);
void loom_turns_stop (LoomTurns *turns);
/* All that is left, now: for who cannot wait. */
void loom_turns_finish (LoomTurns *turns);
gboolean loom_turns_is_going (const LoomTurns *turns);

G_END_DECLS
