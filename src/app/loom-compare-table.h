/* SPDX-License-Identifier: Apache-2.0
 *
 * What changed between two runs as a table. Any thread.
 */
#pragma once

#include "loom-name-changes.h"
#include "loom-table.h"

G_BEGIN_DECLS

/* Rows stand in the order of the changes. */
LoomTable *loom_compare_table_new (const LoomNameChanges *changes);

G_END_DECLS
