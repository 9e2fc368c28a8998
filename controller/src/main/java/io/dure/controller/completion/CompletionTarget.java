package io.dure.controller.completion;

import io.dure.surface.completion.CompletedJob;
import java.io.IOException;
import java.util.List;

/** A place where ended jobs are recorded. One thread. */
interface CompletionTarget extends AutoCloseable {
  /** How many jobs it takes together. */
  int most();

  /**
   * Records jobs, all of them or, if it fails, perhaps some of the first.
   *
   * @throws IOException if the place cannot be reached, so that it is to be tried again
   */
  void record(List<CompletedJob> ended) throws IOException, InterruptedException;

  /** Bytes of its file behind what is recorded, 0 where it is no file. */
  default long fileLength() {
    return 0;
  }

  @Override
  default void close() {}
}
