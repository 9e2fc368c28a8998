package io.dure.accounting.retention;

import java.io.IOException;

/** An archive is of a cluster whose records are not to be touched. */
public final class ForeignArchiveException extends IOException {
  private static final long serialVersionUID = 1;

  private final String cluster;

  ForeignArchiveException(String cluster) {
    super("the archive is of " + cluster);
    this.cluster = cluster;
  }

  /** The cluster that it is of. */
  public String cluster() {
    return cluster;
  }
}
