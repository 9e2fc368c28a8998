package io.dure.cli.scontrol.session;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.request.Answers;
import io.dure.cli.request.ChangeNames;
import io.dure.cli.request.ClusterChoice;
import io.dure.core.controller.Command;
import io.dure.core.controller.Reply;
import io.dure.core.model.ErrorCode;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.Message;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One run of the command, from its first word to its last: how records are printed, the way to the
 * controller, the exit code. For one thread.
 */
public final class Session {

  /** What is said of an answer that does not belong to the question. */
  private static final String UNEXPECTED = "Unexpected message received";

  private final CommandContext context;
  private final ChangeNames names;
  private final Display display = new Display();
  private @Nullable String clusters;
  private @Nullable String runAs;
  private @Nullable ControllerConnection connection;
  private int exitCode;

  /** A run that has done nothing yet. */
  public Session(CommandContext context) {
    this.context = context;
    this.names = new ChangeNames(context.caller());
  }

  /** The world around it. */
  public CommandContext context() {
    return context;
  }

  /** How records are printed. */
  public Display display() {
    return display;
  }

  /** Only this cluster is meant. */
  public void onCluster(String name) {
    clusters = name;
  }

  /** Changes are asked for in this user's name, as root and SlurmUser may. */
  public void actAs(String user) {
    runAs = user;
  }

  /** Writes to standard output. */
  public void print(String text) {
    context.out().print(text);
  }

  /** The exit code so far. */
  public int exitCode() {
    return exitCode;
  }

  /** Something went wrong: says so, unless asked to be quiet, and remembers it. */
  public void fail(CommandException failure) {
    if (!display.isQuiet()) {
      for (Message message : failure.messages()) {
        context.report(message);
      }
    }
    exitCode = failure.exitCode();
  }

  /** A failure that prints one line without the program's name. */
  public static CommandException plain(String text) {
    return new CommandException(1, List.of(Message.plain(text)));
  }

  /**
   * Asks a question.
   *
   * @param prefix what stands before the text of a failure, such as {@code slurm_load_jobs error}
   * @throws CommandException if there is no answer, or the answer is no
   */
  public Response ask(String prefix, Request request) throws CommandException {
    Response response;
    try {
      response = connection().ask(request);
    } catch (IOException e) {
      throw broken(prefix + ": ", e);
    }
    Reply.Refused refused = Answers.refusal(response);
    if (refused != null) {
      throw refused(refused, prefix + ": " + refused.code().text());
    }
    return response;
  }

  /** The failure that stands for an answer of the wrong kind. */
  public static CommandException unexpected(String prefix) {
    return plain(prefix + ": " + UNEXPECTED);
  }

  /**
   * Nodes and partitions.
   *
   * @param prefix what stands before the text of a failure
   * @param shown of {@link Response.Cluster#NODES} and {@link Response.Cluster#PARTITIONS} that
   *     which is to be shown
   * @throws CommandException if the caller may not see that
   */
  public Response.Cluster cluster(String prefix, String shown) throws CommandException {
    if (!(ask(prefix, new Request.ShowCluster()) instanceof Response.Cluster cluster)) {
      throw unexpected(prefix);
    }
    if (cluster.denied().contains(shown)) {
      throw plain(prefix + ": " + ErrorCode.ACCESS_DENIED.text());
    }
    return cluster;
  }

  /** Changes something; failures start with {@code slurm_update error}. */
  public void update(Command.FromUser command) throws CommandException {
    ask("slurm_update error", names.named(command, runAs));
  }

  /**
   * Changes something in the caller's own name.
   *
   * @param prefix what stands before the text of a failure
   */
  public void change(String prefix, Command.FromUser command) throws CommandException {
    ask(prefix, names.named(command, null));
  }

  /** The same, for those who want to know what came of it. */
  public Response request(String prefix, Command.FromUser command) throws CommandException {
    return ask(prefix, names.named(command, null));
  }

  /** Changes a job; failures end with the job's name as typed. */
  public void updateJob(Command.FromUser command, String job) throws CommandException {
    updateJob(command, job, code -> code.text() + " for job " + job);
  }

  /**
   * The same with other words for what is refused.
   *
   * @param words what is said of a refusal
   */
  public void updateJob(Command.FromUser command, String job, Function<ErrorCode, String> words)
      throws CommandException {
    Response response;
    try {
      response = connection().ask(names.named(command, runAs));
    } catch (IOException e) {
      close();
      throw plain(e.getMessage() + " for job " + job);
    }
    Reply.Refused refused = Answers.refusal(response);
    if (refused != null) {
      throw refused(refused, words.apply(refused.code()));
    }
  }

  /** The same as {@link #ask}, however long the answer takes. */
  public Response await(String prefix, Request request) throws CommandException {
    try {
      return connection().await(request);
    } catch (IOException e) {
      throw broken(prefix + ": ", e);
    }
  }

  private static CommandException refused(Reply.Refused refused, String text) {
    CommandException failure = plain(text);
    for (Message detail : Answers.details(refused)) {
      failure = failure.and(detail);
    }
    return failure;
  }

  private CommandException broken(String prefix, IOException cause) {
    close();
    return plain(prefix + cause.getMessage());
  }

  private ControllerConnection connection() throws IOException, CommandException {
    if (connection == null) {
      ControllerConnection opened = context.controller().open();
      if (clusters != null) {
        ClusterChoice.check(clusters, opened);
      }
      connection = opened;
    }
    return connection;
  }

  /** Ends the connection, if there is one. */
  public void close() {
    ControllerConnection open = connection;
    connection = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // Everything that mattered was answered.
      }
    }
  }
}
