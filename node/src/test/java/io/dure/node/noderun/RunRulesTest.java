package io.dure.node.noderun;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.Effect.TerminationReason;
import io.dure.model.command.StepEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every input in every phase, with and without prolog and epilog, and the orders they come in. */
@Tag("pure")
class RunRulesTest {
  private static final RunId ID = new RunId(12, 3);
  private static final Instant NOW = Instant.parse("2026-01-20T12:00:00Z");
  private static final Duration KILL_WAIT = Duration.ofSeconds(30);
  private static final RunPolicy PLAIN = new RunPolicy(false, false, Duration.ofSeconds(60));
  private static final RunPolicy SCRIPTS = new RunPolicy(true, true, Duration.ofSeconds(60));
  private static final StepEnd RAN = new StepEnd.Ran(new ExitStatus(3, 0), false);
  private static final StepEnd STOPPED = new StepEnd.NotStarted("ended before it was started");

  private static final Map<String, RunPhase> PHASES = phases();
  private static final Map<String, RunInput> INPUTS = inputs();

  private static Map<String, RunPhase> phases() {
    Map<String, RunPhase> phases = new LinkedHashMap<>();
    phases.put("preparing", new RunPhase.Preparing());
    phases.put("starting", new RunPhase.Starting());
    phases.put("running", new RunPhase.Running());
    phases.put("hosting", new RunPhase.Hosting());
    phases.put("ended", new RunPhase.Ended(RAN));
    phases.put("cleaned", new RunPhase.Cleaned(RAN, null));
    return phases;
  }

  private static Map<String, RunInput> inputs() {
    Map<String, RunInput> inputs = new LinkedHashMap<>();
    inputs.put("launched again", new RunInput.LaunchedAgain());
    inputs.put("restored", new RunInput.Restored());
    inputs.put("prolog ok", new RunInput.PrologEnded(null));
    inputs.put("prolog failed", new RunInput.PrologEnded("exit status 1"));
    inputs.put("step started", new RunInput.StepStarted());
    inputs.put("step ended", new RunInput.StepEnded(RAN));
    inputs.put("steps gone", new RunInput.StepsGone());
    inputs.put("epilog ok", new RunInput.EpilogEnded(null));
    inputs.put("epilog failed", new RunInput.EpilogEnded("exit status 2"));
    inputs.put("terminate", new RunInput.Terminate(TerminationReason.CANCELLED, KILL_WAIT));
    inputs.put("unwanted", new RunInput.Unwanted(KILL_WAIT));
    inputs.put("forget", new RunInput.Forget());
    inputs.put("tick", new RunInput.Tick());
    return inputs;
  }

  /** What the table says: the phase afterwards and the actions, in words. */
  private static final String MATRIX =
      """
      preparing | launched again | preparing |
      preparing | restored       | preparing | prolog
      preparing | prolog ok      | starting  | start
      preparing | prolog failed  | ended     | refuse; told prologfailed dirty; epilog
      preparing | step started   | preparing |
      preparing | step ended     | preparing |
      preparing | steps gone     | preparing |
      preparing | epilog ok      | preparing |
      preparing | epilog failed  | preparing |
      preparing | terminate      | preparing !|
      preparing | unwanted       | preparing !released |
      preparing | forget         | preparing |
      preparing | tick           | preparing |
      starting  | launched again | starting  |
      starting  | restored       | starting  | start
      starting  | prolog ok      | starting  |
      starting  | prolog failed  | starting  |
      starting  | step started   | running   | told launched
      starting  | step ended     | ended     | told ran dirty; epilog
      starting  | steps gone     | starting  |
      starting  | epilog ok      | starting  |
      starting  | epilog failed  | starting  |
      starting  | terminate      | starting !|
      starting  | unwanted       | starting !released |
      starting  | forget         | starting  |
      starting  | tick           | starting  |
      running   | launched again | running   | told launched
      running   | restored       | running   | adopt
      running   | prolog ok      | running   |
      running   | prolog failed  | running   |
      running   | step started   | running   | told launched; go on
      running   | step ended     | ended     | told ran dirty; epilog
      running   | steps gone     | running   |
      running   | epilog ok      | running   |
      running   | epilog failed  | running   |
      running   | terminate      | running ! | announce; term
      running   | unwanted       | running !released | announce; term
      running   | forget         | running   |
      running   | tick           | running   |
      hosting   | launched again | hosting   |
      hosting   | restored       | hosting   |
      hosting   | prolog ok      | hosting   |
      hosting   | prolog failed  | hosting   |
      hosting   | step started   | hosting   |
      hosting   | step ended     | hosting   |
      hosting   | steps gone     | hosting   |
      hosting   | epilog ok      | hosting   |
      hosting   | epilog failed  | hosting   |
      hosting   | terminate      | hosting ! | term
      hosting   | unwanted       | hosting !released | term
      hosting   | forget         | hosting   |
      hosting   | tick           | hosting   |
      ended     | launched again | ended     | told ran dirty
      ended     | restored       | ended     | epilog
      ended     | prolog ok      | ended     |
      ended     | prolog failed  | ended     |
      ended     | step started   | ended     |
      ended     | step ended     | ended     |
      ended     | steps gone     | ended     |
      ended     | epilog ok      | cleaned   | told clean
      ended     | epilog failed  | cleaned   | told clean but exit status 2
      ended     | terminate      | ended     | told ran dirty
      ended     | unwanted       | ended released |
      ended     | forget         | ended released |
      ended     | tick           | ended     |
      cleaned   | launched again | cleaned   | told ran clean
      cleaned   | restored       | cleaned   |
      cleaned   | prolog ok      | cleaned   |
      cleaned   | prolog failed  | cleaned   |
      cleaned   | step started   | cleaned   |
      cleaned   | step ended     | cleaned   |
      cleaned   | steps gone     | cleaned   |
      cleaned   | epilog ok      | cleaned   |
      cleaned   | epilog failed  | cleaned   |
      cleaned   | terminate      | cleaned   | told ran clean
      cleaned   | unwanted       | gone      |
      cleaned   | forget         | gone      |
      cleaned   | tick           | cleaned   |
      """;

