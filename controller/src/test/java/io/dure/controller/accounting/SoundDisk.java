package io.dure.controller.accounting;

import io.dure.journal.JournalListener;
import java.io.IOException;

/** A disk of which nothing is heard. */
public final class SoundDisk implements JournalListener {
  @Override
  public void failed(IOException cause) {
    throw new AssertionError(cause);
  }

  @Override
  public void healed() {
    throw new AssertionError("it never failed");
  }

  @Override
  public void stopped(Throwable cause) {
    throw new AssertionError(cause);
  }
}
