package io.dure.core.explain;

import io.dure.core.config.PartitionConfig;
import io.dure.core.controller.ClusterState;
import io.dure.core.model.Allocation;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.model.NodeShare;
import io.dure.core.model.ResourceRequest;
import io.dure.core.model.Sharing;
import io.dure.core.model.gres.GresCount;
import io.dure.core.model.gres.GresRequest;
import io.dure.core.model.gres.GresShare;
import io.dure.core.model.gres.License;
import io.dure.core.scheduler.PartitionRules;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Another job as far as it matters to the one that is explained.
 *
 * @param jobId id of its record, 0 where the asker may not know
 * @param word what people call it, empty where the asker may not know
 * @param user its owner, empty likewise
 * @param account its account, null for none
 * @param nodes nodes that it holds, or asks for
 * @param cpus CPUs likewise
 * @param gpus GPUs likewise
 * @param licenses licences that it holds, empty for none
 * @param until when a running job ends at the latest, null for never
 * @param limit the limit of a job that waits, null for none
 * @param runs whether it holds anything now
 * @param whole whether it waits for nodes of its own, of which it has all
 */
@RecordBuilder
public record JobFact(
    int jobId,
    String word,
    String user,
    @Nullable String account,
    int nodes,
    int cpus,
    long gpus,
    String licenses,
    @Nullable Instant until,
    @Nullable Duration limit,
    boolean runs,
    boolean whole)
    implements JobFactBuilder.With {

  /** A job with all that may be said of it. */
  static JobFact of(ClusterState state, Job job) {
    Allocation held = held(job);
    int id = job.id();
    String word = Subject.selector(job).text();
    String user = job.owner().userName();
    String account = job.spec().account();
    if (held != null) {
      JobState.Running run = job.state().underWay();
      Instant until =
          job.state() instanceof JobState.Completing completing
              ? completing.end()
              : run == null ? null : run.latestEnd();
      return new JobFact(
          id,
          word,
          user,
          account,
          held.shares().size(),
          held.cpus(),
          gpus(held),
          License.text(held.licenses()),
          until,
          null,
          true,
          false);
    }
    ResourceRequest asked = job.spec().resources();
    PartitionConfig partition = state.partition(job.spec().partitions().getFirst());
    Duration limit = partition == null ? null : PartitionRules.runTime(partition, job.spec());
    return new JobFact(
        id,
        word,
        user,
        account,
        asked.minNodes(),
        asked.totalCpus(),
        gpus(asked),
        "",
        null,
        limit,
        false,
        asked.sharing() == Sharing.EXCLUSIVE);
  }

  /** The same of a job that is told of under these names. */
  JobFact of(int nextId, String nextWord, String nextUser, @Nullable String nextAccount) {
    return with().jobId(nextId).word(nextWord).user(nextUser).account(nextAccount).build();
  }

  private static @Nullable Allocation held(Job job) {
    return switch (job.state()) {
      case JobState.Running running -> running.allocation();
      case JobState.Suspended suspended -> suspended.run().allocation();
      case JobState.Completing completing -> completing.allocation();
      case JobState.Pending _, JobState.Ended _ -> null;
    };
  }

  private static long gpus(Allocation held) {
    long gpus = 0;
    for (NodeShare share : held.shares()) {
      for (GresShare one : share.gres()) {
        gpus += one.name().equals(GresCount.GPU) ? one.count() : 0;
      }
    }
    return gpus;
  }

  /** GPUs that a request comes to. */
  static long gpus(ResourceRequest asked) {
    GresRequest gres = asked.generic();
    return GresRequest.gpus(gres.perJob())
        + GresRequest.gpus(gres.perNode()) * asked.minNodes()
        + GresRequest.gpus(gres.perSocket()) * asked.minNodes()
        + GresRequest.gpus(gres.perTask()) * asked.tasks();
  }
}
