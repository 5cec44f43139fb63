/* SPDX-License-Identifier: Apache-2.0
 *
 * A run of three ranks whose clocks drift, and functions that run a query over it and compare the rows.
 */
#pragma once

#include "loom-query.h"

LoomQueryRun *query_fixture_new (void);

/* Runs a query. Returns all rows as text: columns separated by "|", rows by line feeds. */
char *query_fixture_ask (LoomQueryRun *run, const char *sql);

#define assert_rows(run, sql, rows)                           \
  G_STMT_START                                                \
  {                                                           \
    g_autofree char *got_ = query_fixture_ask ((run), (sql)); \
    g_assert_cmpstr (got_, ==, (rows));                       \
  }                                                           \
  G_STMT_END
