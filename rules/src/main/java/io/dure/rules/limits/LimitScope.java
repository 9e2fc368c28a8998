package io.dure.rules.limits;

import io.dure.model.accounting.LimitKind;

/** Whose use a limit of a QOS counts. */
enum LimitScope {
  /** That of all its jobs. */
  ALL,
  /** That of each user alone. */
  USER,
  /** That of each account alone. */
  ACCOUNT;

  static LimitScope of(LimitKind limit) {
    return switch (limit) {
      case MAX_JOBS_PER_USER, MAX_TRES_PER_USER, MAX_TRES_RUN_MINS_PER_USER -> USER;
      case MAX_JOBS_PER_ACCOUNT, MAX_TRES_PER_ACCOUNT, MAX_TRES_RUN_MINS_PER_ACCOUNT -> ACCOUNT;
      default -> ALL;
    };
  }
}
