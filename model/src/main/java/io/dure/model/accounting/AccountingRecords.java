package io.dure.model.accounting;

import io.dure.model.federation.Federations;
import java.util.List;
import java.util.Objects;

/**
 * A tree as it is stored and sent.
 *
 * @param version how often it was changed
 * @param accounts by name
 * @param users by name
 * @param associations by number
 * @param qos by number
 * @param nextAssociation the number of the next association
 * @param nextQos the number of the next QOS
 * @param resources licences of servers, by name
 * @param federations those of all clusters that share the books
 */
public record AccountingRecords(
    long version,
    List<Account> accounts,
    List<AccountUser> users,
    List<Association> associations,
    List<Qos> qos,
    int nextAssociation,
    int nextQos,
    List<ServerResource> resources,
    Federations federations) {
  public AccountingRecords {
    // Before there were any, they were not stored.
    resources = resources == null ? List.of() : List.copyOf(resources);
    federations = Objects.requireNonNullElse(federations, Federations.NONE);
  }

  /** A tree without licences of servers and federations. */
  public AccountingRecords(
      long version,
      List<Account> accounts,
      List<AccountUser> users,
      List<Association> associations,
      List<Qos> qos,
      int nextAssociation,
      int nextQos) {
    this(
        version,
        accounts,
        users,
        associations,
        qos,
        nextAssociation,
        nextQos,
        List.of(),
        Federations.NONE);
  }

  /** The same with licences of servers. */
  public AccountingRecords withResources(List<ServerResource> next) {
    return new AccountingRecords(
        version, accounts, users, associations, qos, nextAssociation, nextQos, next, federations);
  }

  /** The same with federations. */
  public AccountingRecords withFederations(Federations next) {
    return new AccountingRecords(
        version, accounts, users, associations, qos, nextAssociation, nextQos, resources, next);
  }

  /** The root account, the root user and the QOS {@code normal}, which are there from the start. */
  public static final AccountingRecords INITIAL =
      new AccountingRecords(
          0,
          List.of(new Account("root", "default root account", "root", List.of())),
          List.of(new AccountUser("root", AdminLevel.ADMINISTRATOR, "root")),
          List.of(
              Association.ofAccount(1, "root", null).withQos(List.of("normal")),
              Association.ofUser(2, "root", "root", null)),
          List.of(Qos.plain(1, "normal", "Normal QOS default")),
          3,
          2);
}
