#define _GNU_SOURCE
#include "CPowerLoss.h"
#include "DiskFaults.h"

#if defined(__linux__) && !defined(__ANDROID__) && defined(__LP64__)

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/// A file of the watched directory.
struct file {
    struct file *next;
    ino_t inode;
    /// Open for reading as long as the file is in the directory: its number is not given to another file meanwhile, and
    /// the locks that closing it would end are kept.
    int live;
    /// What survives of it.
    int kept;
    off_t size;
    int is_seen;
};

/// Bytes that grow.
struct bytes {
    char *start;
    size_t count, capacity;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char folder[PATH_MAX];
static size_t folder_length;
/// The open shadow; negative where nothing is watched. Set before the first thread starts.
static int shadow = -1;
static struct file *files;
static struct bytes names;
static long sync_count, cut_before, cut_after;
/// Whether syncs outside the watched directory do nothing. Set before the first thread starts.
static int skips_syncs;

// MARK: The shadow

static void give_up(const char *what) {
    dprintf(STDERR_FILENO, "power loss: %s: %s\n", what, strerror(errno));
    abort();
}

static void append(struct bytes *bytes, const char *text, size_t count) {
    if (bytes->count + count > bytes->capacity) {
        bytes->capacity = 2 * bytes->capacity + count;
        bytes->start = realloc(bytes->start, bytes->capacity);
        if (!bytes->start) give_up("memory");
    }
    memcpy(bytes->start + bytes->count, text, count);
    bytes->count += count;
}

static struct file *find(ino_t inode) {
    for (struct file *file = files; file; file = file->next)
        if (file->inode == inode) return file;
    return NULL;
}

/// The file of an inode, opened where it is new; NULL if it is gone already.
static struct file *follow(int directory, const char *name, ino_t inode) {
    struct file *file = find(inode);
    if (file) return file;
    int live = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (live < 0) return NULL;
    char number[32];
    snprintf(number, sizeof number, "%llu", (unsigned long long)inode);
    file = calloc(1, sizeof *file);
    if (!file) give_up("memory");
    file->inode = inode;
    file->live = live;
    file->kept = openat(shadow, number, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file->kept < 0) give_up("shadow");
    file->next = files;
    files = file;
    return file;
}

/// Notes what a directory holds, and closes it. `path` is its path in the directory, empty or ending in a slash.
static void walk(int directory, const char *path, struct bytes *found) {
    DIR *stream = directory < 0 ? NULL : fdopendir(directory);
    if (!stream) return;
    struct dirent *item;
    while ((item = readdir(stream))) {
        if (!strcmp(item->d_name, ".") || !strcmp(item->d_name, "..")) continue;
        struct stat status;
        if (fstatat(dirfd(stream), item->d_name, &status, AT_SYMLINK_NOFOLLOW)) continue;
        char line[PATH_MAX + 64];
        if (S_ISDIR(status.st_mode)) {
            append(found, line, (size_t)snprintf(line, sizeof line, "d %s%s", path, item->d_name) + 1);
            snprintf(line, sizeof line, "%s%s/", path, item->d_name);
            walk(openat(dirfd(stream), item->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC), line, found);
        } else if (S_ISREG(status.st_mode)) {
            struct file *file = follow(dirfd(stream), item->d_name, status.st_ino);
            if (!file) continue;
            file->is_seen = 1;
            file->size = status.st_size;
            unsigned long long inode = status.st_ino;
            append(found, line, (size_t)snprintf(line, sizeof line, "f%llu %s%s", inode, path, item->d_name) + 1);
        }
    }
    closedir(stream);
}

/// Brings names and lengths to the shadow: the names at one blow, since the process may be killed meanwhile.
static void keep_metadata(void) {
    struct bytes found = {0};
    for (struct file *file = files; file; file = file->next) file->is_seen = 0;
    walk(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), "", &found);
    if (!names.start || found.count != names.count || (found.count && memcmp(found.start, names.start, found.count))) {
        int file = openat(shadow, "names.new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (file < 0) give_up("names");
        for (size_t done = 0; done < found.count;) {
            long count = syscall(SYS_write, file, found.start + done, found.count - done);
            if (count < 0) give_up("names");
            done += (size_t)count;
        }
        close(file);
        if (renameat(shadow, "names.new", shadow, "names")) give_up("names");
        free(names.start);
        names = found;
        // Told apart from the state before the first list.
        if (!names.start) append(&names, "", 0);
    } else {
        free(found.start);
    }
    for (struct file **link = &files; *link;) {
        struct file *file = *link;
        if (file->is_seen) {
            struct stat kept;
            if (!fstat(file->kept, &kept) && kept.st_size > file->size && ftruncate(file->kept, file->size))
                give_up("shadow");
            link = &file->next;
            continue;
        }
        char number[32];
        snprintf(number, sizeof number, "%llu", (unsigned long long)file->inode);
        unlinkat(shadow, number, 0);
        close(file->live);
        close(file->kept);
        *link = file->next;
        free(file);
    }
}

/// Brings a range of a file's content to the shadow.
static void keep_content(struct file *file, off_t from, off_t to) {
    static char now[1 << 16], before[1 << 16];
    while (from < to) {
        size_t wanted = to - from < (off_t)sizeof now ? (size_t)(to - from) : sizeof now;
        ssize_t count = pread(file->live, now, wanted, from);
        if (count <= 0) break;
        ssize_t kept = pread(file->kept, before, (size_t)count, from);
        if (kept != count || memcmp(now, before, (size_t)count))
            if (syscall(SYS_pwrite64, file->kept, now, (size_t)count, from) != count) give_up("shadow");
        from += count;
    }
}

/// One sync: of a range of a file, or of a directory.
static void keep(ino_t inode, off_t from, off_t to) {
    int error = errno;
    pthread_mutex_lock(&mutex);
    sync_count += 1;
    if (sync_count == cut_before) kill(getpid(), SIGKILL);
    keep_metadata();
    struct file *file = find(inode);
    if (file) keep_content(file, from, to);
    if (sync_count == cut_after) kill(getpid(), SIGKILL);
    pthread_mutex_unlock(&mutex);
    errno = error;
}

// MARK: What is watched

static int is_inside(const char *path) {
    return !strncmp(path, folder, folder_length) && (path[folder_length] == '/' || !path[folder_length]);
}

/// Whether a file lies in the watched directory, and its inode.
static int is_watched(int file, ino_t *inode) {
    if (shadow < 0) return 0;
    int error = errno;
    char link[64], path[PATH_MAX + 1];
    struct stat status;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t count = readlink(link, path, PATH_MAX);
    int is = 0;
    if (count > 0 && !fstat(file, &status) && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))) {
        path[count] = 0;
        *inode = status.st_ino;
        is = is_inside(path);
    }
    errno = error;
    return is;
}

