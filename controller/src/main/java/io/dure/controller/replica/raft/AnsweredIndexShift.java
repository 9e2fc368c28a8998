package io.dure.controller.replica.raft;

/** What is added to the log index that MicroRaft's next answer names. The log's thread. */
final class AnsweredIndexShift {
  private long places;

  void set(long now) {
    places = now;
  }

  long places() {
    return places;
  }
}
