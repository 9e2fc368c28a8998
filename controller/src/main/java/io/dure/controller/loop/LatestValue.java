package io.dure.controller.loop;

/**
 * The newest value of something that one thread makes and others read.
 *
 * @param <T> an immutable type
 */
public final class LatestValue<T> {
  private volatile T value;

  /** With the value to begin with. */
  public LatestValue(T first) {
    value = first;
  }

  /** The newest value. Any thread. */
  public T get() {
    return value;
  }

  /**
   * Makes a value the newest. Called by one thread at a time.
   *
   * @return true if it is another one than before
   */
  @SuppressWarnings("ReferenceEquality") // another value, not an unequal one; comparing may be slow
  public boolean set(T next) {
    boolean changed = value != next;
    value = next;
    return changed;
  }
}
