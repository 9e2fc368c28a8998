package io.dure.node.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Where control groups may not be written: nothing is confined, and that is said. */
public record NoCgroups(String shortcomings) implements Cgroups {
  private static final StepCgroup EMPTY =
      new StepCgroup() {
        @Override
        public List<Path> directories() {
          return List.of();
        }

        @Override
        public List<Long> processes() {
          return List.of();
        }

        @Override
        public void kill() {
          // There is nothing to kill.
        }

        @Override
        public long oomKills() {
          return 0;
        }

        @Override
        public long memoryBytes() {
          return 0;
        }

        @Override
        public long userMicros() {
          return 0;
        }

        @Override
        public long systemMicros() {
          return 0;
        }

        @Override
        public boolean remove() {
          return true;
        }
      };

  @Override
  public Version version() {
    return Version.NONE;
  }

  @Override
  public String deviceShortcomings() {
    return shortcomings;
  }

  @Override
  public StepCgroup create(
      long jobId, String step, StepConfinement ofJob, StepConfinement confinement)
      throws IOException {
    new DeviceGuard(null, null).refuse(jobId, step, confinement.refused());
    return EMPTY;
  }

  @Override
  public StepCgroup existing(long jobId, String step) {
    return EMPTY;
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
