package io.dure.faults.books;

import io.dure.controller.accounting.AccountingReader;
import io.dure.controller.replica.PeerTransport;
import io.dure.journal.JournalListener;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import org.slf4j.Logger;

/** What a process's accounting has around it. */
public interface BooksSurroundings {
  /** Does something in this life of the process. */
  void later(long micros, String what, Runnable action);

  /** The clock of its machine. */
  InstantSource clock();

  /** Where it logs. */
  Logger log();

  /** Chance. */
  SplittableRandom random();

  /** Hears of its disk. */
  JournalListener listener();

  /** The disk is as it is now. */
  void feelDisk();

  /** Whether the process has come to the operation of its disk at which it ends. */
  boolean diesOfDisk();

  /** Whether it leads. */
  boolean leads();

  /** The way to the other controllers. */
  PeerTransport peers();

  /** Their hosts. */
  List<String> others();

  /** The books, seen by a planted bug. */
  AccountingReader.Books seen(AccountingReader.Books real);

  /** A happening, counted. */
  void count(String what);
}
