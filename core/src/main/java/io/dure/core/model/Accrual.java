package io.dure.core.model;

import java.time.Instant;

/** How the age of a waiting job counts that a limit of such jobs kept from counting at first. */
public sealed interface Accrual {
  /** It does not count yet. */
  record Waits() implements Accrual {}

  /** It counts from then on. */
  record Since(Instant at) implements Accrual {}
}
