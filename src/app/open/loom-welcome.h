/* SPDX-License-Identifier: Apache-2.0
 *
 * The page of a tab without a run: buttons for opening files, the runs of crashed programs, and recent runs. The
 * buttons activate actions of the window.
 */
#pragma once

#include <adwaita.h>

#define LOOM_TYPE_WELCOME (loom_welcome_get_type ())
G_DECLARE_FINAL_TYPE (LoomWelcome, loom_welcome, LOOM, WELCOME, AdwBin)
