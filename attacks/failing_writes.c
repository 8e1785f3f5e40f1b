/* Makes writes below a folder fail as the attack wants: preloaded, steered by environment or call.
 *
 * FAILING_WRITES is "MASK AFTER ERRNO FOLDER": the calls of the kinds in MASK fail with ERRNO
 * once AFTER of them have passed. Kinds: 1 data (write, pwrite, ftruncate), 2 making names
 * (open with O_CREAT, mkdir), 4 syncing, 8 changing names (rename, unlink, open for writing).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { DATA = 1, MAKING = 2, SYNCING = 4, CHANGING = 8 };

static int mask = -1, number;
static long after, passed;
static char folder[PATH_MAX];

void set_failing(int kinds, long from, int code, const char *below) {
  mask = kinds;
  after = from;
  number = code;
  passed = 0;
  snprintf(folder, sizeof folder, "%s", below);
}

long count_passed(void) { return passed; }

static void begin(void) {
  const char *text = getenv("FAILING_WRITES");
  mask = 0;
  if (text) {
    int used = 0;
    if (sscanf(text, "%d %ld %d %n", &mask, &after, &number, &used) >= 3)
      snprintf(folder, sizeof folder, "%s", text + used);
  }
}

static int below(const char *path) {
  char whole[PATH_MAX], here[PATH_MAX];
  if (path[0] != '/') {
    if (!getcwd(here, sizeof here)) return 0;
    if (snprintf(whole, sizeof whole, "%s/%s", here, path) >= (int)sizeof whole) return 0;
    path = whole;
  }
  return strncmp(path, folder, strlen(folder)) == 0;
}

static int fails(void) {
  if (passed++ < after || !number) return 0;
  errno = number;
  return 1;
}

static int path_fails(int kind, const char *path) {
  if (mask < 0) begin();
  return (mask & kind) && path && below(path) && fails();
}

static int file_fails(int kind, int file) {
  char name[64], path[PATH_MAX];
  if (mask < 0) begin();
  if (!(mask & kind)) return 0;
  snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  ssize_t length = readlink(name, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return path[0] == '/' && below(path) && fails();
}

#define REAL(result, name, ...) \
  static result (*real)(__VA_ARGS__); \
  if (!real) real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

ssize_t write(int file, const void *data, size_t size) {
  REAL(ssize_t, "write", int, const void *, size_t);
  return file_fails(DATA, file) ? -1 : real(file, data, size);
}
ssize_t writev(int file, const struct iovec *parts, int count) {
  REAL(ssize_t, "writev", int, const struct iovec *, int);
  return file_fails(DATA, file) ? -1 : real(file, parts, count);
}
ssize_t pwrite(int file, const void *data, size_t size, off_t at) {
  REAL(ssize_t, "pwrite", int, const void *, size_t, off_t);
  return file_fails(DATA, file) ? -1 : real(file, data, size, at);
}
ssize_t pwrite64(int file, const void *data, size_t size, off64_t at) {
  REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
  return file_fails(DATA, file) ? -1 : real(file, data, size, at);
}
int ftruncate(int file, off_t size) {
  REAL(int, "ftruncate", int, off_t);
  return file_fails(DATA, file) ? -1 : real(file, size);
}
int ftruncate64(int file, off64_t size) {
  REAL(int, "ftruncate64", int, off64_t);
  return file_fails(DATA, file) ? -1 : real(file, size);
}
int fsync(int file) {
  REAL(int, "fsync", int);
  return file_fails(SYNCING, file) ? -1 : real(file);
}
int fdatasync(int file) {
  REAL(int, "fdatasync", int);
  return file_fails(SYNCING, file) ? -1 : real(file);
}
int mkdir(const char *path, mode_t mode) {
  REAL(int, "mkdir", const char *, mode_t);
  return path_fails(MAKING, path) ? -1 : real(path, mode);
}
int rename(const char *from, const char *to) {
  REAL(int, "rename", const char *, const char *);
  return path_fails(CHANGING, to) ? -1 : real(from, to);
}
int unlink(const char *path) {
  REAL(int, "unlink", const char *);
  return path_fails(CHANGING, path) ? -1 : real(path);
}

static int opening_fails(const char *path, int flags) {
  if ((flags & O_CREAT) && access(path, F_OK)) return path_fails(MAKING, path);
  return (flags & (O_WRONLY | O_RDWR)) && path_fails(CHANGING, path);
}

#define OPENS(name)                                     \
  int name(const char *path, int flags, ...) {          \
    REAL(int, #name, const char *, int, ...);           \
    va_list rest;                                       \
    va_start(rest, flags);                              \
    mode_t mode = va_arg(rest, mode_t);                 \
    va_end(rest);                                       \
    return opening_fails(path, flags) ? -1 : real(path, flags, mode); \
  }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name)                                          \
  int name(int base, const char *path, int flags, ...) {        \
    REAL(int, #name, int, const char *, int, ...);              \
    va_list rest;                                               \
    va_start(rest, flags);                                      \
    mode_t mode = va_arg(rest, mode_t);                         \
    va_end(rest);                                               \
    return opening_fails(path, flags) ? -1 : real(base, path, flags, mode); \
  }
OPENS_AT(openat)
OPENS_AT(openat64)
