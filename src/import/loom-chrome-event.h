/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: one event by its phase.
 */
#pragma once

#include "loom-chrome.h"

G_BEGIN_DECLS

void loom_chrome_log_long (LoomChrome *chrome, guint64 offset);

void loom_chrome_take_event (LoomChrome *chrome, const LoomEvent *event);
void loom_chrome_take_metadata (LoomChrome *chrome, const LoomEvent *event);

/* Flows and async events; the time is anchored. */
void loom_chrome_take_flow (LoomChrome *chrome, const LoomEvent *event, char phase, guint32 thread, gint64 time_ns, guint32 name_id, LoomRef ref);
void loom_chrome_take_bound_flow (LoomChrome *chrome, const LoomEvent *event, guint32 thread, gint64 time_ns, guint32 name_id, LoomRef ref);
void loom_chrome_take_async (LoomChrome *chrome, const LoomEvent *event, char phase, guint32 process, guint32 thread, gint64 time_ns, guint32 name_id, LoomRef ref);

G_END_DECLS
