package io.dure.model.config.accounting;

import java.util.List;

/**
 * How slurmdbd runs, as slurmdbd.conf says it.
 *
 * @param hosts DbdHost, and DbdBackupHost if there is one
 * @param address DbdAddr: where it listens, empty for all addresses
 * @param port DbdPort
 * @param user SlurmUser: login name or number
 * @param logFile LogFile, empty for the standard error stream
 * @param pidFile PidFile
 * @param debugLevel DebugLevel
 * @param file StorageLoc where the books are in a file, empty where they are in a server
 * @param privateData what controllers are told to hide of the books
 * @param tracksWckeys TrackWCKey: whether jobs have workload keys in the books
 */
public record SlurmdbdSettings(
    List<String> hosts,
    String address,
    int port,
    String user,
    String logFile,
    String pidFile,
    String debugLevel,
    String file,
    List<String> privateData,
    boolean tracksWckeys) {
  /** DbdPort where nothing says another. */
  public static final int PORT = 6819;

  /** The key of the daemon, beside slurmdbd.conf and beside slurm.conf of each cluster. */
  public static final String KEY_FILE = "slurmdbd.key";
}
