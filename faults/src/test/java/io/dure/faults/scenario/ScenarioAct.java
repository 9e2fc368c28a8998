package io.dure.faults.scenario;

import java.util.Locale;

/**
 * Something that people or mishap do to the cluster at a moment.
 *
 * @param atMillis when, since the beginning
 * @param what what it is
 */
public record ScenarioAct(long atMillis, ActKind what) {

  /** What there is to be done. */
  public sealed interface ActKind {
    /** In a few words. */
    String words();
  }

  /** A mishap. */
  public sealed interface Fault extends ActKind {}

  /** A mishap of a controller. */
  public sealed interface OfController extends Fault {
    /** Its number from 1 on; 0 is the one that leads then. */
    int controller();

    /** How it is called. */
    default String who() {
      return controller() == 0 ? "the controller that leads" : "controller c" + controller();
    }
  }

  /**
   * A user submits a job.
   *
   * @param number of the submission in this world; the job's name
   * @param cores cores on each node
   * @param seconds how long it runs
   * @param limitMinutes its time limit
   * @param exit exit code
   * @param stubborn whether it ignores SIGTERM
   * @param tasks tasks of an array, 0 for a job of its own
   * @param after a submission whose job it waits for, -1 for none
   */
  public record Submit(
      int number,
      int user,
      int nodes,
      int cores,
      int seconds,
      int limitMinutes,
      int exit,
      boolean stubborn,
      boolean requeue,
      int tasks,
      int after)
      implements ActKind {
    @Override
    public String words() {
      return "user%s submits s%s: %s x %s cores, %s s, limit %s min%s%s%s%s%s"
          .formatted(
              user,
              number,
              nodes,
              cores,
              seconds,
              limitMinutes,
              (tasks > 0 ? ", array of " + tasks : ""),
              (after >= 0 ? ", after s" + after : ""),
              (requeue ? ", may be requeued" : ""),
              (stubborn ? ", ignores SIGTERM" : ""),
              (exit != 0 ? ", exits with " + exit : ""));
    }
  }

  /** What somebody asks of a job. */
  public enum JobRequestKind {
    CANCEL,
    HOLD,
    RELEASE,
    REQUEUE,
    LIMIT,
    NICE,
    SHRINK,
    SUSPEND,
    RESUME
  }

  /** Somebody asks something of the job of a submission. */
  public record OfJob(JobRequestKind ask, int submission) implements ActKind {
    @Override
    public String words() {
      return ask.name().toLowerCase(Locale.ROOT) + " job of s" + submission;
    }
  }

  /** Something about the steps of the job of a submission. */
  public sealed interface OfSteps extends ActKind {
    /** The submission. */
    int submission();
  }

  /** Somebody calls {@code srun --jobid}. */
  public record CallStep(int submission) implements OfSteps {
    @Override
    public String words() {
      return "srun in the job of s" + submission;
    }
  }

  /** What somebody asks of a step that runs. */
  public enum StepRequestKind {
    CANCEL,
    SIGNAL,
    KILL,
    LIMIT
  }

  /** Somebody asks something of a step of the job. */
  public record AskOfStep(StepRequestKind ask, int submission) implements OfSteps {
    @Override
    public String words() {
      return ask.name().toLowerCase(Locale.ROOT) + " a step of s" + submission;
    }
  }

  /** A process of srun or salloc ends, by Ctrl-C or all at once. */
  public record LoseFrontEnd(int submission, boolean politely) implements OfSteps {
    @Override
    public String words() {
      return "a front end of s" + submission + " is " + (politely ? "interrupted" : "killed");
    }
  }

  /** {@code scontrol update nodename=... state=...}. */
  public record OfNode(int node, String state) implements ActKind {
    @Override
    public String words() {
      return "scontrol sets n" + node + " to " + state;
    }
  }

  /** The controller's process is killed and started again later. */
  public record KillController(int controller, int downMillis) implements OfController {
    @Override
    public String words() {
      return who() + " is killed, back after " + downMillis + " ms";
    }
  }

