/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/export. Assigns the process and thread ids of smdebug's merged timeline, in which each phase of the
 * training (such as "Step:ModeKeys.TRAIN") is a process. The pid of a phase is taken from a range that depends on words
 * in the phase's name. The threads of a pid get the tids 1, 2, … in the order in which they first appear.
 */
#pragma once

#include <glib.h>

typedef struct _LoomSmdebugPhases LoomSmdebugPhases;

LoomSmdebugPhases *loom_smdebug_phases_new (void);
void loom_smdebug_phases_free (LoomSmdebugPhases *phases);

/* Returns the pid of a phase; sets `fresh` to TRUE if the pid is used for the first time. */
gint64 loom_smdebug_phases_pid (LoomSmdebugPhases *phases, const char *phase, gboolean *fresh);

/* Returns the tid of a thread of this pid; sets `fresh` to TRUE if the tid is used for the first time. `identity`
 * distinguishes threads with equal labels ("": none). */
gint64 loom_smdebug_phases_tid (LoomSmdebugPhases *phases, gint64 pid, const char *label, const char *identity,
                                gboolean *fresh);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSmdebugPhases, loom_smdebug_phases_free)
