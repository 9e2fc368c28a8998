package io.dure.simulator.mutation;

import io.dure.core.controller.Command;
import io.dure.core.controller.Event;
import io.dure.core.model.Outcome;
import io.dure.protocol.ToNode;
import io.dure.simulator.world.Wiring;
import java.util.function.Supplier;

/** A bug that is planted between sound parts; each breaks a promise that the checkers know. */
@SuppressWarnings("ImmutableEnumChecker") // the suppliers are constructors
public enum Mutation {
  ACKNOWLEDGES_BEFORE_SYNC("answers before the events are durable", EagerStore::new),
  FORGETS_DIRECTORY_SYNC("never syncs the journal's directory", CarelessDisk::directories),
  FORGETS_SYNC("leaves one sync in ten of the journal's files out", CarelessDisk::files),
  SNAPSHOTS_TOO_EARLY(
      "stores an older state as the snapshot of a newer record", StaleSnapshot::new),
  REUSES_IDS("begins with the first free job id again after a restart", ReusedIds::new),
  FORGETS_THE_RUN("takes news of any run of a job as news of its present one", ForgottenRun::new),
  FORGETS_REQUESTS("does not know a submission that is asked again", ForgottenRequest::new),
  FORGETS_ANSWERS("does not know a change that is asked again", ForgottenAnswer::new),
  APPLIES_TWICE("applies some events twice while it runs", AppliedTwice::new),
  GIVES_CORES_TWICE("gives each job the first cores of its node", FirstCores::new),
  FORGETS_CANCEL("answers a cancel of every third job and does nothing", ForgottenCancel::new),
  IGNORES_LIMITS("lets no time limit end a job", IgnoredLimit::new),
  ACKNOWLEDGES_BEFORE_MAJORITY(
      "answers before another controller has the events", OtherLogs::eager),
  FORGETS_THE_FENCE("lets a leadership that is over write into the next one", OtherLogs::unfenced),
  FORGETS_VOTES(
      "does not know after a start in which term it was, and for whom it voted",
      OtherJournals.ForgottenVotes::new),
  READS_AROUND_DAMAGE(
      "cuts a controller's damaged journal off, and it votes on", OtherJournals.ReadAround::new),
  APPLIES_TWICE_AT_TAKEOVER(
      "applies the newest batch again when it begins to lead", OtherReplicas::applyingTwice),
  IGNORES_SNAPSHOTS(
      "keeps a controller's own state when the group sends it another",
      OtherReplicas::ignoringSnapshots),
  DROPS_LAUNCH("loses each launch of every seventh job", () -> dropping(Mutation::isSeventhLaunch)),
  DROPS_FORGET("never tells nodes to forget", () -> dropping(m -> m instanceof ToNode.Forget)),
  DROPS_TERMINATE(
      "never tells nodes to end a run", () -> dropping(m -> m instanceof ToNode.Terminate)),
  DROPS_SUSPEND(
      "never tells nodes to stop the processes of a run",
      () -> dropping(m -> m instanceof ToNode.Suspend)),
  DROPS_RESUME(
      "never tells nodes to let a run go on", () -> dropping(m -> m instanceof ToNode.Resume)),
  RESUMES_TOO_EARLY(
      "lets what was suspended for another go on though its cores are taken", EarlyResumption::new);

  private final String words;
  private final Supplier<Wiring> wiring;

  Mutation(String words, Supplier<Wiring> wiring) {
    this.words = words;
    this.wiring = wiring;
  }

  /** What it does wrong. */
  public String words() {
    return words;
  }

  /** The wiring of one world with the bug in it. */
  public Wiring wiring() {
    return wiring.get();
  }

  private interface Choice {
    boolean takes(ToNode message);
  }

  private static Wiring dropping(Choice lost) {
    return new Wiring() {
      @Override
      public @org.jspecify.annotations.Nullable ToNode toNode(ToNode message) {
        return lost.takes(message) ? null : message;
      }
    };
  }

  private static boolean isSeventhLaunch(ToNode message) {
    return message instanceof ToNode.Launch launch && launch.job().id() % 7 == 0;
  }

  static boolean isTimeout(Event event) {
    return event instanceof Event.JobEnding ending && ending.outcome() instanceof Outcome.TimedOut;
  }

  static boolean isThirdCancel(Command command) {
    Command asked = command instanceof Command.Named named ? named.change() : command;
    return asked instanceof Command.KillJob kill && kill.job().jobId() % 3 == 0;
  }
}
