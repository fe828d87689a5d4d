#define _GNU_SOURCE
#include "CPowerLoss.h"
#include "DiskFaults.h"

#if defined(__linux__) && !defined(__ANDROID__) && defined(__LP64__)

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
/// Whether there are any faults; the rest is read under the mutex.
static atomic_int is_on;
static char prefix[2 * PATH_MAX];
/// Bytes by which files may still grow; negative for no limit.
static long room;
/// Which calls fail, the number of the next one that does, and how many do.
static int failing_call;
static long until_failure, failure_count;
/// The error; 0 ends the process instead.
static int failure;
static long count_of_faults;

// MARK: Switching

/// Resolves the links in the directory of a path that need not exist yet.
static void set_prefix(const char *path) {
    char parent[PATH_MAX], real[PATH_MAX];
    snprintf(parent, sizeof parent, "%s", path);
    char *slash = strrchr(parent, '/');
    if (!slash) {
        snprintf(prefix, sizeof prefix, "%s", path);
        return;
    }
    *slash = 0;
    const char *resolved = realpath(*parent ? parent : "/", real);
    snprintf(prefix, sizeof prefix, "%s/%s", resolved && strcmp(resolved, "/") ? resolved : parent, slash + 1);
}

static void begin(const char *path, long bytes, int call, long number, long count, int error) {
    pthread_mutex_lock(&mutex);
    set_prefix(path);
    room = bytes;
    failing_call = call;
    until_failure = number;
    failure_count = count;
    failure = error;
    count_of_faults = 0;
    atomic_store(&is_on, 1);
    pthread_mutex_unlock(&mutex);
}

void holdfast_disk_limit(const char *path, long bytes) { begin(path, bytes, HOLDFAST_DISK_NONE, 0, 0, 0); }

void holdfast_disk_fail(const char *path, int call, long number, long count, int error) {
    begin(path, -1, call, number, count, error);
}

void holdfast_disk_heal(void) {
    pthread_mutex_lock(&mutex);
    atomic_store(&is_on, 0);
    pthread_mutex_unlock(&mutex);
}

long holdfast_disk_fault_count(void) {
    pthread_mutex_lock(&mutex);
    long count = count_of_faults;
    pthread_mutex_unlock(&mutex);
    return count;
}

// MARK: Failing

/// Whether a file is one of those that have faults. Called under the mutex.
static int is_faulty(int file, struct stat *status) {
    char link[64], path[PATH_MAX + 1];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t count = readlink(link, path, PATH_MAX);
    if (count <= 0 || fstat(file, status) || !(S_ISREG(status->st_mode) || S_ISDIR(status->st_mode))) return 0;
    path[count] = 0;
    return !strncmp(path, prefix, strlen(prefix));
}

/// Counts a call. Called under the mutex.
static int is_due(int call) {
    if (call != failing_call || failure_count <= 0) return 0;
    if (until_failure > 1) {
        until_failure -= 1;
        return 0;
    }
    failure_count -= 1;
    count_of_faults += 1;
    if (!failure) kill(getpid(), SIGKILL);
    return 1;
}

/// The bytes of a write that have room. Called under the mutex.
static size_t fitting(int file, off_t from, size_t count, const struct stat *status) {
    if (room < 0) return count;
    if (from < 0) from = fcntl(file, F_GETFL) & O_APPEND ? status->st_size : lseek(file, 0, SEEK_CUR);
    long growth = (long)(from + (off_t)count - status->st_size);
    if (growth <= 0) return count;
    if (growth > (long)count) growth = (long)count;
    if (growth <= room) {
        room -= growth;
        return count;
    }
    size_t fits = count - (size_t)(growth - room);
    room = 0;
    count_of_faults += 1;
    return fits;
}

int holdfast_disk_write_fails(int file, off_t from, size_t *count) {
    if (!atomic_load(&is_on) || !*count) return 0;
    int error = errno, fault = 0;
    struct stat status;
    pthread_mutex_lock(&mutex);
    if (is_faulty(file, &status)) {
        if (is_due(HOLDFAST_DISK_WRITE)) {
            fault = failure;
        } else {
            *count = fitting(file, from, *count, &status);
            if (!*count) fault = ENOSPC;
        }
    }
    pthread_mutex_unlock(&mutex);
    errno = fault ? fault : error;
    return fault != 0;
}

int holdfast_disk_sync_fails(int file) {
    if (!atomic_load(&is_on)) return 0;
    int error = errno, fault = 0;
    struct stat status;
    pthread_mutex_lock(&mutex);
    if (is_faulty(file, &status) && is_due(HOLDFAST_DISK_SYNC)) fault = failure;
    pthread_mutex_unlock(&mutex);
    errno = fault ? fault : error;
    return fault != 0;
}

#else

void holdfast_disk_limit(const char *path, long bytes) {}
void holdfast_disk_fail(const char *path, int call, long number, long count, int error) {}
void holdfast_disk_heal(void) {}
long holdfast_disk_fault_count(void) { return 0; }

#endif
