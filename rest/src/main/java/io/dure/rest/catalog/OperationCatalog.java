package io.dure.rest.catalog;

import io.dure.rest.RestOperation;
import io.dure.rest.slurm.SlurmOperations;
import io.dure.rest.slurmdb.AccountingOperations;
import java.util.Map;
import java.util.TreeMap;

/** The operations of {@code /slurm} and {@code /slurmdb}. */
public final class OperationCatalog {
  private OperationCatalog() {}

  /** All, by method and path, as the descriptions of documents name them. */
  public static Map<String, RestOperation> all() {
    Map<String, RestOperation> all = new TreeMap<>(SlurmOperations.all());
    all.putAll(AccountingOperations.all());
    return all;
  }
}