  @Test
  void wholeMatrix() {
    List<String> expected = MATRIX.lines().map(RunRulesTest::compact).toList();
    List<String> found = new ArrayList<>();
    for (Map.Entry<String, RunPhase> phase : PHASES.entrySet()) {
      for (Map.Entry<String, RunInput> input : INPUTS.entrySet()) {
        RunState state = new RunState(ID, phase.getValue(), null, false);
        RunDecision step = RunRules.on(state, input.getValue(), NOW, SCRIPTS);
        found.add(
            compact(
                phase.getKey()
                    + "|"
                    + input.getKey()
                    + "|"
                    + name(step.next())
                    + "|"
                    + words(step.actions())));
      }
    }
    assertEquals(String.join("\n", expected), String.join("\n", found));
  }

  private static String compact(String line) {
    return line.replaceAll("\\s*\\|\\s*", "|").replaceAll("\\s+!", "!").strip();
  }

  private static String name(RunState state) {
    if (state == null) {
      return "gone";
    }
    return state.phase().getClass().getSimpleName().toLowerCase(Locale.ROOT)
        + (state.termination() == null ? "" : "!")
        + (state.released() ? (state.termination() == null ? " released" : "released") : "");
  }

  private static String words(List<RunAction> actions) {
    return String.join("; ", actions.stream().map(RunRulesTest::word).toList());
  }

  private static String word(RunAction action) {
    return switch (action) {
      case RunAction.RunProlog _ -> "prolog";
      case RunAction.KillProlog _ -> "kill prolog";
      case RunAction.StartStep _ -> "start";
      case RunAction.AdoptStep _ -> "adopt";
      case RunAction.AdmitSteps _ -> "admit";
      case RunAction.RefuseSteps _ -> "refuse";
      case RunAction.Announce _ -> "announce";
      case RunAction.TerminateStep _ -> "term";
      case RunAction.KillStep _ -> "kill";
      case RunAction.SuspendStep _ -> "stop";
      case RunAction.ResumeStep _ -> "go on";
      case RunAction.RunEpilog _ -> "epilog";
      case RunAction.Report(Command.NodeCommand command) -> told(command);
    };
  }

  private static String told(Command.NodeCommand command) {
    return switch (command) {
      case Command.StepLaunched _ -> "told launched";
      case Command.StepEnded(_, _, StepEnd end, boolean clean) ->
          "told "
              + end.getClass().getSimpleName().toLowerCase(Locale.ROOT)
              + (clean ? " clean" : " dirty");
      case Command.NodeCleaned(_, _, String error) ->
          "told clean" + (error == null ? "" : " but " + error);
      case Command.NodeUnfit(String reason) -> "told unfit " + reason;
      case Command.StepPartEnded _, Command.StepPartsEnded _, Command.RegisterNode _ ->
          throw new AssertionError(command);
    };
  }

  /** One run through its inputs; the actions of each, one line for each input. */
  private static final class Story {
    private final RunPolicy policy;
    private RunState state;
    private Instant now = NOW;
    private String told;

    Story(RunPolicy policy) {
      this.policy = policy;
      take(RunRules.launch(ID, policy));
    }

    void take(RunDecision step) {
      state = step.next();
      told = words(step.actions());
    }

    Story on(RunInput input, String actions) {
      take(RunRules.on(state, input, now, policy));
      assertEquals(actions, told, () -> input + " in " + state);
      return this;
    }

