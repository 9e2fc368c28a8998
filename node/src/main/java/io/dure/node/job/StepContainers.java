package io.dure.node.job;

import io.dure.host.user.UserDatabase;
import io.dure.host.user.UserDatabaseException;
import io.dure.model.config.step.OciSettings;
import io.dure.model.job.Job;
import io.dure.node.launch.StepDirectory;
import io.dure.node.launch.StepLaunch;
import io.dure.node.space.OciContainers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Which steps run in containers, and what these leave. Calls block. */
public final class StepContainers {
  private final OciContainers containers;
  private final UserDatabase users;
  private final Logger log;

  /** Uses that program. */
  StepContainers(Path program, UserDatabase users, Logger log) {
    this.containers = new OciContainers(program);
    this.users = users;
    this.log = log;
  }

  /**
   * That launch, in the container that is asked for.
   *
   * @param bundle an OCI bundle, null or empty for none
   * @param ranks of its tasks here
   * @throws JobRefusedException if this node runs none
   */
  static StepLaunch launch(
      StepLaunch launch,
      Job job,
      @Nullable String bundle,
      List<Integer> ranks,
      NodeLocalConfig setup)
      throws JobRefusedException, IOException {
    if (bundle == null || bundle.isEmpty()) {
      return launch;
    }
    OciSettings oci = setup.settings().steps().oci();
    if (oci == null) {
      throw new JobRefusedException(
          "Container is not configured: oci.conf beside slurm.conf names no RunTimeRun on "
              + setup.nodeName());
    }
    String absolute = Path.of(launch.workingDirectory()).resolve(bundle).normalize().toString();
    OciContainers.Place place = place(job, launch.identity().step(), setup);
    boolean isBatch = launch.group() == null;
    return launch.inContainer(OciContainers.entries(oci, place, absolute, isBatch, ranks));
  }

  private static OciContainers.Place place(Job job, String step, NodeLocalConfig setup) {
    return new OciContainers.Place(setup.spool(), setup.nodeName(), job.id(), step, job.owner());
  }

  /** Removes what the containers of a step that has ended have left. */
  public void clean(StepDirectory directory, Job job, NodeLocalConfig setup) {
    try {
      List<String> entries = directory.container();
      if (!entries.isEmpty()) {
        List<Integer> groups = users.groupsOf(job.owner().userName(), job.owner().gid());
        containers.clean(place(job, directory.identity().step(), setup), entries, groups);
      }
    } catch (IOException | UserDatabaseException e) {
      log.error(directory.path() + ": its containers are not removed: " + e.getMessage());
    }
  }
}
