package io.dure.faults.plantedbugs;

import io.dure.faults.world.FaultHooks;
import io.dure.protocol.ControllerToNodeMessage;
import java.util.function.Supplier;

/** A bug that is planted between sound parts; each breaks a promise that the checkers know. */
@SuppressWarnings("ImmutableEnumChecker") // the suppliers are constructors
public enum PlantedBug {
  ACKNOWLEDGES_BEFORE_SYNC("answers before the events are durable", EarlyAcknowledgeMutation::new),
  FORGETS_DIRECTORY_SYNC("never syncs the journal's directory", SkippedSyncMutation::directories),
  FORGETS_SYNC("leaves one sync in ten of the journal's files out", SkippedSyncMutation::files),
  SNAPSHOTS_TOO_EARLY(
      "stores an older state as the snapshot of a newer record", StaleSnapshotMutation::new),
  REUSES_IDS("begins with the first free job id again after a restart", ReusedJobIdMutation::new),
  FORGETS_THE_RUN(
      "takes news of any run of a job as news of its present one", IgnoredRunNumberMutation::new),
  FORGETS_REQUESTS("does not know a submission that is asked again", LostSubmissionIdMutation::new),
  FORGETS_ANSWERS("does not know a change that is asked again", LostReplyMutation::new),
  APPLIES_TWICE("applies some events twice while it runs", DoubleApplyMutation::new),
  GIVES_CORES_TWICE("gives each job the first cores of its node", SameCoresMutation::new),
  FORGETS_CANCEL(
      "answers a cancel of every third job and does nothing", IgnoredCancelMutation::new),
  IGNORES_LIMITS("lets no time limit end a job", IgnoredTimeLimitMutation::new),
  ACKNOWLEDGES_BEFORE_MAJORITY(
      "answers before another controller has the events", GroupLogMutations::eager),
  FORGETS_THE_FENCE(
      "lets a leadership that is over write into the next one", GroupLogMutations::unfenced),
  FORGETS_VOTES(
      "does not know after a start in which term it was, and for whom it voted",
      JournalMutations.ForgottenVotes::new),
  READS_AROUND_DAMAGE(
      "cuts a controller's damaged journal off, and it votes on", JournalMutations.ReadAround::new),
  TRUSTS_COPIES(
      "takes an older copy of a controller's files for its own, and it votes",
      JournalMutations.TrustedCopy::new),
  APPLIES_TWICE_AT_TAKEOVER(
      "applies the newest batch again when it begins to lead", ReplicaMutations::applyingTwice),
  IGNORES_SNAPSHOTS(
      "keeps a controller's own state when the group sends it another",
      ReplicaMutations::ignoringSnapshots),
  DROPS_LAUNCH(
      "loses each launch of every seventh job", () -> dropping(PlantedBug::isSeventhLaunch)),
  DROPS_FORGET(
      "never tells nodes to forget",
      () -> dropping(m -> m instanceof ControllerToNodeMessage.Forget)),
  DROPS_TERMINATE(
      "never tells nodes to end a run",
      () -> dropping(m -> m instanceof ControllerToNodeMessage.Terminate)),
  DROPS_SUSPEND(
      "never tells nodes to stop the processes of a run",
      () -> dropping(m -> m instanceof ControllerToNodeMessage.Suspend)),
  DROPS_RESUME(
      "never tells nodes to let a run go on",
      () -> dropping(m -> m instanceof ControllerToNodeMessage.Resume)),
  RESUMES_TOO_EARLY(
      "lets what was suspended for another go on though its cores are taken",
      EarlyResumeMutation::new),
  LOST_STEPS_ARE_WELL(
      "takes a step that was lost for one that ended well", StepMutations.LostIsWell::new),
  ENDS_STEPS_TOO_EARLY(
      "takes a step for over when the first of its nodes says so",
      StepMutations.FirstEndIsAll::new),
  GIVES_STEP_CORES_TWICE(
      "gives each step the first cores of its node", StepMutations.SameStepCores::new),
  IGNORES_STEP_LISTS("does not see which steps nodes list", StepMutations::withoutLists),
  FORGETS_A_RECORD(
      "leaves out a record of each twentieth batch for the accounting database",
      BooksMutations::forgetful),
  DROPS_RECORDS(
      "gives a controller that was behind the state without the records of the events before it",
      BooksMutations::silent),
  DROPS_TERMINATE_STEP(
      "never tells nodes to end a step",
      () -> dropping(m -> m instanceof ControllerToNodeMessage.TerminateStep));

  private final String words;
  private final Supplier<FaultHooks> wiring;

  PlantedBug(String words, Supplier<FaultHooks> wiring) {
    this.words = words;
    this.wiring = wiring;
  }

  /** What it does wrong. */
  public String words() {
    return words;
  }

  /** The wiring of one world with the bug in it. */
  public FaultHooks wiring() {
    return wiring.get();
  }

  private interface Choice {
    boolean takes(ControllerToNodeMessage message);
  }

  private static FaultHooks dropping(Choice lost) {
    return new FaultHooks() {
      @Override
      public @org.jspecify.annotations.Nullable ControllerToNodeMessage toNode(
          ControllerToNodeMessage message) {
        return lost.takes(message) ? null : message;
      }
    };
  }

  private static boolean isSeventhLaunch(ControllerToNodeMessage message) {
    return message instanceof ControllerToNodeMessage.Launch launch && launch.job().id() % 7 == 0;
  }
}
