package io.dure.model.config;

/** Where the records of what ran are kept ({@code AccountingStorageType}). */
public enum AccountingStorage {
  /** In a database in the controller's directory. */
  EMBEDDED,

  /** Nowhere. */
  NONE
}
