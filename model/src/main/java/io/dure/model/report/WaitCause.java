package io.dure.model.report;

import io.dure.model.config.PartitionConfig;
import io.dure.model.job.Hold;
import io.dure.model.request.DependencyType;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something that is against the start of a job. */
public sealed interface WaitCause {

  /** A user, an operator or the controller holds it. */
  record Held(Hold hold) implements WaitCause {
    static final String TAG = "Held";
  }

  /**
   * It waits for other jobs.
   *
   * @param targets for which
   * @param any whether one of them is enough
   * @param never whether what it waits for can not happen any more
   */
  record DependsOn(List<Target> targets, boolean any, boolean never) implements WaitCause {
    static final String TAG = "DependsOn";
  }

  /**
   * Another job that is waited for.
   *
   * @param type what must have happened to it
   * @param word what people call it; empty for all of the same name and user
   * @param state how it stands
   * @param until when it ends at the latest if it runs, null where that is not known
   */
  record Target(DependencyType type, String word, Standing state, @Nullable Instant until) {
    /** How a job stands that another waits for. */
    public enum Standing {
      WAITS,
      RUNS,
      SUCCEEDED,
      FAILED,
      GONE,
      /** Whoever asks may not know. */
      HIDDEN
    }
  }

  /**
   * It is not to begin before a time.
   *
   * @param again whether that is because it was put back into the queue
   */
  record BeginsLater(Instant at, boolean again) implements WaitCause {
    static final String TAG = "BeginsLater";
  }

  /** It could not be over by its deadline any more. */
  record MissesDeadline(Instant deadline) implements WaitCause {
    static final String TAG = "MissesDeadline";
  }

  /**
   * As many tasks of its array run as may run at a time.
   *
   * @param most how many may
   * @param running those that do
   */
  record Throttled(int most, List<RelatedJob> running) implements WaitCause {
    static final String TAG = "Throttled";
  }

  /** Its partition starts no jobs. */
  record PartitionClosed(String partition, PartitionConfig.State state) implements WaitCause {
    static final String TAG = "PartitionClosed";
  }

  /**
   * Its account or QOS may not use the partition.
   *
   * @param qos whether it is the QOS, not the account
   * @param name its name, empty for none
   * @param allowed who may, empty where it is not said
   */
  record NotAllowed(String partition, boolean qos, String name, List<String> allowed)
      implements WaitCause {
    static final String TAG = "NotAllowed";
  }

  /**
   * It asks for more than there is, or than one may have.
   *
   * @param what what of
   * @param kind which sort of that, such as the type of GPUs or the feature; empty for any
   * @param asked how much
   * @param most how much there is, or may be had
   * @param partition where
   * @param there which sorts of that there are instead, where it asks for a sort
   */
  record TooMuch(
      What what, String kind, long asked, long most, String partition, List<String> there)
      implements WaitCause {
    static final String TAG = "TooMuch";

    /** What there may be too little of. */
    public enum What {
      /** Minutes of a run. */
      MINUTES,
      /** Nodes of one job. */
      NODES_OF_JOB,
      /** Nodes that are like that. */
      NODES,
      CPUS_OF_NODE,
      /** CPUs of all nodes. */
      CPUS,
      /** MiB of one node. */
      MEMORY_OF_NODE,
      /** MiB of a CPU that one may have. */
      MEMORY_OF_CPU,
      GPUS_OF_NODE,
      GPUS,
      /** All of it together on one node, though each alone is there. */
      TOGETHER
    }
  }

  /**
   * A limit of accounts or QOS.
   *
   * @param breach which, with its numbers
   * @param jobs running jobs that count for it, those that hold most first
   * @param others how many more there are
   * @param hidden whether whoever asks may not see the numbers: there are none
   */
  record LimitReached(LimitBreach breach, List<RelatedJob> jobs, int others, boolean hidden)
      implements WaitCause {
    static final String TAG = "LimitReached";
  }

  /**
   * Too few licences are free.
   *
   * @param name which
   * @param total how many the cluster has
   * @param held how many jobs hold
   * @param kept how many reservations keep beside
   * @param asked how many it asks for
   * @param jobs the jobs that hold them
   */
  record LicensesTaken(String name, int total, int held, int kept, int asked, List<RelatedJob> jobs)
      implements WaitCause {
    static final String TAG = "LicensesTaken";
  }

  /**
   * Nodes are kept for others.
   *
   * @param name the reservation; empty where whoever asks may see nothing of it
   * @param start when it begins
   * @param end when it ends
   * @param maintenance whether it is for maintenance
   * @param nodes which, as a host list
   */
  record ReservedFor(String name, Instant start, Instant end, boolean maintenance, String nodes)
      implements WaitCause {
    static final String TAG = "ReservedFor";
  }

  /**
   * Its own reservation is not there yet, or any more.
   *
   * @param name which; empty where it names none and its partition requires one
   */
  record OwnReservation(String name, @Nullable Instant start) implements WaitCause {
    static final String TAG = "OwnReservation";
  }

  /**
   * Nodes take no jobs.
   *
   * @param nodes some of them; none where whoever asks may not see them
   * @param others how many more there are
   */
  record NodesClosed(List<ClosedNode> nodes, int others) implements WaitCause {
    static final String TAG = "NodesClosed";
  }

  /**
   * A node that takes no jobs.
   *
   * @param name its name
   * @param state why
   * @param reason what was said of it, empty for nothing
   * @param since since when, null where that is not known
   */
  record ClosedNode(String name, NodeTrouble state, String reason, @Nullable Instant since) {}

  /** Why a node takes no jobs. */
  enum NodeTrouble {
    DOWN,
    DRAINED,
    FAILING,
    SILENT
  }

  /**
   * Too little is free where it could run.
   *
   * @param partition where
   * @param cpus CPUs of nodes that take jobs
   * @param freeCpus those of them that are free
   * @param gpus GPUs likewise of the type asked for
   * @param freeGpus those of them that are free
   * @param idleNodes nodes on which nothing runs
   * @param nodes nodes that take jobs; 0 where whoever asks may not see any of this
   */
  record NoRoom(
      String partition,
      long cpus,
      long freeCpus,
      long gpus,
      long freeGpus,
      int idleNodes,
      int nodes)
      implements WaitCause {
    static final String TAG = "NoRoom";
  }

  /** Jobs that run. */
  record Running(List<RelatedJob> jobs) implements WaitCause {
    static final String TAG = "Running";
  }

  /** Jobs that wait and come before it. */
  record Ahead(List<RelatedJob> jobs) implements WaitCause {
    static final String TAG = "Ahead";
  }

  /**
   * All jobs of some that wait and come before it.
   *
   * @param partition in which queue
   * @param owners whose, those who ask for most first
   */
  record Queue(String partition, List<Owner> owners) implements WaitCause {
    static final String TAG = "Queue";

    /**
     * What a user has before it.
     *
     * @param user whose; empty for those whom whoever asks may not know, together
     * @param account account that the jobs are charged to, null for none
     * @param jobs how many, each task of an array counted
     * @param cpus what they ask for together
     */
    public record Owner(String user, @Nullable String account, long jobs, long cpus) {}
  }
}
