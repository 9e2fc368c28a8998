package io.dure.model.command;

import io.dure.model.UserIdentity;
import io.dure.model.job.Job;
import java.util.List;

/** The sender of a command, as the shell established it from the kernel or a signed token. */
public sealed interface Caller {

  /**
   * A person on a machine of the cluster.
   *
   * @param identity the account
   * @param groups names of all groups it is in
   * @param operator true for root and SlurmUser
   * @param host short name of the machine of the cluster that vouches for the account, empty where
   *     that is not known
   */
  record User(UserIdentity identity, List<String> groups, boolean operator, String host)
      implements Caller {
    /** Somebody of whom it is not known on which machine. */
    public User(UserIdentity identity, List<String> groups, boolean operator) {
      this(identity, groups, operator, "");
    }

    /** The same on a machine. */
    public User at(String machine) {
      return new User(identity, groups, operator, machine);
    }

    /** Owners and operators may change a job. */
    public boolean mayChange(Job job) {
      return operator || identity.uid() == job.owner().uid();
    }
  }

  /** The daemon of a node, proved by the cluster key. */
  record NodeDaemon(String node) implements Caller {}

  /** The controller itself: its timers and its scheduler. */
  record Self() implements Caller {}
}
