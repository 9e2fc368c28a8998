package io.dure.surface.json;

import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.LimitKind;
import io.dure.surface.accounts.TresNumbers;

/** Writes limits of associations and QOS. For one thread. */
final class LimitsJson {
  private final SlurmJsonWriter json;
  private final AccountingLimits limits;
  private final TresNumbers numbers;

  LimitsJson(SlurmJsonWriter json, AccountingLimits limits, TresNumbers numbers) {
    this.json = json;
    this.limits = limits;
    this.numbers = numbers;
  }

  /** A count, or minutes; none is no bound. */
  LimitsJson bound(String name, LimitKind kind) {
    json.bound(name, limits.of(kind));
    return this;
  }

  /** An amount of each resource that is bounded. */
  LimitsJson tres(String name, LimitKind kind) {
    json.resources(name, limits.tres(kind), numbers);
    return this;
  }

  LimitsJson object(String name) {
    json.object(name);
    return this;
  }

  LimitsJson end() {
    json.endObject();
    return this;
  }
}
