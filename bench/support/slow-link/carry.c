// Carries bytes between clients and a server on loopback, and has each arrive after a time, as over a network. Timers of
// the runtime know whole milliseconds only and their process would take part of the two cores that are measured; this
// waits in the kernel, for microseconds, and costs next to nothing.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { directionsMax = 64, piecesMax = 64, pieceBytes = 65536 };

struct piece {
  long dueNs;
  int size;
  char bytes[pieceBytes];
};

/** What was read from one socket and is on its way to another, the first to arrive in front. */
struct direction {
  int from, to;
  int first, count;
  struct piece *pieces;
};

static struct direction directions[directionsMax];
static int directionCount = 0;

static long nowNs(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

static struct sockaddr_in loopback(int port) {
  struct sockaddr_in a;
  memset(&a, 0, sizeof a);
  a.sin_family = AF_INET;
  a.sin_port = htons(port);
  a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return a;
}

/** Listens on a free port of loopback. Returns the descriptor. */
int openListener(void) {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in a = loopback(0);
  if (bind(fd, (struct sockaddr *)&a, sizeof a) != 0 || listen(fd, 16) != 0) return -1;
  return fd;
}

int portOf(int fd) {
  struct sockaddr_in a;
  socklen_t size = sizeof a;
  getsockname(fd, (struct sockaddr *)&a, &size);
  return ntohs(a.sin_port);
}

static void writeAll(int fd, const char *bytes, int size) {
  while (size > 0) {
    int written = write(fd, bytes, size);
    if (written <= 0) return;
    bytes += written;
    size -= written;
  }
}

/** Writes what is due. Returns when the next piece is, or -1. */
static long deliver(struct direction *d) {
  for (; d->count > 0; d->count--, d->first = (d->first + 1) % piecesMax) {
    struct piece *p = &d->pieces[d->first];
    if (p->dueNs > nowNs()) return p->dueNs;
    if (p->size > 0) writeAll(d->to, p->bytes, p->size);
    else shutdown(d->to, SHUT_WR);
  }
  return -1;
}

static void receive(struct direction *d, long delayNs) {
  struct piece *p = &d->pieces[(d->first + d->count) % piecesMax];
  p->size = read(d->from, p->bytes, pieceBytes);
  p->dueNs = nowNs() + delayNs;
  d->count++;
  if (p->size <= 0) d->from = -1;
}

static void addDirection(int from, int to) {
  int one = 1;
  setsockopt(to, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  directions[directionCount++] = (struct direction){from, to, 0, 0, malloc(sizeof(struct piece) * piecesMax)};
}

static void acceptClient(int listener, int targetPort) {
  int client = accept(listener, 0, 0), server = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in a = loopback(targetPort);
  connect(server, (struct sockaddr *)&a, sizeof a);
  addDirection(client, server);
  addDirection(server, client);
}

/** Never returns. */
void carry(int listener, int targetPort, double delayMs) {
  struct pollfd polled[directionsMax + 1];
  prctl(PR_SET_TIMERSLACK, 1000L, 0L, 0L, 0L);
  for (;;) {
    long nextNs = -1;
    for (int i = 0; i < directionCount; i++) {
      struct direction *d = &directions[i];
      long dueNs = deliver(d);
      if (dueNs >= 0 && (nextNs < 0 || dueNs < nextNs)) nextNs = dueNs;
      polled[i] = (struct pollfd){d->count < piecesMax ? d->from : -1, POLLIN, 0};
    }
    int known = directionCount;
    polled[known] = (struct pollfd){known + 2 <= directionsMax ? listener : -1, POLLIN, 0};
    long restNs = nextNs - nowNs();
    struct timespec rest = {restNs > 0 ? restNs / 1000000000L : 0, restNs > 0 ? restNs % 1000000000L : 0};
    if (ppoll(polled, known + 1, nextNs >= 0 ? &rest : 0, 0) < 0) continue;
    for (int i = 0; i < known; i++)
      if (polled[i].revents != 0) receive(&directions[i], (long)(delayMs * 1e6));
    if (polled[known].revents != 0) acceptClient(listener, targetPort);
  }
}
