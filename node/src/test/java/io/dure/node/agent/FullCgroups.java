package io.dure.node.agent;

import io.dure.node.cgroup.Cgroups;
import io.dure.node.cgroup.NoCgroups;
import io.dure.node.cgroup.StepCgroup;
import io.dure.node.cgroup.StepConfinement;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.List;

/** Control groups of a kernel that makes no more of them. */
final class FullCgroups implements Cgroups {
  private final Cgroups none = new NoCgroups("a test");

  @Override
  public Version version() {
    return Version.V1;
  }

  @Override
  public String shortcomings() {
    return "";
  }

  @Override
  public String deviceShortcomings() {
    return "";
  }

  @Override
  public StepCgroup create(
      long jobId, String step, StepConfinement ofJob, StepConfinement confinement)
      throws IOException {
    throw new FileSystemException("/cgroup/job_" + jobId, null, "No space left on device");
  }

  @Override
  public StepCgroup existing(long jobId, String step) {
    return none.existing(jobId, step);
  }

  @Override
  public List<Long> jobs() {
    return List.of();
  }

  @Override
  public void leave() {
    // Nothing was made.
  }
}
