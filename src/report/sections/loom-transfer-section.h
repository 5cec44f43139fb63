/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/report: the transfers of collectives and messages of a report as JSON and as text. Any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-transfers.h"

/* Adds {"count","groups":[…]} as the member "transfers". Times are ns, bandwidths bytes per second. */
void loom_transfer_section_build (const LoomTransfers *transfers, JsonBuilder *builder);
/* Appends readable text: first slow groups, then the groups that take most time. */
void loom_transfer_section_write (const LoomTransfers *transfers, GString *out);
