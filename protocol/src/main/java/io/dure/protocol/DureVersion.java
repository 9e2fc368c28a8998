package io.dure.protocol;

/** Which Dure this is, and which Slurm it behaves as. */
public final class DureVersion {
  /** Dure's own version. */
  public static final String DURE = "0.1.0";

  /** The release of Slurm whose commands, files and variables it follows. */
  public static final String SLURM = "26.05.3";

  /** What commands and daemons print for {@code --version}: tools compare the whole line. */
  public static final String LINE = "slurm " + SLURM;

  private DureVersion() {}

  /** Both versions, for a log. */
  public static String line() {
    return "slurm " + SLURM + " (Dure " + DURE + ")";
  }
}
