package io.dure.node.job;

import io.dure.host.user.PasswdEntry;
import io.dure.host.user.UserDatabase;
import io.dure.host.user.UserDatabaseException;
import io.dure.model.config.step.OciSettings;
import io.dure.model.job.Job;
import io.dure.node.launch.StepDirectory;
import io.dure.node.launch.StepIdentity;
import io.dure.node.launch.StepLaunch;
import io.dure.node.space.ImageContainers;
import io.dure.node.space.OciContainers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Which steps run in containers, and what these leave. Calls block. */
public final class StepContainers {
  private static final List<Path> PROGRAMS =
      List.of(Path.of("/usr/local/bin"), Path.of("/usr/bin"));

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
   * What a step asks for.
   *
   * @param bundle an OCI bundle, empty for none
   * @param image an image, empty for none
   * @param mounts what is mounted in it
   * @param directory where tasks begin in it
   */
  record Asked(String bundle, String image, String mounts, String directory) {
    /** What variables say, from which another srun would take it. */
    static Asked in(List<String> lines) {
      return new Asked(
          value(lines, "SLURM_CONTAINER="),
          value(lines, "SLURM_CONTAINER_IMAGE="),
          value(lines, "SLURM_CONTAINER_MOUNTS="),
          value(lines, "SLURM_CONTAINER_WORKDIR="));
    }

    /** With that bundle, null for none. */
    Asked ofBundle(@Nullable String other) {
      return new Asked(Objects.requireNonNullElse(other, ""), image, mounts, directory);
    }

    private static String value(List<String> lines, String begin) {
      return lines.stream()
          .filter(line -> line.startsWith(begin))
          .map(line -> line.substring(begin.length()))
          .findFirst()
          .orElse("");
    }
  }

  /**
   * That launch, in the container that is asked for.
   *
   * @param ranks of its tasks here
   * @throws JobRefusedException if this node runs none
   */
  static StepLaunch launch(
      StepLaunch launch, Job job, Asked asked, List<Integer> ranks, NodeLocalConfig setup)
      throws JobRefusedException, IOException {
    if (asked.bundle().isEmpty() && asked.image().isEmpty()) {
      return launch;
    }
    boolean isBundle = !asked.bundle().isEmpty();
    String named = isBundle ? asked.bundle() : asked.image();
    boolean isPath = isBundle || named.startsWith("/") || named.startsWith(".");
    String absolute =
        isPath ? Path.of(launch.workingDirectory()).resolve(named).normalize().toString() : named;
    OciSettings commands = isBundle ? bundles(setup) : images(launch, asked, absolute, setup);
    OciContainers.Place place = place(job, launch.identity().step(), setup);
    boolean isBatch = launch.group() == null;
    return launch.inContainer(OciContainers.entries(commands, place, absolute, isBatch, ranks));
  }

  private static OciSettings bundles(NodeLocalConfig setup) throws JobRefusedException {
    OciSettings oci = setup.settings().steps().oci();
    if (oci == null) {
      throw new JobRefusedException(
          "Container is not configured: oci.conf beside slurm.conf names no RunTimeRun on "
              + setup.nodeName());
    }
    return oci;
  }

  private static OciSettings images(
      StepLaunch launch, Asked asked, String image, NodeLocalConfig setup)
      throws JobRefusedException {
    String tool = ImageContainers.tool(PROGRAMS);
    if (tool == null) {
      throw new JobRefusedException(
          "--container-image needs enroot, apptainer or podman, and "
              + setup.nodeName()
              + " has none of them in /usr/local/bin and /usr/bin");
    }
    boolean terminal = launch.group() != null && launch.group().terminal() != null;
    return ImageContainers.commands(
        tool, new ImageContainers.Image(image, asked.mounts(), asked.directory(), terminal));
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
        PasswdEntry account = users.userByUid(job.owner().uid());
        String home = account == null ? "/" : account.home();
        StepIdentity step = directory.identity();
        OciContainers.Place place = place(job, step.step(), setup);
        containers.clean(place, entries, step.cgroups(), groups, home);
      }
    } catch (IOException | UserDatabaseException e) {
      log.error(directory.path() + ": its containers are not removed: " + e.getMessage());
    }
  }
}
