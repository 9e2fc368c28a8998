package io.dure.cli.command;

/** The release of Slurm whose behaviour the commands have, as every {@code --version} prints it. */
public final class Version {

  /** The line without its end. */
  public static final String TEXT = "slurm 26.05.3";

  private Version() {}
}
