/* SPDX-License-Identifier: Apache-2.0
 *
 * The user's changes to rows, by the key of the row. They are stored apart from the rows, because they must be kept
 * when the rows are made anew. Private to the row list.
 */
#pragma once

#include "loom-counter-mode.h"

typedef struct {
  gint8 folded; /* set by the user, 1: folded, 0: unfolded; −1: the row has its initial state */
  gboolean pinned;
  gint8 hidden; /* set by the user, 1: hidden, 0: shown; −1: the row has its initial state */
  gboolean overlay;
  LoomCounterMode mode;
  GPtrArray *guests; /* keys of the counters that are laid over the plot of this counter; NULL: none */
  gint position;     /* position among the children of the row's group, chosen by the user; −1: default position */
  /* similar rank that represents this rank: its row is shown in place of this rank's row; −1: none */
  gint alike;
  double height_px; /* height of the row; 0: default */
  /* cached value, of type {sa{sv}}, for saving this row; NULL: the row has changed since the value was cached */
  GVariant *saved;
  /* TRUE: the row is in its initial state. Then `saved` contains no changes, and loom_row_state_save() skips the row.
   * Valid only if `saved` is not NULL */
  gboolean is_blank;
} LoomRowState;

typedef struct {
  const char *key;
  LoomRowState *row;
} LoomRowStateKey;

typedef struct {
  GHashTable *rows; /* key → LoomRowState */
  guint serial;     /* increased whenever the state of a row is added */
  guint epoch;      /* increased whenever all states are replaced */
  /* FALSE: the user has hidden no row since loom_row_state_restore() was called last; TRUE: a row may be hidden by the
   * user */
  gboolean may_hide;
  /* FALSE: LoomRowState.alike has not been set for any rank since loom_row_state_restore() was called last, so each
   * rank is shown by its own row. TRUE: the row of a similar rank may be shown in place of a rank's own row */
  gboolean may_represent;
  GPtrArray *pinned; /* keys in the order in which their rows were pinned */
  /* LoomRowStateKey: all rows in the order in which they are saved; NULL: not sorted yet, because keys were added */
  GArray *order;
  GVariant *saved; /* cached result of loom_row_state_save(); NULL: a row has changed since that call */
} LoomRowListState;

void loom_row_state_init (LoomRowListState *state);
void loom_row_state_clear (LoomRowListState *state);

/* Returns the state of a row; NULL if the user never changed it. */
const LoomRowState *loom_row_state_peek (const LoomRowListState *state, const char *key);
/* Returns the state of a row so that the caller can change it; makes the state if the row has none. */
LoomRowState *loom_row_state_get (LoomRowListState *state, const char *key);
void loom_row_state_set_pinned (LoomRowListState *state, const char *key, gboolean pinned);

/* `laid` TRUE: lays the counter `guest` over the plot of the counter `key`, that is, draws it in this plot, too. FALSE:
 * removes it from this plot. Returns FALSE if LOOM_PLOT_MAX_GUESTS counters are already laid over the plot. */
gboolean loom_row_state_set_guest (LoomRowListState *state, const char *key, const char *guest, gboolean laid);
gboolean loom_row_state_has_guest (const LoomRowListState *state, const char *key, const char *guest);

/* Returns the changes of all rows as a{sa{sv}}; the caller owns a reference. If nothing has changed since the last
 * call, returns the GVariant of that call. Otherwise the new GVariant contains, for each row that has not changed, the
 * same child GVariant as before. */
GVariant *loom_row_state_save (LoomRowListState *state);
void loom_row_state_restore (LoomRowListState *state, GVariant *saved);
