package io.dure.model.accounting;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A user who has accounts.
 *
 * @param name login name
 * @param adminLevel what it may change
 * @param defaultAccount the account of jobs that name none
 * @param wckeys its workload keys, by number
 */
@RecordBuilder
public record AccountUser(
    String name, AdminLevel adminLevel, String defaultAccount, List<Wckey> wckeys)
    implements AccountUserBuilder.With {
  public AccountUser {
    // Before there were any, they were not stored.
    wckeys = wckeys == null ? List.of() : List.copyOf(wckeys);
  }

  /** A user without workload keys. */
  public AccountUser(String name, AdminLevel adminLevel, String defaultAccount) {
    this(name, adminLevel, defaultAccount, List.of());
  }

  /** Its workload key of that name, null for none. */
  public @Nullable Wckey wckey(String key) {
    return wckeys.stream().filter(one -> one.name().equals(key)).findFirst().orElse(null);
  }

  /** The name of the workload key of jobs that name none, null for none. */
  public @Nullable String defaultWckey() {
    return wckeys.stream().filter(Wckey::usual).map(Wckey::name).findFirst().orElse(null);
  }

  /** The same with another workload key for jobs that name none; it has it. */
  public AccountUser withDefaultWckey(String key) {
    return withWckeys(
        wckeys.stream()
            .map(one -> new Wckey(one.id(), one.name(), one.name().equals(key)))
            .toList());
  }

  /**
   * The same with one more workload key, which is that of jobs that name none if it is the first.
   */
  public AccountUser withWckey(int id, String key) {
    List<Wckey> more = new ArrayList<>(wckeys);
    more.add(new Wckey(id, key, defaultWckey() == null));
    return withWckeys(more);
  }
}
