/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-index-host.h"

#include <errno.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/vfs.h>

/* File system types of statfs(2) that are not in the file linux/magic.h of Debian 12. */
#define XFS_MAGIC 0x58465342u
#define ZFS_MAGIC 0x2FC12FC1u
#define BCACHEFS_MAGIC 0xCA451A4Eu
#define JFS_MAGIC 0x3153464Au
#define NTFS3_MAGIC 0x7366746Eu

/* Returns TRUE if only one machine at a time can mount a file system of this type. File systems of all other types
 * (NFS, Lustre, GPFS, Ceph, FUSE …) may be shared by several machines. */
static gboolean
is_of_one_machine (guint32 type)
{
  static const guint32 own[] = {
    EXT4_SUPER_MAGIC,      XFS_MAGIC,        BTRFS_SUPER_MAGIC, F2FS_SUPER_MAGIC, ZFS_MAGIC,
    BCACHEFS_MAGIC,        JFS_MAGIC,        NTFS3_MAGIC,       TMPFS_MAGIC,      RAMFS_MAGIC,
    OVERLAYFS_SUPER_MAGIC, MSDOS_SUPER_MAGIC
  };
  for (guint i = 0; i < G_N_ELEMENTS (own); i++)
    if (own[i] == type)
      return TRUE;
  return FALSE;
}

const char *
loom_index_host_find (const char *path)
{
  struct statfs status;
  g_autofree char *at = g_canonicalize_filename (path, NULL);
  while (statfs (at, &status) != 0) {
    if ((errno != ENOENT && errno != ENOTDIR) || strcmp (at, "/") == 0)
      return "";
    char *above = g_path_get_dirname (at);
    g_free (at);
    at = above;
  }
  return is_of_one_machine ((guint32) status.f_type) ? g_get_host_name () : "";
}
