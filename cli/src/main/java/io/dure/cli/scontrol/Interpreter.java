package io.dure.cli.scontrol;

import io.dure.cli.scontrol.cluster.Administration;
import io.dure.cli.scontrol.cluster.Completing;
import io.dure.cli.scontrol.job.JobActions;
import io.dure.cli.scontrol.job.JobMessages;
import io.dure.cli.scontrol.session.Session;
import io.dure.cli.scontrol.show.Ping;
import io.dure.cli.scontrol.show.Show;
import io.dure.cli.scontrol.update.Update;
import io.dure.protocol.Version;
import io.dure.surface.language.HelpText;
import io.dure.surface.message.CommandException;
import java.util.List;
import java.util.Locale;

/** Finds out what a line of words asks for and does it. */
final class Interpreter {

  private final Session session;
  private boolean ended;

  Interpreter(Session session) {
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
      Verb verb = Verb.WORDS.find(words.getFirst());
      if (verb == null) {
        throw Session.plain("invalid keyword: " + words.getFirst());
      }
      List<String> rest = words.subList(1, words.size());
      check(verb, words.getFirst(), rest.size());
      run(verb, words.getFirst(), rest);
    } catch (CommandException e) {
      session.fail(e);
    }
  }

  private static void check(Verb verb, String word, int arguments) throws CommandException {
    if (arguments > verb.most()) {
      throw Session.plain("too many arguments for keyword:" + word);
    }
    if (arguments < verb.least()) {
      throw Session.plain(
          verb == Verb.UPDATE
              ? "too few arguments for update keyword"
              : "too few arguments for keyword:" + word);
    }
  }

  private void run(Verb verb, String typed, List<String> words) throws CommandException {
    switch (verb) {
      case ALL -> session.display().setAll(true);
      case HIDE -> session.display().setAll(false);
      case DETAILS -> session.display().addDetail();
      case ONELINER -> session.display().setOneLine();
      case QUIET -> session.display().setQuiet();
      case VERBOSE -> session.display().addVerbosity();
      case QUIT -> ended = true;
      case HELP -> session.print(HelpText.of(Scontrol.class, "help.txt"));
      case VERSION -> session.print(Version.LINE + "\n");
      case SHOW -> new Show(session).run(words);
      case PING -> new Ping(session).run();
      case HOLD -> new JobActions(session).hold(words, false);
      case UHOLD -> new JobActions(session).hold(words, true);
      case RELEASE -> new JobActions(session).release(words);
      case REQUEUE -> new JobActions(session).requeue(words, false);
      case REQUEUEHOLD -> new JobActions(session).requeue(words, true);
      case SUSPEND -> new JobActions(session).suspend(words);
      case RESUME -> new JobActions(session).resume(words);
      case NOTIFY -> new JobMessages(session).notify(words);
      case TOP -> new JobMessages(session).top(words);
      case WAIT_JOB -> new JobMessages(session).await(words.getFirst());
      case WRITE -> write(words);
      case UPDATE -> new Update(session).update(words);
      case CREATE -> new Update(session).create(words);
      case DELETE -> new Update(session).delete(words);
      case RECONFIGURE -> new Administration(session).reconfigure();
      case SHUTDOWN -> new Administration(session).shutdown(words);
      case TAKEOVER -> new Administration(session).takeOver(words);
      case ERROR_TEXT -> new Administration(session).errorText(words.getFirst());
      case COMPLETING -> new Completing(session).run();
      case NOT_YET -> throw CommandException.error(typed + " is not supported yet");
    }
  }

  private void write(List<String> words) throws CommandException {
    String what = words.getFirst().toLowerCase(Locale.ROOT);
    if (what.length() < 5 || !"batch_script".startsWith(what)) {
      boolean known = !what.isEmpty() && "configuration".startsWith(what);
      throw known
          ? CommandException.error("write config is not supported yet")
          : Session.plain("invalid entity:" + words.getFirst() + " for keyword:write ");
    }
    if (words.size() < 2) {
      throw Session.plain("too few arguments for keyword:write");
    }
    new JobMessages(session).batchScript(words.subList(1, words.size()));
  }
}
