package io.dure.surface.json;

import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.Wckey;
import io.dure.protocol.StatisticsInfo;
import io.dure.protocol.accounting.ReservationUse;
import io.dure.protocol.slurmdbd.BookKeeper;
import io.dure.surface.accounts.TresNumbers;
import io.dure.surface.value.KeywordParser;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Documents of accounts, users, associations, the cluster and the resources that are counted, with
 * the members that Slurm's data parser gives them. For one thread.
 */
public final class AccountingJson {
  private final JsonTarget target;
  private final AccountingTree tree;
  private final String cluster;
  private final TresNumbers numbers;

  /** Documents of this cluster's accounts. */
  public AccountingJson(
      JsonTarget target, AccountingTree tree, String cluster, TresNumbers numbers) {
    this.target = target;
    this.tree = tree;
    this.cluster = cluster;
    this.numbers = numbers;
  }

  private void print(String list, String schema, Consumer<SlurmJsonWriter> content) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target, schema)) {
      print(json, list, content);
    }
  }

  /** A list that only commands of Slurm write, of which it publishes no schema. */
  private void print(String list, Consumer<SlurmJsonWriter> content) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target)) {
      print(json, list, content);
    }
  }

  private void print(SlurmJsonWriter json, String list, Consumer<SlurmJsonWriter> content) {
    json.object().list(list);
    content.accept(json);
    json.endList();
    JsonEnvelope.end(json, cluster);
  }

  /** Writes a list of which there is nothing. */
  public void nothing(String list) {
    print(list, _ -> {});
  }

  /** Writes rows of a table with the names of its columns. */
  public void rows(String list, List<String> names, List<List<String>> rows) {
    print(
        list,
        json -> {
          for (List<String> row : rows) {
            json.object();
            for (int i = 0; i < row.size(); i++) {
              json.text(names.get(i).toLowerCase(Locale.ROOT), row.get(i));
            }
            json.endObject();
          }
        });
  }

  /** Writes accounts, and those of their places in the tree that are asked for. */
  public void accounts(List<Account> accounts, Predicate<Association> shown) {
    print(
        "accounts",
        "openapi_accounts_resp",
        json -> accounts.forEach(account -> account(json, account, shown)));
  }

  private void account(SlurmJsonWriter json, Account account, Predicate<Association> shown) {
    json.object().list("associations");
    for (Association one : tree.records().associations()) {
      if (one.account().equals(account.name()) && shown.test(one)) {
        place(json, one);
      }
    }
    json.endList().list("coordinators");
    for (String name : account.coordinators()) {
      json.object().text("name", name).flag("direct", true).endObject();
    }
    json.endList()
        .text("description", account.description())
        .text("name", account.name())
        .text("organization", account.organization())
        .texts("flags", List.of())
        .endObject();
  }

  private void place(SlurmJsonWriter json, Association association) {
    json.object()
        .text("account", association.account())
        .text("cluster", cluster)
        .text("partition", association.partition())
        .text("user", association.user())
        .number("id", association.id())
        .endObject();
  }

  /** Writes users, and those of their places in the tree that are asked for. */
  public void users(List<AccountUser> users, Predicate<Association> shown) {
    print("users", "openapi_users_resp", json -> users.forEach(user -> user(json, user, shown)));
  }

  private void user(SlurmJsonWriter json, AccountUser user, Predicate<Association> shown) {
    json.object()
        .texts("administrator_level", List.of(user.adminLevel().word()))
        .list("associations");
    tree.of(user.name()).stream().filter(shown).forEach(one -> place(json, one));
    json.endList().list("coordinators");
    for (Account account : tree.accounts()) {
      if (tree.isCoordinator(user.name(), account.name())) {
        boolean direct = account.coordinators().contains(user.name());
        json.object().text("name", account.name()).flag("direct", direct).endObject();
      }
    }
    json.endList()
        .object("default")
        .text("account", user.defaultAccount())
        .text("wckey", user.defaultWckey())
        .endObject()
        .texts("flags", List.of())
        .text("name", user.name())
        .text("old_name", "")
        .list("wckeys");
    user.wckeys().forEach(key -> wckey(json, user, key));
    json.endList().endObject();
  }

  private void wckey(SlurmJsonWriter json, AccountUser user, Wckey key) {
    json.object()
        .list("accounting")
        .endList()
        .text("cluster", cluster)
        .number("id", key.id())
        .text("name", key.name())
        .text("user", user.name())
        .endObject();
  }

  /** Writes workload keys of users. */
  public void wckeys(List<AccountUser> users) {
    print(
        "wckeys",
        "openapi_wckey_resp",
        json -> users.forEach(user -> user.wckeys().forEach(key -> wckey(json, user, key))));
  }

  /** Writes associations. */
  public void associations(List<Association> associations) {
    print(
        "associations",
        "openapi_assocs_resp",
        json -> associations.forEach(one -> association(json, one)));
  }

  private void association(SlurmJsonWriter json, Association one) {
    AccountUser user = one.user() == null ? null : tree.user(one.user());
    json.object()
        .list("accounting")
        .endList()
        .text("account", one.account())
        .text("cluster", cluster)
        .text("comment", one.comment())
        .object("default")
        .text("qos", one.defaultQos())
        .endObject()
        .texts("flags", List.of());
    most(new LimitsJson(json, one.limits(), numbers));
    json.number("id", one.id())
        .flag("is_default", user != null && user.defaultAccount().equals(one.account()))
        .object("min");
    new LimitsJson(json, one.limits(), numbers)
        .bound("priority_threshold", LimitKind.MIN_PRIO_THRESHOLD);
    json.endObject()
        .text("parent_account", one.user() == null ? one.parent() : one.account())
        .text("partition", one.partition())
        .maybe("priority", one.priority())
        .texts("qos", one.qos())
        .number("shares_raw", one.shares() == null ? Integer.MAX_VALUE : one.shares())
        .text("user", one.user())
        .endObject();
  }

  private static void most(LimitsJson limits) {
    limits
        .object("max")
        .object("jobs")
        .object("per")
        .bound("count", LimitKind.GRP_JOBS)
        .bound("accruing", LimitKind.GRP_JOBS_ACCRUE)
        .bound("submitted", LimitKind.GRP_SUBMIT_JOBS)
        .bound("wall_clock", LimitKind.MAX_WALL)
        .end()
        .bound("active", LimitKind.MAX_JOBS)
        .bound("accruing", LimitKind.MAX_JOBS_ACCRUE)
        .bound("total", LimitKind.MAX_SUBMIT_JOBS)
        .end()
        .object("tres")
        .tres("total", LimitKind.GRP_TRES)
        .object("group")
        .tres("minutes", LimitKind.GRP_TRES_MINS)
        .tres("active", LimitKind.GRP_TRES_RUN_MINS)
        .end()
        .object("minutes")
        .tres("total", LimitKind.MAX_TRES_RUN_MINS)
        .object("per")
        .tres("job", LimitKind.MAX_TRES_MINS_PER_JOB)
        .end()
        .end()
        .object("per")
        .tres("job", LimitKind.MAX_TRES_PER_JOB)
        .tres("node", LimitKind.MAX_TRES_PER_NODE)
        .end()
        .end()
        .object("per")
        .object("account")
        .bound("wall_clock", LimitKind.GRP_WALL)
        .end()
        .end()
        .end();
  }

  /**
   * Writes the cluster, whose controller is there.
   *
   * @param nodes the nodes, as one expression
   * @param all what they have together
   */
  public void cluster(String host, int port, String nodes, TresAmounts all) {
    print(
        "clusters",
        "openapi_clusters_resp",
        json -> {
          json.object()
              .object("controller")
              .text("host", host)
              .number("port", port)
              .endObject()
              .texts("flags", List.of())
              .text("name", cluster)
              .text("nodes", nodes)
              .text("select_plugin", "")
              .number("rpc_version", 10752);
          json.resources("tres", all, numbers);
          json.endObject();
        });
  }

  /** Writes resources that are counted. */
  public void tres(List<String> names, TresNumbers tracked) {
    print(
        "tres",
        json -> {
          for (String name : names) {
            json.object().resource(name, tracked).number("count", 0).endObject();
          }
        });
  }

  /** Writes whether what keeps the accounts answers, and after how many microseconds. */
  public void ping(List<BookKeeper> keepers) {
    print(
        "pings",
        "openapi_slurmdbd_ping_resp",
        json -> {
          boolean primary = true;
          for (BookKeeper one : keepers) {
            json.object()
                .text("hostname", one.host())
                .flag("responding", one.responding())
                .number("latency", one.micros())
                .flag("primary", primary)
                .endObject();
            primary = false;
          }
        });
  }

  /** Writes what was asked of the controller, which keeps the accounts and rolls nothing up. */
  public void statistics(StatisticsInfo counted) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target, "openapi_slurmdbd_stats_resp")) {
      json.object()
          .object("statistics")
          .number("time_start", counted.since().getEpochSecond())
          .object("rollups");
      for (String span : List.of("hourly", "daily", "monthly")) {
        json.object(span)
            .number("count", 0)
            .number("last_run", 0)
            .object("duration")
            .number("last", 0)
            .number("max", 0)
            .number("time", 0)
            .endObject()
            .endObject();
      }
      json.endObject().list("RPCs");
      counted.types().forEach(one -> calls(json.object().text("rpc", one.name()), one));
      json.endList().list("users");
      counted.users().forEach(one -> calls(json.object().text("user", one.name()), one));
      json.endList().endObject();
      JsonEnvelope.end(json, cluster);
    }
  }

  private static void calls(SlurmJsonWriter json, StatisticsInfo.Calls one) {
    json.number("count", one.count())
        .object("time")
        .number("average", one.count() == 0 ? 0 : one.micros() / one.count())
        .number("total", one.micros())
        .endObject()
        .endObject();
  }

  /**
   * A reservation that was recorded.
   *
   * @param cluster of which cluster
   * @param unused how long it would have lasted had it not been used, in seconds
   */
  public record Reserved(String cluster, ReservationUse use, long unused) {}

  /** Writes reservations, with what they reserve as numbers. */
  public void reservations(List<Reserved> reservations) {
    print(
        "reservations",
        json -> {
          for (Reserved one : reservations) {
            ReservationUse use = one.use();
            TresAmounts held = TresAmounts.NONE;
            for (ReservationUse.Amount amount : use.amounts()) {
              held = held.with(amount.tres(), amount.count());
            }
            json.object()
                .text("accounts", use.accounts())
                .text("cluster", one.cluster())
                .texts("flags", KeywordParser.list(use.flags()))
                .number("id", use.id())
                .text("name", use.name())
                .text("nodes", use.nodes());
            json.resources("tres", held, numbers);
            json.time("time_start", use.start())
                .time("time_end", use.end())
                .number("unused_wall", one.unused())
                .text("users", use.users())
                .endObject();
          }
        });
  }
}
