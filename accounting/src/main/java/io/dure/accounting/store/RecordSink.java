package io.dure.accounting.store;

import io.dure.accounting.StalePositionException;
import io.dure.model.accounting.record.AccountingRecord;
import java.io.IOException;
import java.util.List;

/** Takes the records of one cluster, each once. For one thread at a time. */
public interface RecordSink {
  /**
   * The position up to which it has the records of the cluster, 0 for none.
   *
   * @throws IOException if it does not answer, or cannot be used
   */
  long position() throws IOException;

  /**
   * Stores further records, all or none.
   *
   * @param expected the position after the last call
   * @param position of the last of these records
   * @throws StalePositionException if it is at another position
   * @throws IOException if it does not answer; whether they are stored is then unknown
   */
  void store(long expected, List<AccountingRecord> records, long position)
      throws StalePositionException, IOException;
}
