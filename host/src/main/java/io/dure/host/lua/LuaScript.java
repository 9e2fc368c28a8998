package io.dure.host.lua;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A script file of the site, run in processes of its own. It is read again once it has changed; a
 * text that cannot be loaded leaves the last one that could in force. Any thread; a call waits
 * where as many run as may.
 */
public final class LuaScript implements AutoCloseable {
  private static final int MOST_BYTES = 16 << 20;

  /**
   * What a call may take beyond the time of the script: so long it waits for a process. Commands
   * give up after 10 s.
   */
  private static final int GRACE_SECONDS = 3;

  private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final LuaProgram program;
  private final Path file;
  private final Logger log;
  private final Semaphore running;
  private final ReentrantLock lock = new ReentrantLock();

  /** Held while a changed file is loaded, which may take as long as a call. */
  private final ReentrantLock loading = new ReentrantLock();

  /** Processes that wait for work, the last one first, so that few are kept busy. */
  private final Deque<LuaHost> idle = new ArrayDeque<>();

  /** What the file looked like when it was last read. */
  private @Nullable String stamp;

  /** When to read an unchanged file again whose text may be right after all; 0 for never. */
  private long pauseNanos;

  private long failedAt;
  private byte @Nullable [] text;
  private long version;
  private String trouble = "";
  private boolean closed;

  /** A script that is loaded when it is first called. */
  public LuaScript(LuaProgram program, Logger log) {
    this.program = program;
    this.file = program.file();
    this.log = log;
    running = new Semaphore(program.bounds().processes(), true);
  }

  /**
   * The answer of the script.
   *
   * @throws LuaException if there is none: there is no script that can be loaded, or it ended
   */
  public @Nullable Object call(Map<String, ?> request, LuaQuestions questions)
      throws LuaException, InterruptedException {
    Deadline deadline = Deadline.in(program.bounds().seconds() + GRACE_SECONDS);
    if (!running.tryAcquire(GRACE_SECONDS, TimeUnit.SECONDS)) {
      throw busy();
    }
    LuaHost host = null;
    try {
      host = ready(questions, deadline);
      Object answer = host.call(request, questions, deadline);
      giveBack(host);
      host = null;
      return answer;
    } finally {
      running.release();
      if (host != null) {
        host.close();
      }
    }
  }

  private LuaException busy() {
    return new LuaException("other calls of " + file + " take all its time", true);
  }

  /** A process that has the text that is in force. */
  private LuaHost ready(LuaQuestions questions, Deadline deadline)
      throws LuaException, InterruptedException {
    LuaHost host = take(deadline);
    boolean ready = false;
    try {
      if (!reload(host, questions, deadline)) {
        host.close();
        host = take(deadline);
      }
      byte[] now;
      long number;
      lock.lock();
      try {
        now = text;
        number = version;
        if (now == null) {
          throw new LuaException(trouble);
        }
      } finally {
        lock.unlock();
      }
      if (host.version() != number) {
        String why = load(host, now, questions, deadline);
        if (why != null) {
          throw new LuaException(why);
        }
        host.loaded(number);
      }
      ready = true;
      return host;
    } finally {
      if (!ready) {
        host.close();
      }
    }
  }

  /**
   * Looks whether the file has changed, and whether its text is one.
   *
   * @return whether the process is of use still
   */
  private boolean reload(LuaHost host, LuaQuestions questions, Deadline deadline)
      throws LuaException, InterruptedException {
    if (!loading.tryLock(deadline.leftNanos(), TimeUnit.NANOSECONDS)) {
      throw busy();
    }
    try {
      String found = stampOf(file);
      boolean again = pauseNanos > 0 && System.nanoTime() - failedAt >= pauseNanos;
      if (Objects.equals(found, stamp) && !again) {
        return true;
      }
      long pause = again ? Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS) : FIRST_PAUSE_NANOS;
      stamp = found;
      pauseNanos = 0;
      boolean alive = true;
      byte[] next = null;
      String why;
      try {
        if (Files.size(file) > MOST_BYTES) {
          throw new IOException("larger than " + MOST_BYTES + " bytes");
        }
        next = Files.readAllBytes(file);
        why = load(host, next, questions, deadline);
      } catch (IOException e) {
        why = "cannot read " + file + ": " + e;
        pauseNanos = pause;
      } catch (LuaException e) {
        // The text may be right, and the machine have been slow.
        why = file + ": " + e.getMessage();
        alive = false;
        pauseNanos = pause;
      }
      failedAt = System.nanoTime();
      settle(host, next, why);
      return alive;
    } finally {
      loading.unlock();
    }
  }

  /** Puts a text in force, or says why it is not. */
  private void settle(LuaHost host, byte @Nullable [] next, @Nullable String why) {
    lock.lock();
    try {
      if (why == null) {
        text = next;
        host.loaded(++version);
        log.info(file + " is loaded");
      } else {
        trouble = why;
        log.error(
            why
                + (text == null
                    ? ": nothing is accepted until " + file + " is right"
                    : ": the last text that could be loaded stays in force"));
      }
    } finally {
      lock.unlock();
    }
  }

  private @Nullable String load(
      LuaHost host, byte[] what, LuaQuestions questions, Deadline deadline) throws LuaException {
    host.loaded(0);
    Object why =
        host.call(Map.of("op", "load", "text", what, "path", file.toString()), questions, deadline);
    return why == null ? null : why.toString();
  }

  private static @Nullable String stampOf(Path file) {
    try {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      return found.lastModifiedTime() + " " + found.size() + " " + found.fileKey();
    } catch (IOException e) {
      return "none";
    }
  }

  private LuaHost take(Deadline deadline) throws LuaException {
    lock.lock();
    try {
      if (closed) {
        throw new LuaException("the program ends");
      }
      for (LuaHost host = idle.poll(); host != null; host = idle.poll()) {
        if (host.isAlive()) {
          return host;
        }
      }
    } finally {
      lock.unlock();
    }
    LuaHost host = LuaHost.start(program);
    host.call(Map.of("op", "constants", "values", program.constants()), (_, _) -> null, deadline);
    return host;
  }

  private void giveBack(LuaHost host) {
    lock.lock();
    try {
      if (closed) {
        host.close();
      } else {
        idle.push(host);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      idle.forEach(LuaHost::close);
      idle.clear();
    } finally {
      lock.unlock();
    }
  }
}
