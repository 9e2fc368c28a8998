package io.dure.journal;

import org.jspecify.annotations.Nullable;

/** Runs what the journal does beside its callers. */
enum JournalWorkers {
  /** Threads of the journal's own. */
  THREADS {
    @Override
    Thread start(String name, Runnable work) {
      return Thread.ofPlatform().daemon().name(name).start(work);
    }
  },
  /** The one that calls, so that everything happens in one order. */
  CALLER {
    @Override
    @Nullable Thread start(String name, Runnable work) {
      work.run();
      return null;
    }
  };

  /** Has work done, by a thread of that name or before this returns: null then. */
  abstract @Nullable Thread start(String name, Runnable work);
}
