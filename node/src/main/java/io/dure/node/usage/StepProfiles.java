package io.dure.node.usage;

import io.dure.host.process.ProcFs;
import io.dure.model.config.step.StepSettings.Profiles;
import io.dure.node.job.NodeLocalConfig;
import io.dure.node.launch.RunningStep;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Writes what the tasks of steps used over time ({@code --profile=task}). One thread at a time; it
 * blocks on files.
 */
final class StepProfiles {
  private final Map<RunningStep, Profile> open = new WeakHashMap<>();
  private final Logger log;

  StepProfiles(Logger log) {
    this.log = log;
  }

  /** The file of a step and what was written last; no file where it cannot be written. */
  private record Profile(ProfileTable table, @Nullable ProfileFile file) {}

  /** Whether anything is kept of a step. */
  static boolean isWanted(NamedStep step, NodeLocalConfig setup) {
    Profiles profiles = setup.settings().steps().profiles();
    if (profiles == null) {
      return false;
    }
    String asked = step.profile();
    if (asked == null) {
      return profiles.usual();
    }
    List<String> words = List.of(asked.toLowerCase(Locale.ROOT).split(",", -1));
    return words.contains("task") || words.contains("all");
  }

  /** Adds what was seen now. */
  void add(NamedStep step, List<TaskPoint> points, NodeLocalConfig setup) {
    RunningStep running = step.tasks();
    if (running == null || points.isEmpty()) {
      return;
    }
    Profile profile = open.get(running);
    if (profile == null) {
      profile = begun(step, setup);
      open.put(running, profile);
    }
    ProfileFile file = profile.file();
    if (file == null) {
      return;
    }
    try {
      double uptime = ProcFs.ofThisMachine().uptime().toMillis() / 1000.0;
      file.append(profile.table().lines(points, InstantSource.system().instant(), uptime));
    } catch (IOException e) {
      log.error("the profile of " + name(step) + " ends here: " + e);
      open.put(running, new Profile(profile.table(), null));
    }
  }

  private Profile begun(NamedStep step, NodeLocalConfig setup) {
    ProfileTable table = new ProfileTable();
    Profiles profiles = setup.settings().steps().profiles();
    if (profiles == null) {
      return new Profile(table, null);
    }
    try {
      String name = step.jobId() + "_" + step.name() + "_" + setup.nodeName() + ".csv";
      Path directory = Path.of(profiles.directory());
      return new Profile(
          table, ProfileFile.open(directory, step.job().owner(), name, ProfileTable.HEADER));
    } catch (IOException e) {
      log.error("there is no profile of " + name(step) + ": " + e);
      return new Profile(table, null);
    }
  }

  private static String name(NamedStep step) {
    return "step " + step.jobId() + "." + step.name();
  }
}
