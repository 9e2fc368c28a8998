package io.dure.surface.json;

import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.TresAmounts;
import io.dure.surface.accounts.TresNumbers;

/** Writes limits of associations and QOS, and amounts of resources. For one thread. */
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
    tres(json, name, limits.tres(kind), numbers);
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

  /** Amounts of resources. */
  static void tres(SlurmJsonWriter json, String name, TresAmounts amounts, TresNumbers numbers) {
    json.list(name);
    for (TresAmounts.Amount amount : amounts.amounts()) {
      tres(json.object(), amount.name(), numbers.of(amount.name()));
      json.number("count", amount.amount()).endObject();
    }
    json.endList();
  }

  /** The members that say which resource it is. */
  static SlurmJsonWriter tres(SlurmJsonWriter json, String name, int id) {
    int slash = name.indexOf('/');
    return json.text("type", slash < 0 ? name : name.substring(0, slash))
        .text("name", slash < 0 ? "" : name.substring(slash + 1))
        .number("id", id);
  }
}
