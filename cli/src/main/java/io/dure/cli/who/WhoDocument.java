package io.dure.cli.who;

import io.dure.cli.command.CommandContext;
import io.dure.core.census.Amounts;
import io.dure.core.census.Holder;
import io.dure.core.census.Holdings;
import io.dure.core.census.Supply;
import io.dure.core.census.Whom;
import io.dure.core.model.gres.License;
import io.dure.protocol.Response;
import io.dure.surface.json.Envelope;
import io.dure.surface.json.JsonText;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Who holds what, as a document. */
final class WhoDocument {
  private final JsonText json;

  private WhoDocument(JsonText json) {
    this.json = json;
  }

  /** Writes these holders, and all that is known of what they hold. */
  static void print(CommandContext context, Response.Holders told, List<Holder> holders) {
    try (JsonText json = JsonText.of(context.json())) {
      new WhoDocument(json).write(told, holders);
      Envelope.end(json, told.clusterName());
    }
  }

  private void write(Response.Holders told, List<Holder> holders) {
    Holdings holdings = told.holdings();
    json.object().time("time", told.now()).object("supply");
    amounts("all", holdings.all());
    Supply supply = holdings.supply();
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
    for (Holdings.Closed one : holdings.closed()) {
      json.object()
          .text("nodes", one.nodes())
          .number("count", one.count())
          .text("why", one.why().name().toLowerCase(Locale.ROOT))
          .text("reason", one.reason())
          .endObject();
    }
    json.endList().list("reservations");
    for (Holdings.Kept one : holdings.kept()) {
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

  private void holder(Holder one) {
    json.object();
    switch (one.who()) {
      case Whom.Account(String name) -> who("account", name, "");
      case Whom.User(String name, String account) -> who("user", account, name);
      case Whom.Others(String account) -> who("others", account, "");
    }
    json.number("depth", one.depth()).number("running_jobs", one.running());
    amounts("held", one.held());
    json.object("waiting")
        .number("jobs", one.waiting().jobs())
        .number("not_before_something_else", one.waiting().later());
    amounts("asked", one.waiting().asked());
    json.endObject();
    Holder.Share share = one.share();
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

  private void amounts(String name, Amounts amounts) {
    json.object(name).number("cpus", amounts.cpus()).list("gpus");
    for (Amounts.Gpus one : amounts.gpus()) {
      json.object().text("type", one.type()).fraction("count", one.milli() / 1000.0).endObject();
    }
    json.endList().list("licenses");
    for (License one : amounts.licenses()) {
      json.object().text("name", one.name()).number("count", one.count()).endObject();
    }
    json.endList().endObject();
  }
}
