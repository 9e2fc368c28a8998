package io.dure.accounting.tree;

import io.dure.accounting.AccountingDatabase;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.ServerResource;
import io.dure.model.federation.Federations;
import io.dure.protocol.codec.MalformedMessageException;
import io.dure.protocol.codec.RecordCodec;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/**
 * The accounts of clusters, a row for each account, user, association and QOS, and one for all
 * federations. Any thread.
 *
 * <p>All methods throw {@link org.jdbi.v3.core.JdbiException} where the database does not answer.
 */
public final class AccountsTable {
  private static final RecordCodec<AccountingChange> PARTS =
      RecordCodec.of(AccountingChange.class).exact();

  private final AccountingDatabase database;

  /** The table of a database with the present schema. */
  public AccountsTable(AccountingDatabase database) {
    this.database = database;
  }

  /**
   * The accounts of a cluster become others.
   *
   * @param before as they are in the table
   */
  public record Step(String cluster, AccountingRecords before, AccountingRecords after) {
    private boolean federates() {
      return !before.federations().equals(after.federations());
    }
  }

  /** By what a row is found in its cluster. */
  private record Key(String kind, String name) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int order = kind.compareTo(other.kind);
      return order == 0 ? name.compareTo(other.name) : order;
    }
  }

  private record Head(long id, ClusterAccounts cluster) {}

  /** The names of all clusters that have records, also of those that have no accounts any more. */
  public List<String> recorded() {
    return database
        .jdbi()
        .withHandle(handle ->
            handle
                .createQuery("SELECT name FROM cluster ORDER BY name")
                .mapTo(String.class)
                .list());
  }

  /** The versions of the accounts, by cluster; those of clusters that have some. */
  public SortedMap<String, Long> versions() {
    return database
        .jdbi()
        .withHandle(handle -> {
          SortedMap<String, Long> versions = new TreeMap<>();
          handle
              .createQuery("SELECT name, tree_version FROM cluster WHERE tree_version >= 0")
              .map((row, _) -> Map.entry(row.getString(1), row.getLong(2)))
              .forEach(entry -> versions.put(entry.getKey(), entry.getValue()));
          return versions;
        });
  }

  /** The accounts of all clusters that have some, by name. */
  public List<ClusterAccounts> all() {
    return database.reading(handle -> {
      List<Head> heads =
          handle
              .createQuery(
                  "SELECT id, name, host, port, tree_version, next_association, next_qos"
                      + " FROM cluster WHERE tree_version >= 0 ORDER BY name")
              .map((row, _) ->
                  new Head(
                      row.getLong(1),
                      new ClusterAccounts(
                          row.getString(2),
                          row.getString(3),
                          row.getInt(4),
                          new AccountingRecords(
                              row.getLong(5),
                              List.of(),
                              List.of(),
                              List.of(),
                              List.of(),
                              row.getInt(6),
                              row.getInt(7)))))
              .list();
      List<ClusterAccounts> all = new ArrayList<>();
      for (Head head : heads) {
        ClusterAccounts cluster = head.cluster();
        all.add(
            new ClusterAccounts(
                cluster.cluster(),
                cluster.host(),
                cluster.port(),
                filled(cluster.accounts(), parts(handle, head.id()))));
      }
      return all;
    });
  }

  private static List<AccountingChange> parts(Handle handle, long id) {
    List<byte[]> rows =
        handle
            .createQuery("SELECT settings FROM account_part WHERE cluster_id = ?")
            .bind(0, id)
            .map((row, _) -> row.getBytes(1))
            .list();
    List<AccountingChange> parts = new ArrayList<>();
    for (byte[] row : rows) {
      try {
        parts.add(PARTS.decode(row));
      } catch (MalformedMessageException e) {
        throw new IllegalStateException("account_part has a row that is damaged", e);
      }
    }
    return parts;
  }

  private static AccountingRecords filled(AccountingRecords head, List<AccountingChange> parts) {
    SortedMap<String, Account> accounts = new TreeMap<>();
    SortedMap<String, AccountUser> users = new TreeMap<>();
    SortedMap<Integer, Association> associations = new TreeMap<>();
    SortedMap<Integer, Qos> qos = new TreeMap<>();
    SortedMap<String, ServerResource> resources = new TreeMap<>();
    Federations federations = Federations.NONE;
    for (AccountingChange part : parts) {
      switch (part) {
        case AccountingChange.AccountSet(Account one) -> accounts.put(one.name(), one);
        case AccountingChange.UserSet(AccountUser one) -> users.put(one.name(), one);
        case AccountingChange.AssociationSet(Association one) -> associations.put(one.id(), one);
        case AccountingChange.QosSet(Qos one) -> qos.put(one.id(), one);
        case AccountingChange.ResourceSet(ServerResource one) -> resources.put(one.place(), one);
        case AccountingChange.FederationsSet(Federations all) -> federations = all;
        case AccountingChange.ResourceRemoved _,
            AccountingChange.AccountRemoved _,
            AccountingChange.UserRemoved _,
            AccountingChange.AssociationRemoved _,
            AccountingChange.QosRemoved _,
            AccountingChange.UsageCleared _,
            AccountingChange.QosUsageCleared _ ->
            throw new IllegalStateException("account_part has a row of another kind");
      }
    }
    return new AccountingRecords(
        head.version(),
        List.copyOf(accounts.values()),
        List.copyOf(users.values()),
        List.copyOf(associations.values()),
        List.copyOf(qos.values()),
        head.nextAssociation(),
        head.nextQos(),
        List.copyOf(resources.values()),
        federations);
  }

  private static SortedMap<Key, byte[]> rows(AccountingRecords records) {
    SortedMap<Key, byte[]> rows = new TreeMap<>();
    records
        .accounts()
        .forEach(one -> put(rows, "account", one.name(), new AccountingChange.AccountSet(one)));
    records
        .users()
        .forEach(one -> put(rows, "user", one.name(), new AccountingChange.UserSet(one)));
    records
        .associations()
        .forEach(one ->
            put(
                rows,
                "association",
                Integer.toString(one.id()),
                new AccountingChange.AssociationSet(one)));
    records.qos().forEach(one -> put(rows, "qos", one.name(), new AccountingChange.QosSet(one)));
    records
        .resources()
        .forEach(one ->
            put(
                rows,
                "resource",
                Integer.toString(one.id()),
                new AccountingChange.ResourceSet(one)));
    if (!records.federations().equals(Federations.NONE)) {
      AccountingChange all = new AccountingChange.FederationsSet(records.federations());
      put(rows, "federations", "all", all);
    }
    return rows;
  }

  private static void put(
      SortedMap<Key, byte[]> rows, String kind, String name, AccountingChange part) {
    rows.put(new Key(kind, name), PARTS.encode(part));
  }

  /**
   * Gives a cluster accounts that has none yet; the cluster itself is added if it is new.
   *
   * @param others the versions of the accounts of all that have some, from which these were made
   * @return false if it has some, or others have other accounts by now
   */
  public boolean adopt(String cluster, AccountingRecords accounts, SortedMap<String, Long> others) {
    return database
        .jdbi()
        .inTransaction(handle -> {
          if (!held(handle, others) || !names(handle).equals(List.copyOf(others.keySet()))) {
            handle.rollback();
            return false;
          }
          Long id = AccountingDatabase.clusterNumber(handle, cluster);
          if (id == null) {
            handle.execute(
                "INSERT INTO cluster (name, origin, position, summed) VALUES (?, '', 0, 1)",
                cluster);
          }
          return moved(handle, cluster, -1, accounts)
              && write(handle, cluster, new TreeMap<>(), rows(accounts));
        });
  }

  /** Whether accounts have these versions, which they then keep until the transaction ends. */
  private static boolean held(Handle handle, SortedMap<String, Long> versions) {
    for (Map.Entry<String, Long> one : versions.entrySet()) {
      int found =
          handle.execute(
              "UPDATE cluster SET tree_version = tree_version WHERE name = ? AND tree_version = ?",
              one.getKey(),
              one.getValue());
      if (found != 1) {
        return false;
      }
    }
    return true;
  }

  /** The clusters that have accounts, by name. */
  private static List<String> names(Handle handle) {
    return handle
        .createQuery("SELECT name FROM cluster WHERE tree_version >= 0")
        .mapTo(String.class)
        .stream()
        .sorted()
        .toList();
  }

  /** Notes where the controller of a cluster is. */
  public void locate(String cluster, String host, int port) {
    database
        .jdbi()
        .useHandle(handle ->
            handle.execute(
                "UPDATE cluster SET host = ?, port = ? WHERE name = ?", host, port, cluster));
  }

  /**
   * Stores steps of several clusters, all or none.
   *
   * @param known the clusters that have accounts, as far as the caller knows; what changes the
   *     federations is for all of them
   * @return false if the accounts of one of them are others by now than the step begins with, or
   *     one that would have other federations than the rest has come meanwhile
   */
  public boolean store(List<Step> steps, SortedSet<String> known) {
    return database.jdbi().inTransaction(handle -> stored(handle, steps, known));
  }

  private static boolean stored(Handle handle, List<Step> steps, SortedSet<String> known) {
    // In one order, so that none waits for another that waits for it.
    for (Step step : steps.stream().sorted(Comparator.comparing(Step::cluster)).toList()) {
      if (!moved(handle, step.cluster(), step.before().version(), step.after())) {
        handle.rollback();
        return false;
      }
      write(handle, step.cluster(), rows(step.before()), rows(step.after()));
    }
    if (steps.stream().anyMatch(Step::federates) && !names(handle).equals(List.copyOf(known))) {
      handle.rollback();
      return false;
    }
    return true;
  }

  private static boolean moved(
      Handle handle, String cluster, long expected, AccountingRecords after) {
    return handle.execute(
            "UPDATE cluster SET tree_version = ?, next_association = ?, next_qos = ?"
                + " WHERE name = ? AND tree_version = ?",
            after.version(),
            after.nextAssociation(),
            after.nextQos(),
            cluster,
            expected)
        == 1;
  }

  /** Writes what is other than before. */
  private static boolean write(
      Handle handle, String cluster, SortedMap<Key, byte[]> before, SortedMap<Key, byte[]> after) {
    Long id = AccountingDatabase.clusterNumber(handle, cluster);
    if (id == null) {
      throw new IllegalStateException("cluster " + cluster + " is gone");
    }
    try (PreparedBatch gone =
            handle.prepareBatch(
                "DELETE FROM account_part WHERE cluster_id = ? AND kind = ? AND name = ?");
        PreparedBatch come =
            handle.prepareBatch(
                "INSERT INTO account_part (cluster_id, kind, name, settings)"
                    + " VALUES (?, ?, ?, ?)")) {
      before.forEach((key, row) -> {
        if (!Arrays.equals(row, after.get(key))) {
          gone.add(id, key.kind(), key.name());
        }
      });
      after.forEach((key, row) -> {
        if (!Arrays.equals(row, before.get(key))) {
          come.add(id, key.kind(), key.name(), row);
        }
      });
      gone.execute();
      come.execute();
    }
    return true;
  }

  /** Jobs of a cluster that are not over, and what they count to, by their ids. */
  public SortedMap<Integer, Association> activeJobs(String cluster, int most) {
    return database
        .jdbi()
        .withHandle(handle -> {
          SortedMap<Integer, Association> found = new TreeMap<>();
          handle
              .createQuery(
                  "SELECT j.job_id, j.account, j.user_name FROM job j"
                      + " JOIN cluster c ON c.id = j.cluster_id"
                      + " WHERE c.name = ? AND j.end_time = ? ORDER BY j.job_id LIMIT "
                      + most)
              .bind(0, cluster)
              .bind(1, AccountingDatabase.NEVER)
              .map((row, _) ->
                  Map.entry(
                      row.getInt(1),
                      Association.ofUser(
                          0,
                          Objects.requireNonNullElse(row.getString(2), ""),
                          row.getString(3),
                          null)))
              .forEach(entry -> found.put(entry.getKey(), entry.getValue()));
          return found;
        });
  }

  /**
   * Where something is asked for.
   *
   * @param from a cluster
   * @param actor login name of a user
   */
  public record Asked(String from, String actor) {}

  /**
   * Forgets the accounts of clusters, all or none.
   *
   * @param by the cluster whose log of changes has it, and the user that asks for it
   * @param steps what becomes of others by that
   * @param known as for {@link #store}
   * @return false as {@link #store}
   */
  public boolean remove(
      Asked by, List<String> clusters, Instant now, List<Step> steps, SortedSet<String> known) {
    return database
        .jdbi()
        .inTransaction(handle -> {
          if (!stored(handle, steps, known)) {
            return false;
          }
          Long asked = AccountingDatabase.clusterNumber(handle, by.from());
          for (String name : clusters) {
            Long id = AccountingDatabase.clusterNumber(handle, name);
            handle.execute(
                "UPDATE cluster SET tree_version = -1, host = '', port = 0 WHERE name = ?", name);
            handle.execute("DELETE FROM account_part WHERE cluster_id = ?", id);
            handle.execute(
                "INSERT INTO txn (cluster_id, at_time, actor, action, target, info)"
                    + " VALUES (?, ?, ?, 'Remove Clusters', ?, '')",
                asked == null ? id : asked,
                now.getEpochSecond(),
                by.actor(),
                "name='" + name + "'");
          }
          return true;
        });
  }

  /** Jobs of a cluster that are not over and count to a user of an account, by their ids. */
  public List<Integer> activeJobs(
      String cluster, String account, String user, String partition, int most) {
    return database
        .jdbi()
        .withHandle(handle ->
            handle
                .createQuery(
                    "SELECT j.job_id FROM job j JOIN cluster c ON c.id = j.cluster_id"
                        + " WHERE c.name = ? AND j.account = ? AND j.user_name = ?"
                        + " AND (? = '' OR j.partition_name = ?) AND j.end_time = ?"
                        + " AND j.long_lived = 1"
                        + " ORDER BY j.job_id LIMIT "
                        + most)
                .bind(0, cluster)
                .bind(1, account)
                .bind(2, user)
                .bind(3, partition)
                .bind(4, partition)
                .bind(5, AccountingDatabase.NEVER)
                .mapTo(Integer.class)
                .list());
  }
}
