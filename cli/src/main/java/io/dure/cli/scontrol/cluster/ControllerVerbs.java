package io.dure.cli.scontrol.cluster;

import io.dure.cli.scontrol.session.ScontrolSession;
import io.dure.host.log.LogLevel;
import io.dure.model.ErrorCode;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ErrorTexts;
import io.dure.surface.message.StderrMessage;
import java.util.List;
import java.util.Locale;

/** Verbs that steer the controller. */
public final class ControllerVerbs {

  private final ScontrolSession session;

  /** Acts in the session. */
  public ControllerVerbs(ScontrolSession session) {
    this.session = session;
  }

  /** Has the configuration read again. */
  public void reconfigure() throws CommandException {
    Response answer = session.ask("slurm_reconfigure error", new Request.Reconfigure());
    if (answer instanceof Response.Text(List<String> remarks)) {
      remarks.forEach(line -> session.report(StderrMessage.plain(line)));
    }
  }

  /** Stops the daemons, or the controller alone: {@code shutdown slurmctld}. */
  public void shutdown(List<String> words) throws CommandException {
    boolean controllerOnly = false;
    if (!words.isEmpty()) {
      String word = words.getFirst().toLowerCase(Locale.ROOT);
      boolean known =
          !word.isEmpty() && ("slurmctld".startsWith(word) || "controller".startsWith(word));
      if (!known) {
        throw CommandException.plain(
            "invalid shutdown argument:" + words.getFirst() + " (expected slurmctld)");
      }
      controllerOnly = true;
    }
    session.ask("slurm_shutdown error", new Request.Shutdown(controllerOnly));
  }

  /** Stops the controllers at once; each leaves a core file. */
  public void abort() throws CommandException {
    session.ask("slurm_shutdown error", new Request.Shutdown(true, true));
  }

  /**
   * Lets another controller lead.
   *
   * @param words its number among the configuration's, or none
   */
  public void takeOver(List<String> words) throws CommandException {
    int index = -1;
    if (!words.isEmpty()) {
      try {
        index = Integer.parseUnsignedInt(words.getFirst());
      } catch (NumberFormatException e) {
        throw CommandException.plain(
            "takeover: invalid backup controller index (" + words.getFirst() + ")");
      }
    }
    session.ask("slurm_takeover error", new Request.TakeOver(index));
  }

  /**
   * Has the controller's log tell more or less.
   *
   * @param words the level, and nothing more: a node daemon has its level from the configuration
   */
  public void setDebug(List<String> words) throws CommandException {
    if (words.size() > 1) {
      throw CommandException.error(
          "setdebug of node daemons: set SlurmdDebug in slurm.conf and reconfigure");
    }
    if (LogLevel.parse(words.getFirst()) == null) {
      throw CommandException.plain("invalid debug level: " + words.getFirst());
    }
    session.ask("slurm_set_debug_level error", new Request.SetLogLevel(words.getFirst()));
  }

  /**
   * Has {@code SlurmSchedLogFile} written, or not, until the configuration is read again.
   *
   * @param level as Slurm takes it; -1 changes nothing
   */
  public void setSchedLogLevel(String level) throws CommandException {
    Integer number = level.isEmpty() ? null : ErrorTexts.number(level);
    int asked =
        number != null
            ? number
            : switch (level.toLowerCase(Locale.ROOT)) {
              case "enable" -> 1;
              case "disable" -> 0;
              default -> 2;
            };
    if (asked < -1 || asked > 1) {
      throw CommandException.plain("invalid schedlog level: " + level);
    }
    if (asked >= 0) {
      session.ask("slurm_set_schedlog_level error", new Request.SetSchedulerLog(asked == 1));
    }
  }

  /**
   * The factor by which usage counts less is the configuration's here. What is no factor is told
   * and, as in Slurm, no failure.
   */
  public void setDampening(String factor) throws CommandException {
    Integer number = ErrorTexts.number(factor);
    if (number == null || (number & 0xffff) == 0) {
      if (!session.display().isQuiet()) {
        session.report(StderrMessage.plain("invalid dampening factor: " + factor));
      }
      return;
    }
    throw CommandException.plain(
        "slurm_set_fs_dampeningfactor error: " + ErrorCode.DISABLED.text());
  }

  /**
   * Has the controller's log tell more or less of parts of it.
   *
   * @param words flags with + or - before them; node daemons have theirs from the configuration
   */
  public void setDebugFlags(List<String> words) throws CommandException {
    for (String word : words) {
      if (word.toLowerCase(Locale.ROOT).startsWith("nodes=")) {
        throw CommandException.error(
            "setdebugflags of node daemons: set DebugFlags in slurm.conf and reconfigure");
      }
      if (!word.startsWith("+") && !word.startsWith("-")) {
        throw CommandException.plain("invalid debug flag: " + word);
      }
    }
    session.ask("slurm_set_debug_flags error", new Request.SetDebugFlags(words));
  }

  /**
   * The text of an error's number.
   *
   * @param typed the verb as it was typed
   */
  public void errorText(String typed, String word) throws CommandException {
    Integer number = ErrorTexts.number(word);
    if (number == null) {
      throw CommandException.plain("numeric arguments required for keyword:" + typed);
    }
    session.print(ErrorTexts.of(number) + "\n");
  }
}
