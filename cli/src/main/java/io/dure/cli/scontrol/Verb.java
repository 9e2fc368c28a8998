package io.dure.cli.scontrol;

import io.dure.cli.scontrol.session.Words;
import io.dure.cli.scontrol.session.Words.Entry;
import java.util.List;

/** What a line can ask for, and how many words may follow. */
enum Verb {
  ALL(0, 0),
  HIDE(0, 0),
  DETAILS(0, 0),
  ONELINER(0, 0),
  QUIET(0, 0),
  VERBOSE(0, 0),
  QUIT(0, 0),
  HELP(0, 1),
  VERSION(0, 0),
  SHOW(1, 2),
  PING(0, 0),
  HOLD(1, Verb.ANY),
  UHOLD(1, Verb.ANY),
  RELEASE(1, Verb.ANY),
  REQUEUE(1, Verb.ANY),
  REQUEUEHOLD(1, Verb.ANY),
  /** Known to Slurm and refused here. */
  NOT_BUILT(0, Verb.ANY);

  private static final int ANY = Integer.MAX_VALUE;

  static final Words<Verb> WORDS =
      new Words<>(
          List.of(
              new Entry<>("all", 3, ALL),
              new Entry<>("details", 1, DETAILS),
              new Entry<>("exit", 1, QUIT),
              new Entry<>("help", 2, HELP),
              new Entry<>("hide", 2, HIDE),
              new Entry<>("hold", 3, HOLD),
              new Entry<>("holdu", 5, UHOLD),
              new Entry<>("uhold", 2, UHOLD),
              new Entry<>("oneliner", 1, ONELINER),
              new Entry<>("ping", 3, PING),
              new Entry<>("quiet", 4, QUIET),
              new Entry<>("quit", 4, QUIT),
              new Entry<>("release", 3, RELEASE),
              new Entry<>("requeue", 3, REQUEUE),
              new Entry<>("requeuehold", 8, REQUEUEHOLD),
              new Entry<>("show", 3, SHOW),
              new Entry<>("verbose", 4, VERBOSE),
              new Entry<>("version", 4, VERSION)));

  private final int least;
  private final int most;

  Verb(int least, int most) {
    this.least = least;
    this.most = most;
  }

  int least() {
    return least;
  }

  int most() {
    return most;
  }
}
