package io.dure.controller.slurmdbd;

import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.InvalidAccountingException;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.ServerResource;
import io.dure.model.federation.FederatedCluster;
import io.dure.model.federation.Federations;
import java.util.ArrayList;
import java.util.List;

/** The accounts that a cluster comes with, and what it gets of others. All functions are pure. */
final class NewcomerAccounts {
  private NewcomerAccounts() {}

  /** Those of its own, with the QOS, licences and federations that the others have. */
  static AccountingRecords of(
      String cluster, AccountingRecords own, List<AccountingRecords> others) {
    return withQos(AccountingTree.of(own), others)
        .records()
        .withResources(resources(own, others))
        .withFederations(federations(cluster, own, others));
  }

  private static AccountingTree withQos(AccountingTree own, List<AccountingRecords> others) {
    AccountingTree tree = own;
    for (AccountingRecords other : others) {
      for (Qos one : AccountingTree.of(other).qosByNumber()) {
        if (tree.qos(one.name()) == null) {
          Qos next = one.withId(tree.nextQos()).withPreempt(List.of());
          try {
            tree = tree.with(List.of(new AccountingChange.QosSet(next)));
          } catch (InvalidAccountingException e) {
            throw new IllegalStateException("a QOS that another cluster has", e);
          }
        }
      }
    }
    return tree;
  }

  private static List<ServerResource> resources(
      AccountingRecords own, List<AccountingRecords> others) {
    List<ServerResource> all = new ArrayList<>(own.resources());
    for (AccountingRecords other : others) {
      for (ServerResource one : other.resources()) {
        if (all.stream().noneMatch(same -> same.place().equals(one.place()))) {
          int id = all.stream().mapToInt(ServerResource::id).max().orElse(0) + 1;
          all.add(one.withId(id).withAllowed(null));
        }
      }
    }
    return all;
  }

  /** What the first to come has heard of others is forgotten. */
  private static Federations federations(
      String cluster, AccountingRecords own, List<AccountingRecords> others) {
    if (!others.isEmpty()) {
      return others.getFirst().federations();
    }
    Federations federations = own.federations();
    for (FederatedCluster one : own.federations().clusters()) {
      federations = one.name().equals(cluster) ? federations : federations.forgetting(one.name());
    }
    return federations;
  }
}
