package io.dure.faults.step;

import io.dure.model.ExitStatus;
import io.dure.model.command.StepEnd;
import io.dure.node.noderun.RunId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The parts of steps on one machine: they outlive its daemon, and their records its power. */
public final class NodeParts {
  private static final int SIGKILL = 9;
  private static final int SIGTERM = 15;
  private static final int SIGCONT = 18;
  static final int SIGSTOP = 19;
  private static final long WRITTEN_BACK_AFTER = 5_000_000;

  private final StepSurroundings world;
  private final String node;
  private final SplittableRandom random;
  private final long killWait;
  private final TreeMap<PartId, SimulatedPart> parts = new TreeMap<>();
  private int boot;

  /** The daemon that is there, if one is. */
  @Nullable Daemon hands;

  /** What a daemon hears of its machine. */
  interface Daemon {
    /** A part of the machine has ended. */
    void ended(SimulatedPart part);
  }

  /**
   * None.
   *
   * @param killWait from SIGTERM to SIGKILL, microseconds
   */
  public NodeParts(StepSurroundings world, String node, SplittableRandom random, long killWait) {
    this.world = world;
    this.node = node;
    this.random = random;
    this.killWait = killWait;
  }

  String node() {
    return node;
  }

  StepSurroundings world() {
    return world;
  }

  SplittableRandom random() {
    return random;
  }

  int boot() {
    return boot;
  }

  /** All that left a record here. */
  public Collection<SimulatedPart> all() {
    return parts.values();
  }

  /** The part of a step, null if there is no record of one. */
  public @Nullable SimulatedPart part(PartId id) {
    return parts.get(id);
  }

  @Nullable SimulatedPart at(Path directory) {
    for (SimulatedPart part : parts.values()) {
      if (part.directory.equals(directory)) {
        return part;
      }
    }
    return null;
  }

  List<SimulatedPart> of(RunId run) {
    List<SimulatedPart> found = new ArrayList<>();
    for (SimulatedPart part : parts.values()) {
      if (part.id().run().equals(run)) {
        found.add(part);
      }
    }
    return found;
  }

  void put(SimulatedPart part) {
    parts.put(part.id(), part);
  }

  void remove(SimulatedPart part) {
    parts.remove(part.id());
  }

  /** The directory of a run is removed with all that is in it. */
  public void forget(RunId run) {
    for (SimulatedPart part : of(run)) {
      if (part.lives()) {
        world.violate("the record of what lives is kept", part.id().text() + " lives on " + node);
      }
      parts.remove(part.id());
    }
  }

  /** A shepherd begins a part. */
  void begin(SimulatedPart part) {
    part.begins(world.micros());
    world.observer().began(node, part.id());
    StepEnd end = new StepEnd.Ran(part.program.exitOf(part.request.share()), false);
    end(part, part.program.seconds() * 1_000_000L + random.nextInt(1000), end);
    PartListener front = part.front;
    if (front != null) {
      front.begun(node);
    }
  }

  /** A part ends after that time, unless it has ended or the machine was booted by then. */
  private void end(SimulatedPart part, long micros, StepEnd how) {
    int of = boot;
    world.after(
        micros,
        "part ends",
        () -> {
          if (of != boot || !part.lives()) {
            return;
          }
          if (part.isStopped() && !part.isDying()) {
            part.due = how;
          } else {
            over(part, how);
          }
        });
  }

  private void over(SimulatedPart part, StepEnd how) {
    part.ends(how, world.micros());
    world.observer().ended(node, part.id(), how);
    PartListener front = part.front;
    if (front != null) {
      front.left(node);
    }
    Daemon daemon = hands;
    if (daemon != null) {
      daemon.ended(part);
    }
  }

  private long little() {
    return 1000L + random.nextInt(50_000);
  }

  /** A signal to all tasks of a part. */
  void signal(SimulatedPart part, int signal) {
    if (!part.lives()) {
      return;
    }
    switch (signal) {
      case SIGSTOP -> part.stopped(true);
      case SIGCONT -> {
        part.stopped(false);
        StepEnd due = part.due;
        part.due = null;
        if (due != null) {
          end(part, little(), due);
        }
      }
      case SIGKILL -> {
        part.dying();
        end(part, little(), new StepEnd.Ran(new ExitStatus(0, SIGKILL), false));
      }
      default -> {
        if (!part.program.stubborn()) {
          end(part, little() * 10, new StepEnd.Ran(new ExitStatus(0, signal), false));
        }
      }
    }
  }

  /** A signal that the front end sent. */
  public void signal(PartId id, int signal) {
    SimulatedPart part = parts.get(id);
    if (part != null) {
      signal(part, signal);
    }
  }

  /** The front end is gone: the tasks are asked to end, then killed. */
  public void frontLost(PartId id) {
    SimulatedPart part = parts.get(id);
    if (part == null) {
      return;
    }
    part.front = null;
    signal(part, SIGCONT);
    signal(part, SIGTERM);
    int of = boot;
    world.after(
        killWait,
        "kill part",
        () -> {
          if (of == boot) {
            signal(part, SIGKILL);
          }
        });
  }

  /** Kills what runs of unknown jobs. */
  public void sweep(Set<Long> known) {
    for (SimulatedPart part : parts.values()) {
      if (part.lives() && !known.contains((long) part.id().run().jobId())) {
        over(part, new StepEnd.Lost("swept"));
      }
    }
  }

  /** The machine is booted; records that are new are lost, or not. */
  public void powerLost() {
    boot++;
    for (SimulatedPart part : List.copyOf(parts.values())) {
      PartListener front = part.front;
      part.front = null;
      if (front != null) {
        front.left(node);
      }
      boolean fresh = world.micros() - part.made < WRITTEN_BACK_AFTER;
      boolean gone = fresh && random.nextBoolean();
      if (part.lives()) {
        world.observer().lost(node, part.id());
        part.ends(new StepEnd.Lost("the machine was booted"), world.micros());
      } else if (part.end instanceof StepEnd.Ran
          && world.micros() - part.since() < WRITTEN_BACK_AFTER
          && random.nextBoolean()) {
        world.observer().lost(node, part.id());
        part.ends(new StepEnd.Lost("its record is gone"), world.micros());
      }
      if (gone) {
        world.observer().lost(node, part.id());
        parts.remove(part.id());
      }
    }
  }
}
