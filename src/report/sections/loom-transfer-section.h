/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the part of the report about transfers: the data that groups of ranks exchange in collectives and messages
 * (loom-transfers.h), as JSON and as text. Private to src/report. The functions may be called on any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-transfers.h"

/* Adds {"count","groups":[…]} as the member "transfers". Times are in ns, bandwidths in bytes per second. */
void loom_transfer_section_build (const LoomTransfers *transfers, JsonBuilder *builder);
/* Appends the results as text for a terminal: first the groups with slow transfers, then the groups whose transfers
 * take most time. */
void loom_transfer_section_write (const LoomTransfers *transfers, GString *out);
