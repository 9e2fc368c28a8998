package io.dure.surface.json;

import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.TresAmounts;

/** Writes limits of associations and QOS, and amounts of resources. For one thread. */
final class LimitsJson {
  private static final int FIRST_OF_CLUSTER = 1001;

  private final SlurmJsonWriter json;
  private final AccountingLimits limits;

  LimitsJson(SlurmJsonWriter json, AccountingLimits limits) {
    this.json = json;
    this.limits = limits;
  }

  /** A count, or minutes; none is no bound. */
  LimitsJson bound(String name, LimitKind kind) {
    json.bound(name, limits.of(kind));
    return this;
  }

  /** An amount of each resource that is bounded. */
  LimitsJson tres(String name, LimitKind kind) {
    tres(json, name, limits.tres(kind));
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
  static void tres(SlurmJsonWriter json, String name, TresAmounts amounts) {
    json.list(name);
    int further = FIRST_OF_CLUSTER;
    for (TresAmounts.Amount amount : amounts.amounts()) {
      int usual = TresAmounts.USUAL.indexOf(amount.name());
      tres(json.object(), amount.name(), usual < 0 ? further++ : usual + 1);
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
