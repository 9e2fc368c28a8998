package io.dure.surface.json;

import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.TresAmounts;
import io.dure.protocol.Response;
import java.util.ArrayList;
import java.util.List;

/** A document of shares, with the members that Slurm's data parser gives them. */
public final class SharesJson {
  private static final long SECONDS = 60;

  private SharesJson() {}

  /** Writes these places of the tree. */
  public static void print(JsonTarget target, String cluster, List<Response.Share> shares) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target, "openapi_shares_resp")) {
      json.object().object("shares").list("shares");
      long total = 0;
      for (Response.Share share : shares) {
        write(json, cluster, share);
        Long own = share.association().shares();
        total += own == null ? 0 : own;
      }
      json.endList().number("total_shares", total).endObject();
      JsonEnvelope.end(json, cluster);
    }
  }

  private static void write(SlurmJsonWriter json, String cluster, Response.Share share) {
    Association of = share.association();
    boolean user = of.user() != null;
    json.object()
        .number("id", of.id())
        .text("cluster", cluster)
        .text("name", user ? of.user() : of.account())
        .text("parent", user ? of.account() : of.parent())
        .text("partition", of.partition())
        .decimal("shares_normalized", share.normShares())
        .bound("shares", of.shares())
        .object("tres");
    amounts(json, "run_seconds", share.runMinutes());
    json.list("group_minutes");
    TresAmounts limits = of.limits().tres(LimitKind.GRP_TRES_MINS);
    limits
        .amounts()
        .forEach(one ->
            json.object()
                .text("name", one.name())
                .maybe("value", Long.valueOf(one.amount()))
                .endObject());
    json.endList().list("usage");
    for (String name : names(share.usedMinutes())) {
      json.object()
          .text("name", name)
          .fraction("value", share.usedMinutes().of(name) * (double) SECONDS)
          .endObject();
    }
    json.endList()
        .endObject()
        .decimal("effective_usage", share.effectiveUsage())
        .decimal("usage_normalized", share.normUsage())
        .number("usage", (long) share.rawUsage())
        .object("fairshare")
        .decimal("factor", share.factor())
        .decimal("level", share.level())
        .endObject()
        .texts("type", List.of(user ? "USER" : "ASSOCIATION"))
        .endObject();
  }

  private static void amounts(SlurmJsonWriter json, String list, TresAmounts minutes) {
    json.list(list);
    for (String name : names(minutes)) {
      json.object()
          .text("name", name)
          .maybe("value", Long.valueOf(minutes.of(name) * SECONDS))
          .endObject();
    }
    json.endList();
  }

  /** Every resource that is counted, none left out. */
  private static List<String> names(TresAmounts amounts) {
    List<String> names = new ArrayList<>(TresAmounts.USUAL);
    for (TresAmounts.Amount one : amounts.amounts()) {
      if (!names.contains(one.name())) {
        names.add(one.name());
      }
    }
    return names;
  }
}
