#ifndef HOLDFAST_DISKFAULTS_H
#define HOLDFAST_DISKFAULTS_H

#include <sys/types.h>

/// Before a write: whether it must fail, with errno set. May lower the count where only a part has room.
///
/// A negative `from` stands for the file's position.
int holdfast_disk_write_fails(int file, off_t from, size_t *count);

/// Before a sync: whether it must fail, with errno set.
int holdfast_disk_sync_fails(int file);

#endif
