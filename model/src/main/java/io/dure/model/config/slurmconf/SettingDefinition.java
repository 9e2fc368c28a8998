package io.dure.model.config.slurmconf;

import io.dure.model.config.programpath.ProgramPattern;

/**
 * A key that Slurm knows.
 *
 * @param section the kind of line it stands on
 * @param name its name as Slurm spells it; keys are read without regard to case
 * @param kind how its value is written
 * @param defaultText the value where none is given, empty when there is none
 * @param use what comes of it
 * @param shown when {@code scontrol show config} prints it
 */
public record SettingDefinition(
    Section section, String name, Kind kind, String defaultText, Use use, Shown shown) {

  /** What comes of a key. */
  public enum Use {
    /** Something obeys it. */
    ACTED_ON,
    /**
     * Its default is what happens, because what it would steer is not there; another value is told
     * to have no effect.
     */
    DEFAULT_ONLY,
    /** It is read, and nothing comes of it. */
    NONE
  }

  /** Whether something obeys it. */
  public boolean honoured() {
    return use == Use.ACTED_ON;
  }

  /** The kinds of lines; all but the first are opened by a key of their own. */
  public enum Section {
    CLUSTER(""),
    NODE("NodeName"),
    PARTITION("PartitionName"),
    NODE_SET("NodeSet"),
    DOWN_NODES("DownNodes"),
    FRONT_END("FrontendName");

    private final String opener;

    Section(String opener) {
      this.opener = opener;
    }

    /** The key that opens such a line, empty for the cluster's own settings. */
    public String opener() {
      return opener;
    }
  }

  /** How a value is written. */
  public enum Kind {
    /** Any text. */
    TEXT,
    /** A word whose case does not matter and which Slurm prints in capitals. */
    UPPER,
    /** Any text, and the key may be given several times. */
    REPEATED,
    /** A {@link ProgramPattern}. */
    PROGRAM,
    /** The same, and the key may be given several times. */
    PROGRAMS,
    /** yes, no, true, false, up, down, 1 or 0. */
    FLAG,
    /** The same, which Slurm prints as 1 or 0. */
    BIT,
    /** A whole number from 0, perhaps with K, M or G (1024 based), or UNLIMITED. */
    NUMBER,
    /** Seconds, or INFINITE. */
    SECONDS,
    /** Seconds, or INFINITE; Slurm prints the bare number. */
    PLAIN_SECONDS,
    /** Microseconds. */
    MICROSECONDS,
    /** Whole minutes, or UNLIMITED. */
    MINUTES,
    /** Minutes or [D-]HH:MM:SS and its shorter forms, or UNLIMITED. */
    TIME,
    /** Mebibytes, perhaps with K, M, G or T, or UNLIMITED. */
    MEMORY,
    /** A per cent number. */
    PERCENT,
    /** Nodes per minute. */
    RATE,
    /** A TCP port or a range of them. */
    PORT,
    /** A level of logging: quiet to debug5, or 0 to 9. */
    LEVEL,
    /** A user's name or number. */
    USER,
    /** Not a key of the file: a fact of the running controller. */
    RUNTIME
  }

  /** When {@code scontrol show config} prints a setting. */
  public enum Shown {
    ALWAYS,
    WHEN_SET,
    NEVER
  }

  /** Whether the key may be given several times, each adding to the last. */
  public boolean repeats() {
    return kind == Kind.REPEATED || kind == Kind.PROGRAMS;
  }
}