    Story after(int seconds) {
      now = now.plusSeconds(seconds);
      return this;
    }
  }

  private static RunInput terminate(TerminationReason why) {
    return new RunInput.Terminate(why, KILL_WAIT);
  }

  @Test
  void plainRunNeedsTwoMessages() {
    Story story = new Story(PLAIN);
    assertEquals("start", story.told);
    story
        .on(new RunInput.StepStarted(), "told launched")
        .on(new RunInput.StepEnded(RAN), "told ran clean")
        .on(new RunInput.Forget(), "");
    assertNull(story.state);
  }

  /** A run of which only numbered steps are here. */
  private static Story hosting(RunPolicy policy) {
    Story story = new Story(policy);
    story.take(RunRules.host(ID, policy));
    return story;
  }

  @Test
  void aRunWithoutAScriptHostsStepsUntilItsEnd() {
    Story story = hosting(PLAIN);
    assertEquals("admit", story.told);
    story
        .on(new RunInput.StepsGone(), "")
        .on(terminate(TerminationReason.ENDED), "term")
        .on(new RunInput.StepsGone(), "told clean")
        .on(new RunInput.Forget(), "");
    assertNull(story.state);
  }

  @Test
  void stepsThatOutliveTheirTermAreKilled() {
    Story story = hosting(PLAIN).on(terminate(TerminationReason.ENDED), "term");
    story.after(30).on(new RunInput.Tick(), "kill");
  }

  @Test
  void prologAndEpilogAroundSteps() {
    Story story = hosting(SCRIPTS);
    assertEquals("prolog", story.told);
    story
        .on(new RunInput.PrologEnded(null), "admit")
        .on(terminate(TerminationReason.ENDED), "term")
        .on(new RunInput.StepsGone(), "epilog")
        .on(new RunInput.EpilogEnded(null), "told clean");
  }

  @Test
  void stepsThatWaitForAPrologThatFailsAreRefused() {
    hosting(SCRIPTS).on(new RunInput.PrologEnded("exit status 1"), "refuse; epilog");
  }

  @Test
  void stepsThatWaitForAPrologAreEndedWithTheirRun() {
    hosting(SCRIPTS)
        .on(terminate(TerminationReason.CANCELLED), "")
        .on(new RunInput.PrologEnded(null), "term; epilog");
    hosting(SCRIPTS)
        .on(terminate(TerminationReason.CANCELLED), "")
        .on(new RunInput.PrologEnded("was ended"), "term; epilog");
  }

  @Test
  void prologAndEpilogAroundARun() {
    Story story = new Story(SCRIPTS);
    assertEquals("prolog", story.told);
    story
        .on(new RunInput.PrologEnded(null), "start")
        .on(new RunInput.StepStarted(), "told launched")
        .on(new RunInput.StepEnded(RAN), "told ran dirty; epilog")
        .on(new RunInput.EpilogEnded(null), "told clean")
        .on(new RunInput.Forget(), "");
    assertNull(story.state);
  }

  @Test
  void forgottenWhileTheEpilogRunsIsRemovedWithIt() {
    Story story = new Story(SCRIPTS);
    story
        .on(new RunInput.PrologEnded(null), "start")
        .on(new RunInput.StepEnded(RAN), "told ran dirty; epilog")
        .on(new RunInput.Forget(), "")
        .on(new RunInput.EpilogEnded("sick"), "told clean but sick");
    assertNull(story.state);
  }

  @Test
  void terminatedDuringThePrologNeverStarts() {
    Story story = new Story(SCRIPTS);
    story
        .on(terminate(TerminationReason.CANCELLED), "")
        .on(new RunInput.PrologEnded(null), "term; told notstarted dirty; epilog");
    assertEquals(new RunPhase.Ended(STOPPED), story.state.phase());
  }

  @Test
  void prologThatOutlivesKillWaitIsKilledAndIsNotTheNodesFault() {
    Story story = new Story(SCRIPTS);
    story
        .on(terminate(TerminationReason.CANCELLED), "")
        .after(29)
        .on(new RunInput.Tick(), "")
        .after(1)
        .on(new RunInput.Tick(), "kill prolog")
        .on(new RunInput.PrologEnded("was ended"), "term; told notstarted dirty; epilog");
  }

  @Test
  void terminatedWhileStartingIsTerminatedOnceItStands() {
    new Story(PLAIN)
        .on(terminate(TerminationReason.TIME_LIMIT), "")
        .on(new RunInput.StepStarted(), "told launched; announce; term");
  }

