package io.dure.rules.limits;

import io.dure.model.accounting.AccountingLimits;

/**
 * A limit that is held against a job.
 *
 * @param bound the limit
 * @param most what is allowed, which need not be what the limit says
 * @param job the job
 * @param held what those hold whose use the limit counts
 * @param ledger where that comes from
 */
record LimitCheck(
    AccountingLimits.Bound bound,
    double most,
    JobDemand job,
    LimitUsage held,
    LimitUsageLedger ledger) {

  /** The resource that the limit is of, empty where it is of none. */
  String tres() {
    return bound.tres() == null ? "" : bound.tres();
  }

  /** How much of that resource the job wants. */
  long wanted() {
    return job.tres().of(tres());
  }

  /** How long the job may run, minutes. */
  double minutes() {
    return job.minutes() == null
        ? LimitUsageLedger.FOREVER / LimitUsageLedger.MINUTE
        : job.minutes();
  }

  /** How many minutes of the resource the running jobs may still use. */
  double minutesLeft() {
    ledger.countMinutes();
    return held.minutesLeft(tres());
  }

  /** How many minutes of the resource the job may use, as its QOS counts them. */
  double runMinutes() {
    return wanted() * minutes() * ledger.usageFactor(job);
  }
}
