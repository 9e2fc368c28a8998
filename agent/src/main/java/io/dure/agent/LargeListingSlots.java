package io.dure.agent;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets a few calls at a time make something large, so that many of them neither keep the processors
 * from small commands nor the memory for the sum of what they make. Calls that have begun come
 * before those that have not, and these in order of arrival. Any thread.
 */
final class LargeListingSlots {
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Turn> begun = new ArrayDeque<>();
  private final Deque<Turn> fresh = new ArrayDeque<>();
  private int free;

  /** So many at a time. */
  LargeListingSlots(int most) {
    this.free = most;
  }

  /** The turn of one call, which has yet to be taken. */
  Turn turn() {
    return new Turn();
  }

  private void passOn() {
    Turn next = begun.isEmpty() ? fresh.poll() : begun.poll();
    if (next == null) {
      free++;
    } else {
      next.held = true;
      next.given.signal();
    }
  }

  /** One call's turn. Only the call's thread uses it. */
  final class Turn {
    private final Condition given = lock.newCondition();
    private boolean held;
    private boolean away;

    private Turn() {}

    /**
     * Waits until it is this call's turn, unless it is already.
     *
     * @throws CallerDisconnectedException if the thread is interrupted meanwhile
     */
    void take() {
      lock.lock();
      try {
        if (held) {
          return;
        }
        if (free > 0) {
          free--;
          held = true;
          return;
        }
        fresh.add(this);
        while (!held) {
          given.await();
        }
      } catch (InterruptedException e) {
        if (held) {
          end();
        } else {
          fresh.remove(this);
        }
        Thread.currentThread().interrupt();
        throw new CallerDisconnectedException();
      } finally {
        lock.unlock();
      }
    }

    /** Lets others work while this call, if it has the turn, waits for something. */
    void leave() {
      lock.lock();
      try {
        if (held) {
          held = false;
          away = true;
          passOn();
        }
      } finally {
        lock.unlock();
      }
    }

    /** Goes on after {@link #leave}, in front of those that have not begun. */
    void comeBack() {
      lock.lock();
      try {
        if (!away) {
          return;
        }
        away = false;
        if (free > 0) {
          free--;
          held = true;
          return;
        }
        begun.add(this);
        while (!held) {
          given.awaitUninterruptibly();
        }
      } finally {
        lock.unlock();
      }
    }

    /** Gives the turn back for good; does nothing without it. */
    void end() {
      leave();
      away = false;
    }
  }
}
