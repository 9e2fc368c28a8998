package io.dure.host.net;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * How much of a daemon callers may occupy at a time: memory for requests that are being received,
 * answers that are being sent. A user who takes all of his share waits for himself, and is in
 * nobody else's way. Any thread.
 */
public final class Room {
  /** Requests up to this length, in bytes, always have room: they are bounded by connections. */
  static final int SMALL = 16 << 10;

  private static final int KIB = 1 << 10;
  private static final int SHARES = 4;
  private static final int ANSWERS_AT_ONCE = 8;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Semaphore memoryKib;
  private final int memoryShareKib;
  private final Map<Integer, Share> shares = new ConcurrentHashMap<>();

  private record Share(Semaphore memoryKib, Semaphore answers) {}

  /**
   * Room of a given size.
   *
   * @param memoryBytes for all requests that are being received, together; at least four times that
   *     of one
   */
  public Room(long memoryBytes) {
    int kib = (int) Math.min(Integer.MAX_VALUE, memoryBytes / KIB);
    memoryKib = new Semaphore(kib);
    memoryShareKib = kib / SHARES;
  }

  /**
   * Waits for room for a request of that many bytes.
   *
   * @throws IOException if there is none for a while
   */
  public void enter(int uid, int bytes) throws IOException {
    if (bytes <= SMALL) {
      return;
    }
    Semaphore own = share(uid).memoryKib();
    take(own, bytes / KIB);
    try {
      take(memoryKib, bytes / KIB);
    } catch (IOException e) {
      own.release(bytes / KIB);
      throw e;
    }
  }

  /** Gives the request's room back. */
  public void leave(int uid, int bytes) {
    if (bytes > SMALL) {
      memoryKib.release(bytes / KIB);
      share(uid).memoryKib().release(bytes / KIB);
    }
  }

  /** Those of a user's connections that may have an answer sent. */
  public Semaphore answers(int uid) {
    return share(uid).answers();
  }

  private Share share(int uid) {
    return shares.computeIfAbsent(
        uid, _ -> new Share(new Semaphore(memoryShareKib), new Semaphore(ANSWERS_AT_ONCE)));
  }

  private static void take(Semaphore from, int kib) throws IOException {
    try {
      if (!from.tryAcquire(kib, PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IOException("too many large requests at once");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the daemon is stopping", e);
    }
  }
}
