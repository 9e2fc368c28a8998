package io.dure.model.accounting;

import io.dure.model.federation.Federations;

/** One step from one tree to the next: a fact about the new one. */
public sealed interface AccountingChange {

  /** An account is new, or has these settings now. */
  record AccountSet(Account account) implements AccountingChange {
    static final String TAG = "AccountSet";
  }

  /** An account is gone; nothing of it is left in the tree. */
  record AccountRemoved(String name) implements AccountingChange {
    static final String TAG = "AccountRemoved";
  }

  /** A user is new, or has these settings now. */
  record UserSet(AccountUser user) implements AccountingChange {
    static final String TAG = "UserSet";
  }

  /** A user is gone; it has no associations any more. */
  record UserRemoved(String name) implements AccountingChange {
    static final String TAG = "UserRemoved";
  }

  /** An association is new, or has these settings now. */
  record AssociationSet(Association association) implements AccountingChange {
    static final String TAG = "AssociationSet";
  }

  /** An association is gone. */
  record AssociationRemoved(int id) implements AccountingChange {
    static final String TAG = "AssociationRemoved";
  }

  /** A QOS is new, or has these settings now. */
  record QosSet(Qos qos) implements AccountingChange {
    static final String TAG = "QosSet";
  }

  /** A QOS is gone, also from the lists of others. */
  record QosRemoved(String name) implements AccountingChange {
    static final String TAG = "QosRemoved";
  }

  /** What an association and all below it have used is forgotten. */
  record UsageCleared(int id) implements AccountingChange {
    static final String TAG = "UsageCleared";
  }

  /** What the jobs of a QOS have used is forgotten. */
  record QosUsageCleared(String name) implements AccountingChange {
    static final String TAG = "QosUsageCleared";
  }

  /** Licences of a server are new, or have these settings now. */
  record ResourceSet(ServerResource resource) implements AccountingChange {
    static final String TAG = "ResourceSet";
  }

  /**
   * Licences of a server are gone.
   *
   * @param place as jobs name them
   */
  record ResourceRemoved(String place) implements AccountingChange {
    static final String TAG = "ResourceRemoved";
  }

  /** The federations and the clusters in them are these now, in the accounts of each cluster. */
  record FederationsSet(Federations federations) implements AccountingChange {
    static final String TAG = "FederationsSet";
  }
}
