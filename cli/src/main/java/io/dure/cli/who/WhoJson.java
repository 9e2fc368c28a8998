package io.dure.cli.who;

import io.dure.model.gres.License;
import io.dure.model.report.CapacitySummary;
import io.dure.model.report.ClusterHoldings;
import io.dure.model.report.ResourceAmounts;
import io.dure.model.report.ResourceHolder;
import io.dure.model.report.ShareHolder;
import io.dure.protocol.Response;
import io.dure.surface.json.JsonEnvelope;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.json.SlurmJsonWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The holders of the cluster's resources as a document. */
final class WhoJson {
  private final SlurmJsonWriter json;

  private WhoJson(SlurmJsonWriter json) {
    this.json = json;
  }

  /** Writes these holders, and all that is known of what they hold. */
  static void print(JsonTarget target, Response.Holders answer, List<ResourceHolder> holders) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target)) {
      new WhoJson(json).write(answer, holders);
      JsonEnvelope.end(json, answer.clusterName());
    }
  }

  private void write(Response.Holders answer, List<ResourceHolder> holders) {
    ClusterHoldings holdings = answer.holdings();
    json.object().time("time", answer.now()).object("supply");
    amounts("all", holdings.all());
    CapacitySummary supply = holdings.supply();
    if (supply != null) {
      amounts("in_use", supply.inUse());
      amounts("free", supply.free());
      amounts("of_no_use", supply.useless());
      amounts("reserved", supply.reserved());
      amounts("closed", supply.closed());
    }
    json.endObject().list("holders");
    holders.forEach(this::holder);
    json.endList().list("closed_nodes");
    for (ClusterHoldings.Closed one : holdings.closed()) {
      json.object()
          .text("nodes", one.nodes())
          .number("count", one.count())
          .text("why", one.why().name().toLowerCase(Locale.ROOT))
          .text("reason", one.reason())
          .endObject();
    }
    json.endList().list("reservations");
    for (ClusterHoldings.ReservationSummary one : holdings.kept()) {
      json.object()
          .text("name", one.name())
          .text("nodes", one.nodes())
          .number("count", one.count())
          .time("start_time", one.start())
          .time("end_time", one.end())
          .flag("maintenance", one.maintenance())
          .texts("users", one.users())
          .texts("accounts", one.accounts())
          .endObject();
    }
    json.endList();
  }

  private void holder(ResourceHolder one) {
    json.object();
    switch (one.who()) {
      case ShareHolder.Account(String name) -> who("account", name, "");
      case ShareHolder.User(String name, String account) -> who("user", account, name);
      case ShareHolder.Others(String account) -> who("others", account, "");
    }
    json.number("depth", one.depth()).number("running_jobs", one.running());
    amounts("held", one.held());
    json.object("waiting")
        .number("jobs", one.waiting().jobs())
        .number("not_before_something_else", one.waiting().later());
    amounts("asked", one.waiting().asked());
    json.endObject();
    ResourceHolder.Share share = one.share();
    if (share != null) {
      json.object("share")
          .fraction("entitled", share.entitled())
          .fraction("used", share.used())
          .fraction("factor", share.factor())
          .endObject();
    }
    json.endObject();
  }

  private void who(String kind, @Nullable String account, String user) {
    json.text("kind", kind).text("account", account).text("user", user);
  }

  private void amounts(String name, ResourceAmounts amounts) {
    json.object(name).number("cpus", amounts.cpus()).list("gpus");
    for (ResourceAmounts.Gpus one : amounts.gpus()) {
      json.object().text("type", one.type()).fraction("count", one.milli() / 1000.0).endObject();
    }
    json.endList().list("licenses");
    for (License one : amounts.licenses()) {
      json.object().text("name", one.name()).number("count", one.count()).endObject();
    }
    json.endList().endObject();
  }
}
