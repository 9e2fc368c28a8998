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

  private final LuaProgram program;
  private final Path file;
  private final Logger log;
  private final Semaphore running;
  private final ReentrantLock lock = new ReentrantLock();

  /** Processes that wait for work, the last one first, so that few are kept busy. */
  private final Deque<LuaHost> idle = new ArrayDeque<>();

  private @Nullable String stamp;
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
    running.acquire();
    LuaHost host = null;
    try {
      host = ready(questions);
      Object answer = host.call(request, questions);
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

  /** A process that has the text that is in force. */
  private LuaHost ready(LuaQuestions questions) throws LuaException {
    LuaHost host = take();
    try {
      if (!reload(host, questions)) {
        host.close();
        host = take();
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
        String why = load(host, now, questions);
        if (why != null) {
          throw new LuaException(why);
        }
        host.loaded(number);
      }
      return host;
    } catch (LuaException e) {
      host.close();
      throw e;
    }
  }

  /**
   * Looks whether the file has changed, and whether its text is one.
   *
   * @return whether the process is of use still
   */
  private boolean reload(LuaHost host, LuaQuestions questions) {
    lock.lock();
    try {
      String found = stampOf(file);
      if (Objects.equals(found, stamp)) {
        return true;
      }
      stamp = found;
      boolean alive = true;
      byte[] next = null;
      String why;
      try {
        if (Files.size(file) > MOST_BYTES) {
          throw new IOException("larger than " + MOST_BYTES + " bytes");
        }
        next = Files.readAllBytes(file);
        why = load(host, next, questions);
      } catch (IOException e) {
        why = "cannot read " + file + ": " + e;
      } catch (LuaException e) {
        why = file + ": " + e.getMessage();
        alive = false;
      }
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
      return alive;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable String load(LuaHost host, byte[] what, LuaQuestions questions)
      throws LuaException {
    host.loaded(0);
    Object why = host.call(Map.of("op", "load", "text", what, "path", file.toString()), questions);
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

  private LuaHost take() throws LuaException {
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
    host.call(Map.of("op", "constants", "values", program.constants()), (_, _) -> null);
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
