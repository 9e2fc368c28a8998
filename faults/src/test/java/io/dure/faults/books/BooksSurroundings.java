package io.dure.faults.books;

import io.dure.controller.accounting.AccountingReader;
import io.dure.controller.replica.PeerTransport;
import io.dure.journal.JournalListener;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;

/**
 * What a process's accounting has around it.
 *
 * @param planner does something later in this life of the process
 * @param listener hears of its disk
 * @param feelDisk makes the disk what it is now
 * @param diesOfDisk whether the process has come to the operation of a disk at which it ends
 * @param leads whether it leads
 * @param peers the way to the other controllers
 * @param others their hosts
 * @param seen the books, seen by a planted bug
 * @param count counts a happening
 */
public record BooksSurroundings(
    Planner planner,
    InstantSource clock,
    Logger log,
    JournalListener listener,
    Runnable feelDisk,
    BooleanSupplier diesOfDisk,
    BooleanSupplier leads,
    PeerTransport peers,
    List<String> others,
    UnaryOperator<AccountingReader.Books> seen,
    Consumer<String> count) {

  /** Time. */
  public interface Planner {
    /** Does something so much later. */
    void later(long micros, String what, Runnable action);
  }
}
