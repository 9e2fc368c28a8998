package io.dure.controller.accounting.upkeep;

import io.dure.protocol.Response;
import io.dure.protocol.accounting.ArchiveOrder;
import java.io.IOException;

/**
 * What sacctmgr has done with old records, and asks of how they are kept: here or by slurmdbd. Any
 * thread.
 */
public interface BookKeeping {
  /**
   * A user that asks for something.
   *
   * @param user its login name
   * @param operator whether it is root or SlurmUser
   */
  record Asker(String user, boolean operator) {}

  /**
   * Takes old records out, by what is asked and, where nothing is said, by slurmdbd.conf.
   *
   * @throws IOException if the database or slurmdbd does not answer
   */
  Response archive(ArchiveOrder order, Asker by) throws IOException;

  /**
   * Puts an archive back.
   *
   * @param file on the machine of what keeps the records
   * @throws IOException if the database or slurmdbd does not answer
   */
  Response load(String file, Asker by) throws IOException;

  /**
   * What is followed, line by line as slurmdbd tells it.
   *
   * @throws IOException if slurmdbd does not answer
   */
  Response configuration() throws IOException;
}
