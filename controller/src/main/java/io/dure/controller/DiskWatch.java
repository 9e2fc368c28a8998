package io.dure.controller;

import io.dure.host.log.DaemonLog;
import io.dure.journal.JournalListener;
import java.io.IOException;

/** Tells of the disk of the state: one that refuses stops acknowledgements, said once a spell. */
final class DiskWatch implements JournalListener {
  private final DaemonLog log;
  private final Runnable end;

  /**
   * A watch.
   *
   * @param end ends the controller
   */
  DiskWatch(DaemonLog log, Runnable end) {
    this.log = log;
    this.end = end;
  }

  @Override
  public void failed(IOException cause) {
    log.error(
        "StateSaveLocation is not writable ("
            + cause.getMessage()
            + "): requests that change something wait until it is; running jobs are not affected");
  }

  @Override
  public void decayed(String line) {
    log.error("StateSaveLocation: " + line);
  }

  @Override
  public void healed() {
    log.info("StateSaveLocation is writable again");
  }

  @Override
  public void stopped(Throwable cause) {
    log.error("journal failed, a bug in Dure: slurmctld exits", cause);
    end.run();
  }
}
