package io.dure.twin.accounts;

import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.InvalidAccountingException;
import io.dure.model.accounting.Qos;
import io.dure.model.request.JobSpec;
import io.dure.twin.trace.TraceJob;
import io.dure.twin.trace.TraceJobRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The accounts that a trace's jobs name, each with one share: accounts below root, users below the
 * accounts that their jobs name, those who name none below root. Every user has every QOS.
 */
public final class TraceAccounts {
  private final TreeMap<String, TreeSet<String>> usersOf = new TreeMap<>();
  private final TreeMap<String, String> defaults = new TreeMap<>();
  private final TreeSet<String> qos = new TreeSet<>();

  private TraceAccounts(List<TraceJob> jobs) {
    for (TraceJob job : jobs) {
      String account = AccountingTree.ROOT;
      if (job.demand() instanceof TraceJobRequest.SbatchRequest(JobSpec spec)) {
        account = spec.account() == null ? account : spec.account().toLowerCase(Locale.ROOT);
        if (spec.qos() != null) {
          qos.add(spec.qos());
        }
      }
      usersOf.computeIfAbsent(account, _ -> new TreeSet<>()).add(job.user());
      defaults.putIfAbsent(job.user(), account);
    }
  }

  /** The accounts of a trace. */
  public static AccountingTree of(List<TraceJob> jobs) {
    try {
      return new TraceAccounts(jobs).tree();
    } catch (InvalidAccountingException e) {
      throw new IllegalStateException(e.text(), e);
    }
  }

  private AccountingTree tree() throws InvalidAccountingException {
    AccountingTree tree = AccountingTree.initial();
    List<AccountingChange> changes = new ArrayList<>();
    int nextQos = tree.nextQos();
    List<String> all = new ArrayList<>();
    tree.qosByNumber().forEach(one -> all.add(one.name()));
    for (String name : qos) {
      if (tree.qos(name) == null) {
        changes.add(new AccountingChange.QosSet(Qos.plain(nextQos++, name, name)));
        all.add(name);
      }
    }
    Association root = tree.association(AccountingTree.ROOT, null, null);
    if (root != null) {
      changes.add(new AccountingChange.AssociationSet(root.withQos(all)));
    }
    defaults.forEach((user, account) -> {
      if (!user.equals("root")) {
        changes.add(new AccountingChange.UserSet(new AccountUser(user, AdminLevel.NONE, account)));
      }
    });
    int next = tree.nextAssociation();
    for (String account : usersOf.keySet()) {
      if (!account.equals(AccountingTree.ROOT)) {
        changes.add(
            new AccountingChange.AccountSet(new Account(account, account, account, List.of())));
        changes.add(
            new AccountingChange.AssociationSet(
                Association.ofAccount(next++, account, AccountingTree.ROOT)));
      }
      for (String user : usersOf.getOrDefault(account, new TreeSet<>())) {
        if (tree.association(account, user, null) == null) {
          changes.add(
              new AccountingChange.AssociationSet(Association.ofUser(next++, account, user, null)));
        }
      }
    }
    return tree.with(changes);
  }
}