  @Test
  void secondTerminationSaysNothingButMayHurry() {
    Story story = new Story(PLAIN);
    story
        .on(new RunInput.StepStarted(), "told launched")
        .on(terminate(TerminationReason.CANCELLED), "announce; term")
        .on(new RunInput.Terminate(TerminationReason.TIME_LIMIT, Duration.ofSeconds(60)), "");
    assertEquals(NOW.plusSeconds(30), story.state.termination().killAt());
    story.on(new RunInput.Terminate(TerminationReason.TIME_LIMIT, Duration.ZERO), "");
    assertEquals(NOW, story.state.termination().killAt());
    assertEquals(TerminationReason.CANCELLED, story.state.termination().why());
    story.on(new RunInput.Tick(), "kill");
  }

  @Test
  void stepThatCannotBeKilledMakesTheNodeUnfitOnce() {
    Story story = new Story(PLAIN);
    story
        .on(new RunInput.StepStarted(), "told launched")
        .on(terminate(TerminationReason.CANCELLED), "announce; term")
        .after(30)
        .on(new RunInput.Tick(), "kill")
        .after(59)
        .on(new RunInput.Tick(), "kill")
        .after(1)
        .on(new RunInput.Tick(), "kill; told unfit Kill task failed")
        .after(1)
        .on(new RunInput.Tick(), "kill")
        .on(new RunInput.StepEnded(RAN), "told ran clean");
  }

  @Test
  void terminationOutlivesTheDaemonWithoutASecondLine() {
    Story story = new Story(PLAIN);
    story
        .on(new RunInput.StepStarted(), "told launched")
        .on(terminate(TerminationReason.CANCELLED), "announce; term")
        .on(new RunInput.Restored(), "adopt")
        .on(new RunInput.StepStarted(), "told launched; term");
  }

  @Test
  void unwantedRunEndsUnheard() {
    Story story = new Story(SCRIPTS);
    story
        .on(new RunInput.PrologEnded(null), "start")
        .on(new RunInput.StepStarted(), "told launched")
        .on(new RunInput.Unwanted(KILL_WAIT), "announce; term")
        .on(new RunInput.StepEnded(RAN), "epilog")
        .on(new RunInput.EpilogEnded(null), "told clean");
    assertNull(story.state);
  }

  @Test
  void nodeWithoutTheStepRunsTheEpilogAlone() {
    RunDecision step = RunRules.terminateUnknown(ID, SCRIPTS);
    assertEquals("epilog", words(step.actions()));
    RunState state = step.next();
    assertNotNull(state);
    assertEquals(List.of(), state.news());
    RunDecision cleaned = RunRules.on(state, new RunInput.EpilogEnded(null), NOW, SCRIPTS);
    assertEquals("told clean", words(cleaned.actions()));
    assertEquals(
        "told clean",
        words(
            RunRules.on(cleaned.next(), terminate(TerminationReason.ENDED), NOW, SCRIPTS)
                .actions()));

    RunDecision plain = RunRules.terminateUnknown(ID, PLAIN);
    assertNull(plain.next());
    assertEquals("told clean", words(plain.actions()));
  }

  @Test
  void restoredWithoutTheScriptsOfBefore() {
    RunState preparing = new RunState(ID, new RunPhase.Preparing(), null, false);
    assertEquals(
        "start", words(RunRules.on(preparing, new RunInput.Restored(), NOW, PLAIN).actions()));
    RunState ended = new RunState(ID, new RunPhase.Ended(RAN), null, false);
    assertEquals(
        "told clean", words(RunRules.on(ended, new RunInput.Restored(), NOW, PLAIN).actions()));
  }

  @Test
  void reportsAndNewsAgree() {
    RunState failed = new RunState(ID, new RunPhase.Cleaned(RAN, "epilog failed"), null, false);
    assertTrue(failed.news().contains(new Command.NodeCleaned(12, 3, "epilog failed")));
    assertEquals(RAN, failed.report().end());
    assertEquals(false, failed.report().clean());
    RunState member = new RunState(ID, new RunPhase.Cleaned(null, null), null, false);
    assertEquals(List.of(new Command.NodeCleaned(12, 3, null)), member.news());
    assertTrue(member.report().clean());
  }

  @Test
  void namesOfRunsAreReadStrictly() {
    assertEquals(ID, RunId.parse("12.3"));
    for (String text : List.of("", "12", "12.", ".3", "012.3", "12.3.4", "a.b", "12.+3")) {
      assertNull(RunId.parse(text), text);
    }
  }

  @Test
  void whatStillMovesIsStoppedAgain() {
    new Story(PLAIN)
        .on(new RunInput.Suspend(), "")
        .on(new RunInput.StepStarted(), "told launched; stop")
        .on(new RunInput.StillMoves(), "stop")
        .on(new RunInput.Resume(), "go on")
        .on(new RunInput.StillMoves(), "");
  }
}
