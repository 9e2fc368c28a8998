package io.dure.node.cgroup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the kernel ready to move processes between control groups of version 1 while steps start.
 *
 * <p>The first move after a pause waits for a grace period of the kernel, some 8 ms, and those soon
 * after it for none. So this process is moved to where it is, as soon as a step is on its way and
 * again and again for a moment; what the kernel waits for passes while the step is made ready.
 */
final class MigrationWarmup {
  private static final long EVERY_NANOS = Duration.ofMillis(4).toNanos();
  private static final long LASTING_NANOS = Duration.ofMillis(300).toNanos();

  /** In a file of members, the process that writes it. */
  private static final byte[] MYSELF = {'0'};

  private final Path own;
  private final AtomicBoolean running = new AtomicBoolean();
  private volatile @Nullable Path members;
  private volatile long until;

  /** A warm-up of the process whose groups that file lists. */
  MigrationWarmup(Path own) {
    this.own = own;
  }

  /** Moves through the tree that is mounted there. */
  void through(Path mount, String controller) {
    try {
      for (String line : Files.readAllLines(own, StandardCharsets.UTF_8)) {
        String[] parts = line.split(":", 3);
        if (parts.length == 3 && parts[1].equals(controller)) {
          members = mount.resolve(parts[2].substring(1)).resolve("cgroup.procs");
        }
      }
    } catch (IOException e) {
      // Steps start without it, only later.
      members = null;
    }
  }

  /** A step is on its way. Any thread; does not block. */
  void expect() {
    until = System.nanoTime() + LASTING_NANOS;
    Path file = members;
    if (file != null && running.compareAndSet(false, true)) {
      Thread.ofPlatform().daemon().name("control groups").start(() -> keepWarm(file));
    }
  }

  private void keepWarm(Path file) {
    try {
      while (until - System.nanoTime() > 0) {
        Files.write(file, MYSELF, StandardOpenOption.WRITE);
        LockSupport.parkNanos(EVERY_NANOS);
      }
    } catch (IOException e) {
      members = null;
    } finally {
      running.set(false);
    }
  }
}
