package io.dure.cli.sshare;

import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.TresAmounts;
import io.dure.protocol.Response;
import io.dure.surface.accounts.AccountingField;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;

/** The columns of shares. */
final class ShareFields {
  private ShareFields() {}

  /**
   * A line of the listing.
   *
   * @param share what it is about
   * @param indent blanks before the account
   * @param cluster the cluster's name
   */
  record Row(Response.Share share, int indent, String cluster) {
    Association of() {
      return share.association();
    }

    boolean isRoot() {
      return of().user() == null && of().parent() == null;
    }
  }

  static final List<AccountingField<Row>> ALL =
      List.of(
          field("Account", -20, row -> " ".repeat(row.indent()) + row.of().account()),
          field("User", 10, row -> Objects.requireNonNullElse(row.of().user(), "")),
          field("Cluster", 10, Row::cluster),
          field("Partition", 12, row -> Objects.requireNonNullElse(row.of().partition(), "")),
          field("ID", 6, row -> Integer.toString(row.of().id())),
          field("RawShares", 10, ShareFields::shares),
          field("NormShares", 11, row -> decimal(row.share().normShares())),
          field("RawUsage", 11, row -> Long.toString((long) row.share().rawUsage())),
          field("NormUsage", 11, row -> row.isRoot() ? "" : decimal(row.share().normUsage())),
          field("EffectvUsage", 13, row -> decimal(row.share().effectiveUsage())),
          field(
              "FairShare", 10, row -> row.of().user() == null ? "" : decimal(row.share().factor())),
          field("LevelFS", 10, row -> hasLevel(row) ? level(row.share().level()) : ""),
          field("GrpTRESMins", 30, ShareFields::groupMinutes),
          field("GrpTRESRaw", 30, row -> all(row.share().usedMinutes())),
          field("TRESRunMins", 30, row -> all(row.share().runMinutes())));

  private static AccountingField<Row> field(String header, int width, Function<Row, String> value) {
    return new AccountingField<>(header, List.of(header.toLowerCase(Locale.ROOT)), width, value);
  }

  /** What shares as its parent is compared with nobody. */
  private static boolean hasLevel(Row row) {
    return !row.isRoot() && row.of().shares() != null;
  }

  private static String shares(Row row) {
    if (row.isRoot()) {
      return "";
    }
    Long shares = row.of().shares();
    return shares == null ? "parent" : Long.toString(shares);
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.6f", value);
  }

  private static String level(double value) {
    return Double.isInfinite(value) ? "inf" : decimal(value);
  }

  private static String groupMinutes(Row row) {
    TresAmounts limits = row.of().limits().tres(LimitKind.GRP_TRES_MINS);
    List<String> parts = new ArrayList<>();
    limits.amounts().forEach(amount -> parts.add(amount.name() + "=" + amount.amount()));
    return String.join(",", parts);
  }

  /** Every resource that is counted, none left out. */
  private static String all(TresAmounts amounts) {
    List<String> parts = new ArrayList<>();
    for (String name : TresAmounts.USUAL) {
      parts.add(name + "=" + amounts.of(name));
    }
    for (TresAmounts.Amount amount : amounts.amounts()) {
      if (!TresAmounts.USUAL.contains(amount.name())) {
        parts.add(amount.name() + "=" + amount.amount());
      }
    }
    return String.join(",", parts);
  }
}