static int is_synchronous(int file) {
    if (shadow < 0) return 0;
    int error = errno;
    int flags = fcntl(file, F_GETFL);
    errno = error;
    return flags >= 0 && (flags & O_DSYNC);
}

/// After a write: keeps what was written if that is a sync, too. A negative `from` stands for the file's position.
static ssize_t written(int file, ssize_t count, off_t from) {
    ino_t inode;
    if (count <= 0 || !is_synchronous(file) || !is_watched(file, &inode)) return count;
    if (from < 0) from = lseek(file, 0, SEEK_CUR) - count;
    keep(inode, from, from + count);
    return count;
}

/// Before a write of several parts: whether it must fail; it has room as a whole or not at all.
static int parts_fail(int file, const struct iovec *parts, int count, off_t from) {
    size_t wanted = 0;
    for (int i = 0; i < count; i += 1) wanted += parts[i].iov_len;
    size_t fitting = wanted;
    if (holdfast_disk_write_fails(file, from, &fitting)) return 1;
    if (fitting == wanted) return 0;
    errno = ENOSPC;
    return 1;
}

// MARK: The calls, in place of the C library's

int fsync(int file) {
    ino_t inode;
    if (holdfast_disk_sync_fails(file)) return -1;
    if (!is_watched(file, &inode)) return skips_syncs ? 0 : (int)syscall(SYS_fsync, file);
    keep(inode, 0, LONG_MAX);
    return 0;
}

int fdatasync(int file) {
    ino_t inode;
    if (holdfast_disk_sync_fails(file)) return -1;
    if (!is_watched(file, &inode)) return skips_syncs ? 0 : (int)syscall(SYS_fdatasync, file);
    keep(inode, 0, LONG_MAX);
    return 0;
}

