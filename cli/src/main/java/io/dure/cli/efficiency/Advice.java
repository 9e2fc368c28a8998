package io.dure.cli.efficiency;

/**
 * What to ask for the next time.
 *
 * @param kind of what
 * @param option the option of {@code sbatch}
 * @param value how much, in the option's unit: memory in MiB, time in minutes
 * @param why what speaks for it
 */
record Advice(Advice.Kind kind, String option, long value, String why) {
  /** Of what. */
  enum Kind {
    CPUS,
    MEMORY,
    GPUS,
    TIME
  }

  /** As it is typed. */
  String text() {
    return switch (kind) {
      case CPUS -> option + value;
      case GPUS -> value == 0 ? "no " + option : option + value;
      case MEMORY -> option + value + "M";
      case TIME -> option + minutes(value);
    };
  }

  private static String minutes(long value) {
    long days = value / 1440;
    String clock = two(value / 60 % 24) + ":" + two(value % 60) + ":00";
    return days == 0 ? clock : days + "-" + clock;
  }

  private static String two(long value) {
    return value < 10 ? "0" + value : Long.toString(value);
  }
}