  /** The controller's machine loses power. */
  public record PowerLoss(int controller, int downMillis) implements OfController {
    @Override
    public String words() {
      return "the machine of " + who() + " loses power, back after " + downMillis + " ms";
    }
  }

  /** The controller dies in the middle of what it does with its disk. */
  public record DieWriting(int controller, int operations, boolean power, int downMillis)
      implements OfController {
    @Override
    public String words() {
      return "%s %s at its disk operation %s from now"
          .formatted(who(), (power ? "loses power" : "is killed"), operations);
    }
  }

  /** The controller's process stands still. */
  public record PauseController(int controller, int millis) implements OfController {
    @Override
    public String words() {
      return who() + " stands still for " + millis + " ms";
    }
  }

  /** The disk takes nothing new. */
  public record DiskFull(int controller, int millis) implements OfController {
    @Override
    public String words() {
      return "the disk of " + who() + " is full for " + millis + " ms";
    }
  }

  /** The disk fails now and then. */
  public record DiskErrors(int controller, int millis, int percent) implements OfController {
    @Override
    public String words() {
      return "the disk of %s fails %s%% of writes and syncs for %s ms"
          .formatted(who(), percent, millis);
    }
  }

  /** The disk takes long. */
  public record DiskSlow(int controller, int millis, int syncMillis) implements OfController {
    @Override
    public String words() {
      return "a sync of " + who() + " takes " + syncMillis + " ms, for " + millis + " ms";
    }
  }

  /** The controller is killed and a bit of what it stored flips. */
  public record BitRot(int controller, int downMillis) implements OfController {
    @Override
    public String words() {
      return who() + " is killed and a bit on its disk flips";
    }
  }

  /** A node's clock jumps. */
  public record ClockJump(int node, int seconds) implements Fault {
    @Override
    public String words() {
      return "clock of n" + node + " jumps by " + seconds + " s";
    }
  }

  /** A controller of several loses its disk for good, and gets an empty one. */
  public record LoseDisk(int controller, int downMillis) implements OfController {
    @Override
    public String words() {
      return who() + " loses its disk, back after " + downMillis + " ms";
    }
  }

  /** The files of a controller are copied, while it runs or not. */
  public record BackUp(int controller) implements OfController {
    @Override
    public String words() {
      return "a copy is made of the disk of " + who();
    }
  }

  /** A controller of several ends, and its files are replaced by the copy made last. */
  public record PutBack(int controller, int downMillis) implements OfController {
    @Override
    public String words() {
      return who() + " is put back from its copy, back after " + downMillis + " ms";
    }
  }

  /** What a controller sends to node daemons and people does not arrive, or what they send. */
  public record CutOff(int controller, boolean toNodes, boolean fromNodes, int millis)
      implements OfController {
    @Override
    public String words() {
      String which = toNodes && fromNodes ? "from and to" : toNodes ? "from" : "to";
      return "nothing %s %s arrives at nodes and people for %s ms".formatted(which, who(), millis);
    }
  }

  /** A controller is cut from all others. */
  public record Isolate(int controller, int millis) implements OfController {
    @Override
    public String words() {
      return who() + " is cut from the other controllers for " + millis + " ms";
    }
  }

  /** The leader is asked to let that one lead. */
  public record TakeOver(int controller) implements OfController {
    @Override
    public String words() {
      return who() + " is asked to lead";
    }
  }

  /**
   * What some controllers send to some others does not arrive.
   *
   * @param from a bit for each controller, the first the lowest
   * @param to the same
   */
  public record CutControllers(int from, int to, int millis) implements Fault {
    @Override
    public String words() {
      return "nothing from " + names(from) + " arrives at " + names(to) + " for " + millis + " ms";
    }

    private static String names(int bits) {
      StringBuilder names = new StringBuilder();
      for (int i = 0; i < Integer.SIZE; i++) {
        if ((bits >> i & 1) != 0) {
          names.append(names.isEmpty() ? "c" : ", c").append(i + 1);
        }
      }
      return names.toString();
    }
  }

