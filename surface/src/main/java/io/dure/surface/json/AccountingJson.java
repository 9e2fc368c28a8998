package io.dure.surface.json;

import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.TresAmounts;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Documents of accounts, users, associations, the cluster and the resources that are counted, with
 * the members that Slurm's data parser gives them. For one thread.
 */
public final class AccountingJson {
  private final JsonTarget target;
  private final AccountingTree tree;
  private final String cluster;

  /** Documents of this cluster's accounts. */
  public AccountingJson(JsonTarget target, AccountingTree tree, String cluster) {
    this.target = target;
    this.tree = tree;
    this.cluster = cluster;
  }

  private void print(String list, Consumer<SlurmJsonWriter> content) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target)) {
      json.object().list(list);
      content.accept(json);
      json.endList();
      JsonEnvelope.end(json, cluster);
    }
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

  /** Writes accounts, and where they are in the tree. */
  public void accounts(List<Account> accounts) {
    print("accounts", json -> accounts.forEach(account -> account(json, account)));
  }

  private void account(SlurmJsonWriter json, Account account) {
    json.object().list("associations");
    for (Association one : tree.records().associations()) {
      if (one.account().equals(account.name())) {
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

  /** Writes users, and where they are in the tree. */
  public void users(List<AccountUser> users) {
    print("users", json -> users.forEach(user -> user(json, user)));
  }

  private void user(SlurmJsonWriter json, AccountUser user) {
    json.object()
        .texts("administrator_level", List.of(user.adminLevel().word()))
        .list("associations");
    tree.of(user.name()).forEach(one -> place(json, one));
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
        .text("wckey", "")
        .endObject()
        .texts("flags", List.of())
        .text("name", user.name())
        .text("old_name", "")
        .list("wckeys")
        .endList()
        .endObject();
  }

  /** Writes associations. */
  public void associations(List<Association> associations) {
    print("associations", json -> associations.forEach(one -> association(json, one)));
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
    most(new LimitsJson(json, one.limits()));
    json.flag("is_default", user != null && user.defaultAccount().equals(one.account()))
        .object("min");
    new LimitsJson(json, one.limits()).bound("priority_threshold", LimitKind.MIN_PRIO_THRESHOLD);
    json.endObject()
        .text("parent_account", one.user() == null ? one.parent() : one.account())
        .text("partition", one.partition())
        .maybe("priority", one.priority())
        .texts("qos", one.qos())
        .number("shares_raw", one.shares() == null ? Integer.MAX_VALUE : one.shares())
        .text("user", one.user())
        .number("id", one.id())
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

  /** Writes the cluster, whose controller is there. */
  public void cluster(String host, int port) {
    print(
        "clusters",
        json -> {
          json.object()
              .object("controller")
              .text("host", host)
              .number("port", port)
              .endObject()
              .texts("flags", List.of())
              .text("name", cluster)
              .text("nodes", "")
              .text("select_plugin", "")
              .object("associations")
              .list("root")
              .endList()
              .endObject()
              .number("rpc_version", 10752);
          LimitsJson.tres(json, "tres", TresAmounts.NONE);
          json.endObject();
        });
  }

  /** Writes the resources that are counted, by their names; the first has number 1. */
  public void tres(List<String> names) {
    print(
        "tres",
        json -> {
          for (String name : names) {
            int usual = TresAmounts.USUAL.indexOf(name);
            LimitsJson.tres(json.object(), name, usual < 0 ? names.indexOf(name) : usual + 1)
                .number("count", 0)
                .endObject();
          }
        });
  }
}
