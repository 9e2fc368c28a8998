package io.dure.cluster;

import io.dure.model.job.Job;
import io.dure.model.jobtext.TextValue;
import io.dure.model.request.JobSpec;
import io.dure.model.request.KeptOptions;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.Workload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How much a job keeps beside its script and environment: its names, paths and lists. */
final class OwnTextSize {
  /** What an element of a list takes, whatever it says. */
  private static final int ELEMENT = 48;

  private long size;

  private OwnTextSize() {}

  /** In characters. */
  static long of(Job job) {
    OwnTextSize own = new OwnTextSize();
    own.add(job.spec());
    own.add(job.workload());
    return own.size;
  }

  private void add(JobSpec spec) {
    add(spec.name(), spec.account(), spec.qos(), spec.comment(), spec.wckey());
    add(spec.adminComment());
    add(spec.mailType(), spec.mailUser(), TextValue.textOf(spec.arrayTasks()));
    add(spec.partitions());
    add(spec.asked());
    add(spec.reservations());
    size += (long) ELEMENT * spec.dependency().conditions().size();
    add(spec.resources());
  }

  private void add(ResourceRequest resources) {
    add(resources.requiredNodes());
    add(resources.excludedNodes());
    size += (long) ELEMENT * resources.gresOrNone().all().size();
    ResourceRequest.RareOptions more = resources.more();
    ResourceRequest.CoreLayout layout = more.laid();
    add(resources.features(), resources.reach().prefer(), TextValue.textOf(more.licenses()));
    add(layout.distribution(), layout.gpuBind(), layout.memoryBind(), layout.hint());
    KeptOptions kept = more.shown();
    add(kept.tresBind(), kept.gpuFrequency(), kept.profile(), kept.network());
    add(kept.burstBuffer(), kept.clusterFeatures(), kept.mcsLabel(), kept.extra());
    add(kept.container(), kept.containerId(), kept.containerType(), more.batchFeatures());
  }

  private void add(Workload workload) {
    add(workload.workDirectory(), workload.submitLine(), workload.submitHost());
    add(workload.standardInput(), workload.standardOutput(), workload.standardError());
    add(workload.command());
    add(workload.arguments());
    if (workload instanceof Workload.BatchSpec batch) {
      size += (long) ELEMENT * batch.limits().size();
    }
  }

  private void add(@Nullable String... texts) {
    for (String text : texts) {
      size += text == null ? 0 : text.length();
    }
  }

  private void add(List<String> texts) {
    for (String text : texts) {
      size += ELEMENT + text.length();
    }
  }
}
