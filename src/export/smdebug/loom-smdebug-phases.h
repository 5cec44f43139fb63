/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/export. Process and thread ids of smdebug's merged timeline: pids by substrings of the phase's name, tids
 * 1, 2, … per pid in order of first appearance.
 */
#pragma once

#include <glib.h>

typedef struct _LoomSmdebugPhases LoomSmdebugPhases;

LoomSmdebugPhases *loom_smdebug_phases_new (void);
void loom_smdebug_phases_free (LoomSmdebugPhases *phases);

/* The pid of a phase; `fresh` becomes TRUE if it is used for the first time. */
gint64 loom_smdebug_phases_pid (LoomSmdebugPhases *phases, const char *phase, gboolean *fresh);

/* The tid of a thread of that pid; `identity` distinguishes threads with equal labels ("": none). */
gint64 loom_smdebug_phases_tid (LoomSmdebugPhases *phases, gint64 pid, const char *label, const char *identity,
                                gboolean *fresh);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSmdebugPhases, loom_smdebug_phases_free)
