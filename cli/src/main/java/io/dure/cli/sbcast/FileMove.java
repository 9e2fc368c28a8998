package io.dure.cli.sbcast;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.command.FileTransfer;
import io.dure.cli.request.Question;
import io.dure.cli.step.NodePlace;
import io.dure.model.ErrorCode;
import io.dure.model.step.StepName;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.step.FileOrder;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.value.NumberParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Moves files between the caller and the nodes of a job. */
public final class FileMove {
  /** A flag: what is there is overwritten. */
  public static final int FORCE = 1;

  static final int TIMES = 2;
  private static final List<String> COMPRESSIONS = List.of("", "lz4", "none");
  private static final List<String> YES = List.of("", "yes", "y", "1");
  private static final String SYSTEM_FOLDERS = "/lib,/usr/lib,/lib64,/usr/lib64";
  private static final int NO_JOB = 255;

  private final CommandContext context;

  /** Moves them for that command. */
  public FileMove(CommandContext context) {
    this.context = context;
  }

  /** Says of a compression that there is none of that name; files are sent as they are. */
  public void checkCompression(String kind) {
    if (!COMPRESSIONS.contains(kind)) {
      context.report(
          StderrMessage.error(
              "Compression type '" + kind + "' unknown, disabling compression support."));
    }
  }

  /**
   * Entries that have the shared objects of a program sent along.
   *
   * @param asked the argument of {@code --send-libs}, empty for none, null without the option
   * @param excluded folders whose objects nodes have, null for the usual ones
   * @return empty where they are not wanted
   */
  public static List<String> libraries(@Nullable String asked, @Nullable String excluded) {
    if (asked == null || !YES.contains(asked.toLowerCase(Locale.ROOT))) {
      return List.of();
    }
    String folders = excluded == null ? SYSTEM_FOLDERS : excluded;
    return List.of("libraries=1", "exclude=" + (folders.equalsIgnoreCase("none") ? "" : folders));
  }

  /** The job that is named, or the one around the command. */
  String job(@Nullable String named) throws CommandException {
    String around = context.environment().get("SLURM_JOB_ID");
    String job = named != null ? named : around;
    if (job == null) {
      throw CommandException.error(
          "Need a job id to run this command.  "
              + "Run from within a Slurm job or use the --jobid option.");
    }
    return job;
  }

  /**
   * Moves them; what goes wrong is told.
   *
   * @param job the job or step on whose nodes
   * @param entries what the client is told, without the nodes
   * @return the exit code
   */
  public int run(String job, List<String> entries) throws CommandException {
    int dot = job.indexOf('.');
    long id = NumberParser.leading(dot < 0 ? job : job.substring(0, dot));
    String step = dot < 0 ? null : job.substring(dot + 1);
    String shown = step == null ? Long.toString(id) : id + "." + step;
    Response.FileGrant grant = grant(shown, id, step);
    List<String> all = new ArrayList<>(entries);
    try {
      for (Response.StepNode node : grant.nodes()) {
        all.add("node=" + node.name() + ":" + NodePlace.of(node, context.caller()));
      }
      byte[] order =
          WireCodecs.fileOrders().encode(new FileOrder(grant.credential(), grant.signature()));
      return context.caller().moveFiles(new FileTransfer(all, order));
    } catch (IOException e) {
      throw CommandException.error(String.valueOf(e.getMessage()));
    }
  }

  private Response.FileGrant grant(String shown, long id, @Nullable String step)
      throws CommandException {
    Integer number = null;
    if (step != null) {
      if (!(StepName.parse(step) instanceof StepName.NumberedStep(int parsed))) {
        throw noJob(shown, ErrorCode.INVALID_JOB_ID.text());
      }
      number = parsed;
    }
    if (id <= 0 || id > Integer.MAX_VALUE) {
      throw noJob(shown, ErrorCode.INVALID_JOB_ID.text());
    }
    try (ControllerConnection connection = context.controller().open()) {
      return Question.expected(
          Response.FileGrant.class,
          connection.ask(new Request.GrantFiles((int) id, number)),
          text -> noJob(shown, text));
    } catch (IOException e) {
      throw noJob(shown, String.valueOf(e.getMessage()));
    }
  }

  private static CommandException noJob(String shown, String why) {
    return CommandException.error("Slurm job " + shown + " lookup error: " + why)
        .withExitCode(NO_JOB);
  }
}
