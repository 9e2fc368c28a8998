package io.dure.cli.scontrol;

import io.dure.cli.command.CommandException;
import io.dure.cli.command.HelpText;
import io.dure.cli.command.Version;
import io.dure.cli.scontrol.job.JobActions;
import io.dure.cli.scontrol.session.Session;
import io.dure.cli.scontrol.show.Ping;
import io.dure.cli.scontrol.show.Show;
import java.util.List;

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
      run(verb, rest);
    } catch (CommandException e) {
      session.fail(e);
    }
  }

  private static void check(Verb verb, String word, int arguments) throws CommandException {
    if (arguments > verb.most()) {
      throw Session.plain("too many arguments for keyword:" + word);
    }
    if (arguments < verb.least()) {
      throw Session.plain("too few arguments for keyword:" + word);
    }
  }

  private void run(Verb verb, List<String> words) throws CommandException {
    switch (verb) {
      case ALL -> session.display().setAll(true);
      case HIDE -> session.display().setAll(false);
      case DETAILS -> session.display().addDetail();
      case ONELINER -> session.display().setOneLine();
      case QUIET -> session.display().setQuiet();
      case VERBOSE -> session.display().addVerbosity();
      case QUIT -> ended = true;
      case HELP -> session.print(HelpText.of(Scontrol.class, "help.txt"));
      case VERSION -> session.print(Version.TEXT + "\n");
      case SHOW -> new Show(session).run(words);
      case PING -> new Ping(session).run();
      case HOLD -> new JobActions(session).hold(words, false);
      case UHOLD -> new JobActions(session).hold(words, true);
      case RELEASE -> new JobActions(session).release(words);
      case REQUEUE -> new JobActions(session).requeue(words, false);
      case REQUEUEHOLD -> new JobActions(session).requeue(words, true);
      case NOT_BUILT -> throw CommandException.error("this command is not supported yet");
    }
  }
}
