package io.dure.whatif;

import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.Qos;
import io.dure.twin.simulate.SimulateUsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A limit or share that is to be another one, as a call of sacctmgr. */
final class SacctmgrLimitChange {
  private final WhatIfChange.EntitlementChange change;
  private final AccountingTree tree;
  private final String value;

  /**
   * What is meant.
   *
   * @param tree the accounts of which a limit is to be more or less than it is
   */
  SacctmgrLimitChange(WhatIfChange.EntitlementChange change, AccountingTree tree)
      throws SimulateUsageException {
    this.change = change;
    this.tree = tree;
    value = value();
  }

  /** As it was typed. */
  String asked() {
    return change.name() + ":" + change.key() + "=" + change.value();
  }

  /** The words of the command. */
  List<String> words() {
    return List.of(
        "modify",
        change.entity(),
        "where",
        "name=" + change.name(),
        "set",
        change.key() + "=" + value);
  }

  private String value() throws SimulateUsageException {
    List<String> parts = new ArrayList<>();
    for (String part : change.value().split(",", -1)) {
      int equals = part.indexOf('=');
      String tres = equals < 0 ? null : part.substring(0, equals);
      String amount = part.substring(equals + 1);
      boolean relative = amount.matches("[+-][0-9]{1,15}");
      if (amount.matches("[+-].*") && !relative && !amount.equals("-1")) {
        throw refused("+ and - stand before a whole number", "write " + change.key() + "=+64");
      }
      if (!relative || amount.equals("-1")) {
        parts.add(part);
        continue;
      }
      long sum = now(tres) + Long.parseLong(amount);
      if (sum < 0) {
        throw refused("it has " + now(tres) + " only", "take away less");
      }
      parts.add((tres == null ? "" : tres + "=") + sum);
    }
    return String.join(",", parts);
  }

  private SimulateUsageException refused(String what, String remedy) {
    return new SimulateUsageException(
        "--" + change.entity() + " " + asked() + ": " + what + ": " + remedy);
  }

  private long now(@Nullable String tres) throws SimulateUsageException {
    Long known = known(tres == null ? null : tres.toLowerCase(Locale.ROOT));
    if (known == null) {
      String what = tres == null ? "" : " on " + tres;
      throw refused(
          "there is no " + change.key() + what + " that could be more or less",
          "write the number that it is to be, without a sign");
    }
    return known;
  }

  private @Nullable Long known(@Nullable String tres) throws SimulateUsageException {
    AccountingLimits limits;
    boolean shares = change.key().equalsIgnoreCase("Fairshare");
    if (change.entity().equals("qos")) {
      Qos qos = tree.qos(change.name().toLowerCase(Locale.ROOT));
      if (qos == null) {
        throw refused("there is no such QOS", "see sacctmgr show qos");
      }
      if (change.key().equalsIgnoreCase("Priority")) {
        return qos.priority();
      }
      limits = qos.limits();
    } else {
      Association own = association();
      if (shares) {
        return own.shares();
      }
      limits = own.limits();
    }
    for (LimitKind limit : LimitKind.values()) {
      if (limit.word().equalsIgnoreCase(change.key())) {
        for (AccountingLimits.Bound bound : limits.bounds()) {
          if (bound.limit() == limit && Objects.equals(bound.tres(), tres)) {
            return bound.most();
          }
        }
      }
    }
    return null;
  }

  private Association association() throws SimulateUsageException {
    String name = change.name();
    boolean user = change.entity().equals("user");
    List<Association> of = user ? tree.of(name) : List.of();
    Association account = tree.association(name.toLowerCase(Locale.ROOT), null, null);
    if (user ? of.isEmpty() : account == null) {
      throw refused("there is no such " + change.entity(), "see sacctmgr show " + change.entity());
    }
    if (of.size() > 1) {
      throw refused("the user has several accounts", "write the number without a sign");
    }
    return user || account == null ? of.getFirst() : account;
  }
}
