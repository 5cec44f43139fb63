/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps what is open in step with the disk: files that grow and files that come are read a moment later. Folders are
 * watched; where that does not tell of everything (files of other machines) they are looked at again and again, at a
 * distance that costs little. Locations are left alone. Main thread; the disk is looked at in workers.
 */
#pragma once

#include "loom-document.h"

typedef struct _LoomLiveReload LoomLiveReload;

/* The document is borrowed and outlives it. */
LoomLiveReload *loom_live_reload_new (LoomDocument *document);
void loom_live_reload_free (LoomLiveReload *self);

/* TRUE at first. */
void loom_live_reload_set_active (LoomLiveReload *self, gboolean active);
