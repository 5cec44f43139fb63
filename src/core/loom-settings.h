/* SPDX-License-Identifier: Apache-2.0
 *
 * The settings of the program. GSettings stores them if its schema is installed or in the build folder; otherwise the
 * settings are only in memory, because GSettings would end a program whose schema is missing. Main thread only.
 */
#pragma once

#include <gio/gio.h>

#define LOOM_SETTING_WIDTH "window-width"   /* width of the main window, in pixels */
#define LOOM_SETTING_HEIGHT "window-height" /* height of the main window, in pixels */
#define LOOM_SETTING_MAXIMIZED "window-maximized"
#define LOOM_SETTING_SHOW_SOURCES "show-sources"
#define LOOM_SETTING_SHOW_PANEL "show-panel"
#define LOOM_SETTING_PANEL_HEIGHT "panel-height" /* height of the details pane, in pixels */
#define LOOM_SETTING_RULER "ruler-reading"       /* unit of the ruler: "start", "job", "utc", "local" or "step" */
#define LOOM_SETTING_SHIFT_DRAG "shift-drag"     /* effect of a drag with Shift: "zoom" or "pan" */
#define LOOM_SETTING_STYLE "style"               /* colours of the program: "system", "light" or "dark" */
/* convention of the numbers in results: "intended" or "smdebug", see LoomNumberConvention */
#define LOOM_SETTING_NUMBERS "numbers"
#define LOOM_SETTING_RESTORE "restore"
#define LOOM_SETTING_FOLLOW "follow"
#define LOOM_SETTING_HIGH_CPU "high-cpu" /* usage in percent; a CPU core with a higher usage counts as saturated */
#define LOOM_SETTING_LOW_GPU "low-gpu"   /* usage in percent; a GPU with this or a lower usage counts as starved */
/* factor; a step that takes longer than this factor times the median step is an outlier */
#define LOOM_SETTING_OUTLIER_FACTOR "outlier-factor"
/* maximum Jensen–Shannon distance between the usages of two GPUs that count as balanced */
#define LOOM_SETTING_BALANCE_DISTANCE "balance-distance"
#define LOOM_SETTING_PEAK_TFLOPS "peak-tflops"       /* peak FLOP rate in 10¹² FLOP/s; 0: looked up by GPU name */
#define LOOM_SETTING_PEAK_BANDWIDTH "peak-bandwidth" /* peak bandwidth in 10¹² B/s; 0: looked up by GPU name */
#define LOOM_SETTING_BOTTLENECK_MARKS "bottleneck-marks"
/* maximum memory that a load may use, in MB; 0: three quarters of the available memory */
#define LOOM_SETTING_MEMORY_BUDGET "memory-budget"
#define LOOM_SETTING_SERVE_COMMAND "serve-command" /* the command with which traces on another machine were read last */

int loom_settings_get_int (const char *key);
void loom_settings_set_int (const char *key, int value);
double loom_settings_get_double (const char *key);
void loom_settings_set_double (const char *key, double value);
gboolean loom_settings_get_boolean (const char *key);
void loom_settings_set_boolean (const char *key, gboolean value);
/* Returns the value of a setting that is a text. Owned by the caller, never NULL. */
char *loom_settings_dup_string (const char *key);
void loom_settings_set_string (const char *key, const char *value);
