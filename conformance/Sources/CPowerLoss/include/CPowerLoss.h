#ifndef HOLDFAST_CPOWERLOSS_H
#define HOLDFAST_CPOWERLOSS_H

/// A simulated disk that forgets what was not synced, for one directory and the process it is linked into.
///
/// The calls that sync are defined here a second time, so that calls from every library go through them: `fsync`,
/// `fdatasync`, `msync` with MS_SYNC, and the writes to files opened with O_SYNC or O_DSYNC. In the watched directory
/// they do not wait for a disk. Instead they copy what has become safe to a second directory, the shadow. After the
/// process was killed, the directory is made again from the shadow.
///
/// The model is a journaling file system that orders metadata, like ext4:
///
/// - The content of a file survives as it was at the file's last sync; a synced range (msync, a synchronous write) on
///   its own.
/// - Files and directories created, renamed and deleted, and files cut short, survive together with the next sync of
///   anything in the directory. A file that was never synced survives empty.
/// - Nothing else counts as a sync: not `close`, not `sync`, `syncfs` or `sync_file_range`, not a sync that bypasses
///   the C library. Symbolic links are not followed.
///
/// At most one process works in a watched directory at a time. Linux with 64-bit addresses only; elsewhere, and without
/// the variables, all of this is absent.
///
/// Environment:
///
/// - `HOLDFAST_POWER_FOLDER`: the watched directory; what it holds when the process starts counts as synced.
/// - `HOLDFAST_POWER_SHADOW`: the shadow, an empty directory outside the watched one. It then holds `names`, a list of
///   the surviving files (`f<inode> <path>`) and directories (`d <path>`), each entry ended by a zero byte, and for
///   each file its content under its inode's number.
/// - `HOLDFAST_POWER_CUT`: `before <n>` or `after <n>` ends the process by SIGKILL at the n-th sync, counted from 1,
///   before or after it has its effect; never if absent.
/// - `HOLDFAST_SYNC`: `skip` makes every sync outside the watched directory return at once, for runs that are not about
///   durability. What a process wrote survives the process either way.

/// Whether the calls above reach this library from shared libraries, too.
int holdfast_power_loss_is_available(void);

/// Faults of a disk, for the files of this process whose path begins in one way, switched on and off while it runs.
///
/// Only one fault is on at a time. Absent where the calls do not reach this library.

/// The calls that can fail.
enum { HOLDFAST_DISK_NONE, HOLDFAST_DISK_WRITE, HOLDFAST_DISK_SYNC };

/// From now on files may grow by so many bytes together; what is beyond fails with ENOSPC, a write at the edge is cut.
void holdfast_disk_limit(const char *path, long bytes);

/// From now on, calls of a kind fail: the one with a number, counted from 1, and those after it, so many in total.
///
/// An error of 0 ends the process by SIGKILL instead.
void holdfast_disk_fail(const char *path, int call, long number, long count, int error);

/// No more faults.
void holdfast_disk_heal(void);

/// How many calls have failed, or were cut, since the fault was switched on.
long holdfast_disk_fault_count(void);

#endif
