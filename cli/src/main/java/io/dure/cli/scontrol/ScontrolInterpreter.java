package io.dure.cli.scontrol;

import io.dure.cli.scontrol.cluster.CompletingJobs;
import io.dure.cli.scontrol.cluster.ConfigFile;
import io.dure.cli.scontrol.cluster.ConnectionOwner;
import io.dure.cli.scontrol.cluster.ControllerVerbs;
import io.dure.cli.scontrol.cluster.NodeVerbs;
import io.dure.cli.scontrol.cluster.TokenVerb;
import io.dure.cli.scontrol.job.JobListVerbs;
import io.dure.cli.scontrol.job.SingleJobVerbs;
import io.dure.cli.scontrol.job.StepProcessVerbs;
import io.dure.cli.scontrol.session.ScontrolSession;
import io.dure.cli.scontrol.show.ScontrolPing;
import io.dure.cli.scontrol.show.ScontrolShow;
import io.dure.protocol.DureVersion;
import io.dure.surface.language.HelpText;
import io.dure.surface.message.CommandException;
import io.dure.surface.scontrol.ScontrolUpdate;
import io.dure.surface.scontrol.ScontrolVerb;
import java.util.List;
import java.util.Locale;

/** Carries out one line of words. */
final class ScontrolInterpreter {

  private final ScontrolSession session;
  private boolean ended;

  ScontrolInterpreter(ScontrolSession session) {
    this.session = session;
  }

  /** Whether a word has asked for the end. */
  boolean hasEnded() {
    return ended;
  }

  /** Does what the words say; what goes wrong is told to the session. */
  void run(List<String> words) {
    if (words.isEmpty()) {
      return;
    }
    try {
      run(ScontrolVerb.of(words), words.getFirst(), words.subList(1, words.size()));
    } catch (CommandException e) {
      session.fail(e);
    }
  }

  private void run(ScontrolVerb verb, String typed, List<String> words) throws CommandException {
    switch (verb) {
      case ALL -> session.display().setAll(true);
      case HIDE -> session.display().setAll(false);
      case DETAILS -> session.display().addDetail();
      case ONELINER -> session.display().setOneLine();
      case QUIET -> session.display().setQuiet();
      case VERBOSE -> session.display().addVerbosity();
      case QUIT -> ended = true;
      case HELP -> session.print(HelpText.of(ScontrolInterpreter.class, "help.txt"));
      case VERSION -> session.print(DureVersion.LINE + "\n");
      case SHOW -> new ScontrolShow(session).run(words);
      case PING -> new ScontrolPing(session).run();
      case HOLD -> new JobListVerbs(session).hold(words, false);
      case UHOLD -> new JobListVerbs(session).hold(words, true);
      case RELEASE -> new JobListVerbs(session).release(words);
      case REQUEUE -> new JobListVerbs(session).requeue(words, false);
      case REQUEUEHOLD -> new JobListVerbs(session).requeue(words, true);
      case SUSPEND -> new JobListVerbs(session).suspend(words);
      case RESUME -> new JobListVerbs(session).resume(words);
      case NOTIFY -> new SingleJobVerbs(session).notify(words);
      case TOKEN -> new TokenVerb(session).run(words);
      case TOP -> new SingleJobVerbs(session).top(words);
      case WAIT_JOB -> new SingleJobVerbs(session).await(words.getFirst());
      case WRITE -> write(words);
      case UPDATE -> new ScontrolUpdate(session).update(words);
      case POWER -> new ScontrolUpdate(session).power(words);
      case CREATE -> new ScontrolUpdate(session).create(words);
      case DELETE -> new ScontrolUpdate(session).delete(words);
      case RECONFIGURE -> new ControllerVerbs(session).reconfigure();
      case SHUTDOWN -> new ControllerVerbs(session).shutdown(words);
      case ABORT -> new ControllerVerbs(session).abort();
      case TAKEOVER -> new ControllerVerbs(session).takeOver(words);
      case ERROR_TEXT -> new ControllerVerbs(session).errorText(typed, words.getFirst());
      case COMPLETING -> new CompletingJobs(session).run();
      case SET_DEBUG -> new ControllerVerbs(session).setDebug(words);
      case SET_DEBUG_FLAGS -> new ControllerVerbs(session).setDebugFlags(words);
      case CANCEL_REBOOT -> new ScontrolUpdate(session).update(nodeState(words, "CANCEL_REBOOT"));
      case REBOOT -> new ScontrolUpdate(session).reboot(words);
      case CLUSTER -> session.onCluster(words.isEmpty() ? null : words.getFirst());
      case ADDRESSES -> new NodeVerbs(session).addresses(words.getFirst());
      case HOST -> new NodeVerbs(session).host(words.getFirst());
      case HASH -> new ConfigFile(session).hash(words.getFirst());
      case LIST_JOBS -> new NodeVerbs(session).jobs(words.isEmpty() ? null : words.getFirst());
      case LIST_PIDS -> new StepProcessVerbs(session).list(words);
      case PID_INFO -> new StepProcessVerbs(session).info(words.getFirst());
      case LIST_STEPS -> new NodeVerbs(session).steps(words.isEmpty() ? null : words.getFirst());
      case SCHED_LOG_LEVEL -> new ControllerVerbs(session).setSchedLogLevel(words.getFirst());
      case DAMPENING -> new ControllerVerbs(session).setDampening(words.getFirst());
      case CALLER_ID -> ConnectionOwner.find(words);
      case ENTRIES ->
          new StepProcessVerbs(session).entries(words.isEmpty() ? null : words.getFirst());
      case NOT_YET -> throw CommandException.error(typed + " is not supported yet");
    }
  }

  private static List<String> nodeState(List<String> words, String state) {
    return List.of("NodeName=" + words.getFirst(), "State=" + state);
  }

  private void write(List<String> words) throws CommandException {
    String what = words.getFirst().toLowerCase(Locale.ROOT);
    if (!what.isEmpty() && "configuration".startsWith(what)) {
      if (words.size() > 2) {
        throw CommandException.plain("too many arguments for keyword:write");
      }
      new ConfigFile(session).write(words.size() > 1 ? words.get(1) : null);
      return;
    }
    if (what.length() < 5 || !"batch_script".startsWith(what)) {
      throw CommandException.plain("invalid write argument:" + words.getFirst());
    }
    if (words.size() < 2) {
      throw CommandException.plain("too few arguments for keyword:write");
    }
    new SingleJobVerbs(session).batchScript(words.subList(1, words.size()));
  }
}
