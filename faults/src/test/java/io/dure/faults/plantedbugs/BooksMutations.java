package io.dure.faults.plantedbugs;

import io.dure.controller.accounting.AccountingReader;
import io.dure.controller.replica.PeerTransport;
import io.dure.faults.world.FaultHooks;

/** Bugs on the way of records to the accounting database. */
final class BooksMutations {
  private static final int EVERY = 20;

  private BooksMutations() {}

  /** A record is lost now and then. */
  static FaultHooks forgetful() {
    return new FaultHooks() {
      private int batches;

      @Override
      public AccountingReader.Books books(AccountingReader.Books real) {
        return (expected, records, position) -> {
          boolean forgets = ++batches % EVERY == 0 && !records.isEmpty();
          real.store(expected, forgets ? records.subList(1, records.size()) : records, position);
        };
      }
    };
  }

  /** No controller gives another any records. */
  static FaultHooks silent() {
    return new FaultHooks() {
      @Override
      public PeerTransport records(PeerTransport real) {
        return (_, _) -> {};
      }
    };
  }
}
