/* SPDX-License-Identifier: Apache-2.0
 *
 * A run of three ranks whose clocks drift, and the rows that a query finds in it.
 */
#pragma once

#include "loom-query.h"

LoomQueryRun *query_fixture_new (void);

/* Returns all rows as text: columns separated by "|", rows by line feeds. */
char *query_fixture_ask (LoomQueryRun *run, const char *sql);

#define assert_rows(run, sql, rows)                           \
  G_STMT_START                                                \
  {                                                           \
    g_autofree char *got_ = query_fixture_ask ((run), (sql)); \
    g_assert_cmpstr (got_, ==, (rows));                       \
  }                                                           \
  G_STMT_END