  /** Messages between controllers are lost, doubled, slow and out of order. */
  public record BadPeers(int millis, int lostPercent, int doubledPercent, int slowMillis)
      implements Fault {
    @Override
    public String words() {
      return "between controllers "
          + lostPercent
          + "% of messages are lost, "
          + doubledPercent
          + "% doubled, all up to "
          + slowMillis
          + " ms late, for "
          + millis
          + " ms";
    }
  }

  /** A controller's clock jumps. */
  public record ControllerClock(int controller, int seconds) implements OfController {
    @Override
    public String words() {
      return "clock of " + who() + " jumps by " + seconds + " s";
    }
  }

  /** A mishap of the accounting database: of that controller, where it has one of its own. */
  public sealed interface OfBooks extends Fault {
    /** As {@link OfController#controller}. */
    int controller();

    /** How they are called. */
    default String which() {
      return controller() == 0
          ? "the books of the controller that leads"
          : "the books of c" + controller();
    }
  }

  /** The accounting database does not answer. */
  public record BooksAway(int controller, int millis) implements OfBooks {
    @Override
    public String words() {
      return which() + " are away for " + millis + " ms";
    }
  }

  /** Connections to the accounting database break before or after what was asked. */
  public record BooksBreak(int controller, int millis, int percent) implements OfBooks {
    @Override
    public String words() {
      return percent + "% of connections to " + which() + " break, for " + millis + " ms";
    }
  }

  /** The accounting database takes long. */
  public record BooksSlow(int controller, int millis, int byMillis) implements OfBooks {
    @Override
    public String words() {
      return which() + " take " + byMillis + " ms longer, for " + millis + " ms";
    }
  }

  /** Someone makes a backup of the accounting database. */
  public record BackUpBooks(int controller) implements OfBooks {
    @Override
    public String words() {
      return which() + " are backed up";
    }
  }

  /** The accounting database is what it was at its backup. */
  public record PutBackBooks(int controller) implements OfBooks {
    @Override
    public String words() {
      return which() + " are restored from their backup";
    }
  }

  /** A node daemon is killed; its jobs run on. */
  public record KillDaemon(int node, int downMillis) implements Fault {
    @Override
    public String words() {
      return "slurmd of n" + node + " is killed, back after " + downMillis + " ms";
    }
  }

  /** A node loses power. */
  public record Reboot(int node, int downMillis) implements Fault {
    @Override
    public String words() {
      return "n" + node + " loses power, back after " + downMillis + " ms";
    }
  }

  /** A node daemon stands still. */
  public record PauseDaemon(int node, int millis) implements Fault {
    @Override
    public String words() {
      return "slurmd of n" + node + " stands still for " + millis + " ms";
    }
  }

  /** A node's connection breaks. */
  public record BreakLink(int node) implements Fault {
    @Override
    public String words() {
      return "connection of n" + node + " breaks";
    }
  }

  /** What is sent from or to a node does not arrive. */
  public record CutLink(int node, boolean toNode, boolean fromNode, int millis) implements Fault {
    @Override
    public String words() {
      String which = toNode && fromNode ? "from and to" : toNode ? "to" : "from";
      return "nothing " + which + " n" + node + " arrives for " + millis + " ms";
    }
  }

  /** A node's messages take long. */
  public record SlowLink(int node, int delayMillis, int millis) implements Fault {
    @Override
    public String words() {
      return "messages from and to n%s take %s ms, for %s ms".formatted(node, delayMillis, millis);
    }
  }

  /** A node's spool takes nothing. */
  public record SpoolFull(int node, int millis) implements Fault {
    @Override
    public String words() {
      return "spool of n" + node + " is full for " + millis + " ms";
    }
  }

  /** Answers to people get lost. */
  public record LoseAnswers(int millis, int percent) implements Fault {
    @Override
    public String words() {
      return percent + "% of requests and answers are lost for " + millis + " ms";
    }
  }
}
