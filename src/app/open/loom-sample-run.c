/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-sample-run.h"

#include "loom-installed.h"

char *
loom_sample_run_dup_folder (void)
{
  /* The folder in the source tree comes first, for a program that runs from its build folder. */
  static const char *const folders[] = {
#ifdef LOOM_SOURCE_SAMPLE_DIR
    LOOM_SOURCE_SAMPLE_DIR,
#endif
    LOOM_DATA_DIR "/sample",
  };
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    if (g_file_test (folders[i], G_FILE_TEST_IS_DIR))
      return g_strdup (folders[i]);
  return NULL;
}
