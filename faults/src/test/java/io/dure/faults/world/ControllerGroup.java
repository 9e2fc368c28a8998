package io.dure.faults.world;

import io.dure.controller.replica.raft.ControllerGroupStatus;
import io.dure.faults.books.SimulatedBooks;
import io.dure.faults.scenario.ScenarioAct;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The controllers of a world: who leads, whether they are whole, and what befalls them. */
final class ControllerGroup {
  private static final long MILLI = 1000;

  private final SimulatedWorld world;
  private final List<SimulatedControllerHost> controllers;

  /** Disks that were lost or damaged since all controllers had everything; at first all. */
  private int harmed = Integer.MAX_VALUE;

  ControllerGroup(SimulatedWorld world, List<SimulatedControllerHost> controllers) {
    this.world = world;
    this.controllers = controllers;
  }

  /** The controller that leads and serves, null if none does: of several the newest. */
  @Nullable SimulatedControllerHost chief() {
    SimulatedControllerHost chief = null;
    long newest = -1;
    for (SimulatedControllerHost machine : controllers) {
      if (machine.serving() != null) {
        long term = machine.process() instanceof ReplicatedController c ? c.status().term() : 0;
        if (term > newest) {
          newest = term;
          chief = machine;
        }
      }
    }
    return chief;
  }

  /** The controller of that number, for 0 the one that leads, or else the first. */
  SimulatedControllerHost controller(int number) {
    SimulatedControllerHost chief = number == 0 ? chief() : null;
    return chief != null ? chief : controllers.get(Math.max(0, number - 1));
  }

  /** Who leads and how far the others are. */
  String replicas() {
    StringBuilder text = new StringBuilder();
    for (SimulatedControllerHost machine : controllers) {
      text.append(machine.host)
          .append(": ")
          .append(machine.process() instanceof ReplicatedController c ? c.status() : "down")
          .append("; ");
    }
    return text.toString();
  }

  /** Whether one leads, all have a vote, and nobody lacks anything. */
  boolean isWhole() {
    SimulatedControllerHost chief = chief();
    if (chief == null || !(chief.process() instanceof ReplicatedController leader)) {
      return false;
    }
    List<ControllerGroupStatus.MemberStatus> members = leader.status().members();
    for (ControllerGroupStatus.MemberStatus member : members) {
      boolean there =
          world.machine(member.member().host()).process() instanceof ReplicatedController c
              && c.status().self().equals(member.member())
              && !world.machine(member.member().host()).accounting().isMissing();
      if (!there || !member.voting() || member.lag() != 0) {
        return false;
      }
    }
    return members.size() == controllers.size();
  }

  /** Whether all know of the same batches. */
  boolean isAlike() {
    for (SimulatedControllerHost machine : controllers) {
      if (machine.process() instanceof ReplicatedController c
          && c.reader().position() != world.chronicle.size()) {
        return false;
      }
    }
    return true;
  }

  void checkReplicas() {
    if (!isWhole()) {
      world.violate("without faults all controllers catch up", replicas());
    }
    int leaders = 0;
    for (SimulatedControllerHost machine : controllers) {
      leaders += machine.serving() == null ? 0 : 1;
      if (machine.process() instanceof ReplicatedController c) {
        c.reader().compare();
        if (c.reader().position() != world.chronicle.size()) {
          world.violate(
              "without faults all controllers catch up",
              "%s has %s batches of %s"
                  .formatted(machine.host, c.reader().position(), world.chronicle.size()));
        }
      }
    }
    if (leaders != 1) {
      world.violate("without faults one leads", leaders + " do: " + replicas());
    }
  }

  /** Cuts one side from the other, in that direction; the sides are sets of bits. */
  void cut(int from, int to, long micros) {
    for (int a = 0; a < controllers.size(); a++) {
      for (int b = 0; b < controllers.size(); b++) {
        if (a != b && (from >> a & 1) != 0 && (to >> b & 1) != 0) {
          world.peers.cut(controllers.get(a).host, controllers.get(b).host, micros);
        }
      }
    }
  }

  /**
   * Whether another disk may be lost or damaged. What is promised is that a majority's disks are
   * enough: so never more than a minority is, until all controllers have everything again.
   */
  private boolean mayHarm() {
    if (!world.isGroup()) {
      return true;
    }
    if (isWhole()) {
      harmed = 0;
    }
    if (harmed < (controllers.size() - 1) / 2) {
      harmed++;
      return true;
    }
    return false;
  }

  /** A mishap of the database of a controller, or of the one that all share. */
  void strike(ScenarioAct.OfBooks fault) {
    SimulatedBooks books = controller(fault.controller()).books;
    switch (fault) {
      case ScenarioAct.BooksAway(_, int millis) -> books.leave(millis * MILLI);
      case ScenarioAct.BooksBreak(_, int millis, int percent) ->
          books.lose(millis * MILLI, percent);
      case ScenarioAct.BooksSlow(_, int millis, int by) -> books.slow(millis * MILLI, by * MILLI);
      case ScenarioAct.BackUpBooks _ -> books.backUp();
      case ScenarioAct.PutBackBooks _ -> {
        if (books.putBack()) {
          world.count("books put back");
        }
      }
    }
  }

  /** A mishap of a controller. */
  void strike(SimulatedControllerHost controller, ScenarioAct.OfController fault) {
    switch (fault) {
      case ScenarioAct.KillController(_, int down) -> controller.crash(false, down * MILLI);
      case ScenarioAct.PowerLoss(_, int down) -> controller.loseEverything(down * MILLI);
      case ScenarioAct.DieWriting(_, int operations, boolean power, int down) ->
          controller.dieWriting(operations, power, down * MILLI);
      case ScenarioAct.PauseController(_, int millis) -> controller.pause(millis * MILLI);
      case ScenarioAct.DiskFull(_, int millis) -> controller.full(millis * MILLI);
      case ScenarioAct.DiskErrors(_, int millis, int percent) ->
          controller.refuse(millis * MILLI, percent / 100.0);
      case ScenarioAct.DiskSlow(_, int millis, int sync) ->
          controller.slow(millis * MILLI, sync * MILLI);
      case ScenarioAct.BitRot(_, int down) -> {
        if (controller.up() && mayHarm()) {
          controller.crash(false, down * MILLI);
          controller.rot();
        }
      }
      case ScenarioAct.LoseDisk(_, int down) -> {
        if (world.isGroup() && mayHarm()) {
          controller.loseDisk(down * MILLI);
        }
      }
      case ScenarioAct.BackUp _ -> controller.backUp();
      case ScenarioAct.PutBack(_, int down) -> {
        if (world.isGroup() && controller.hasBackup() && mayHarm()) {
          controller.putBack(down * MILLI);
        }
      }
      case ScenarioAct.ControllerClock(_, int seconds) ->
          controller.jump(Duration.ofSeconds(seconds));
      case ScenarioAct.CutOff(_, boolean toNodes, boolean fromNodes, int millis) ->
          controller.cutOff(toNodes, fromNodes, millis * MILLI);
      case ScenarioAct.TakeOver _ -> {
        SimulatedControllerHost chief = chief();
        if (chief != null && chief.process() instanceof ReplicatedController leader) {
          leader.handOver(controller.host);
        }
      }
      case ScenarioAct.Isolate(int number, int millis) -> {
        int bit = 1 << (number == 0 ? controllers.indexOf(controller) : number - 1);
        cut(bit, ~bit, millis * MILLI);
        cut(~bit, bit, millis * MILLI);
      }
    }
  }
}
