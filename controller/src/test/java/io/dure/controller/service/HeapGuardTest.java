package io.dure.controller.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Garbage that is not yet removed is no reason to reject a job. */
@Tag("pure")
class HeapGuardTest {
  private static final long LATER = HeapGuard.AGAIN.toNanos();

  private final Heap heap = new Heap();
  private long now = 5;
  private final HeapGuard guard = new HeapGuard(heap, () -> now);

  /** Of 100, full beyond 70. */
  private static final class Heap implements HeapGuard.Memory {
    int live;
    int garbage;
    int lastSeen;
    int collections;

    /** A collection beside the program. */
    void look() {
      lastSeen = live + garbage;
    }

    @Override
    public boolean seemsFull() {
      return lastSeen > 70;
    }

    @Override
    public void collect() {
      collections++;
      garbage = 0;
      look();
    }
  }

  @Test
  void garbageIsCollectedInsteadOfAJobRejected() {
    heap.live = 30;
    heap.garbage = 60;
    assertFalse(guard.full());
    assertEquals(0, heap.collections, "nothing had been seen");
    heap.look();
    assertFalse(guard.full());
    assertFalse(guard.full());
    assertEquals(1, heap.collections);
  }

  @Test
  void fullMemoryIsNotCollectedForEachJob() {
    heap.live = 80;
    heap.look();
    for (int i = 0; i < 100; i++) {
      assertTrue(guard.full());
    }
    assertEquals(1, heap.collections);
    now += LATER;
    assertTrue(guard.full());
    assertEquals(2, heap.collections);
  }

  /** No collection of its own need come where jobs are rejected and nothing else happens. */
  @Test
  void roomThatJobsLeftIsFoundWithoutAnotherCollection() {
    heap.live = 80;
    heap.look();
    assertTrue(guard.full());
    heap.live = 20;
    now += LATER;
    assertFalse(guard.full());
    assertEquals(2, heap.collections);
  }

  @Test
  void aCollectionThatFindsRoomIsBelievedAtOnce() {
    heap.live = 80;
    heap.look();
    assertTrue(guard.full());
    heap.live = 20;
    heap.look();
    assertFalse(guard.full());
    heap.garbage = 70;
    heap.look();
    now += LATER;
    assertFalse(guard.full());
    assertEquals(2, heap.collections);
  }
}