int msync(void *address, size_t length, int flags) {
    int passed = skips_syncs ? (flags & ~MS_SYNC) | MS_ASYNC : flags;
    int result = (int)syscall(SYS_msync, address, length, passed);
    if (shadow < 0 || result || !(flags & MS_SYNC)) return result;
    FILE *maps = fopen("/proc/self/maps", "re");
    if (!maps) give_up("maps");
    static const char *format = "%lx-%lx %*s %lx %*s %lu %4095[^\n]";
    char line[PATH_MAX + 256], path[PATH_MAX];
    unsigned long from = (unsigned long)address, start, end, offset, inode;
    while (fgets(line, sizeof line, maps)) {
        if (sscanf(line, format, &start, &end, &offset, &inode, path) != 5) continue;
        if (from < start || from >= end || !is_inside(path)) continue;
        off_t first = (off_t)(offset + from - start);
        keep((ino_t)inode, first, first + (off_t)length);
        break;
    }
    fclose(maps);
    return result;
}

ssize_t write(int file, const void *start, size_t count) {
    if (holdfast_disk_write_fails(file, -1, &count)) return -1;
    return written(file, syscall(SYS_write, file, start, count), -1);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    if (parts_fail(file, parts, count, -1)) return -1;
    return written(file, syscall(SYS_writev, file, parts, count), -1);
}

ssize_t pwrite(int file, const void *start, size_t count, off_t from) {
    if (holdfast_disk_write_fails(file, from, &count)) return -1;
    return written(file, syscall(SYS_pwrite64, file, start, count, from), from);
}

ssize_t pwrite64(int file, const void *start, size_t count, off_t from) {
    if (holdfast_disk_write_fails(file, from, &count)) return -1;
    return written(file, syscall(SYS_pwrite64, file, start, count, from), from);
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t from) {
    if (parts_fail(file, parts, count, from)) return -1;
    return written(file, syscall(SYS_pwritev, file, parts, count, from, 0), from);
}

ssize_t pwritev64(int file, const struct iovec *parts, int count, off_t from) {
    if (parts_fail(file, parts, count, from)) return -1;
    return written(file, syscall(SYS_pwritev, file, parts, count, from, 0), from);
}

// MARK: The start

int holdfast_power_loss_is_available(void) {
    const char *calls[] = {"fsync", "fdatasync", "msync", "write", "pwrite64"};
    void *ours[] = {(void *)fsync, (void *)fdatasync, (void *)msync, (void *)write, (void *)pwrite64};
    for (int i = 0; i < 5; i += 1) {
        // What no other library calls needs not be seen by any.
        void *found = dlsym(RTLD_DEFAULT, calls[i]);
        if (found && found != ours[i]) return 0;
    }
    return 1;
}

/// Resolves the links in the path of a directory that need not exist yet.
static void set_folder(const char *path) {
    char parent[PATH_MAX], real[PATH_MAX];
    snprintf(parent, sizeof parent, "%s", path);
    size_t count = strlen(parent);
    while (count > 1 && parent[count - 1] == '/') parent[--count] = 0;
    char *slash = strrchr(parent, '/');
    if (!slash) give_up("the directory's path is not absolute");
    *slash = 0;
    if (!realpath(*parent ? parent : "/", real)) give_up(path);
    folder_length = (size_t)snprintf(folder, sizeof folder, "%s/%s", strcmp(real, "/") ? real : "", slash + 1);
}

__attribute__((constructor)) static void start(void) {
    const char *sync = getenv("HOLDFAST_SYNC");
    skips_syncs = sync && !strcmp(sync, "skip");
    const char *path = getenv("HOLDFAST_POWER_FOLDER"), *kept = getenv("HOLDFAST_POWER_SHADOW");
    if (!path || !kept || !holdfast_power_loss_is_available()) return;
    const char *cut = getenv("HOLDFAST_POWER_CUT");
    if (cut && sscanf(cut, "before %ld", &cut_before) != 1) sscanf(cut, "after %ld", &cut_after);
    set_folder(path);
    shadow = open(kept, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (shadow < 0) give_up(kept);
    keep_metadata();
    for (struct file *file = files; file; file = file->next) keep_content(file, 0, LONG_MAX);
    // Processes that this one starts have nothing to do with it.
    unsetenv("HOLDFAST_POWER_FOLDER");
}

#else

int holdfast_power_loss_is_available(void) { return 0; }

#endif
