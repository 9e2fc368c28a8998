package io.dure.cli.scontrol.session;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.request.ChangeIdGenerator;
import io.dure.cli.request.ClusterCheck;
import io.dure.cli.request.Question;
import io.dure.cli.request.SiteMessages;
import io.dure.host.log.LogLevel;
import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.protocol.JobCriteria;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.print.TimestampFormat;
import io.dure.surface.scontrol.UpdatePort;
import io.dure.surface.value.WallClock;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One run of the command, from its first word to its last: how records are printed, the way to the
 * controller, the exit code. For one thread.
 */
public final class ScontrolSession implements UpdatePort {

  private final CommandContext context;
  private final ChangeIdGenerator names;
  private final DisplayOptions display = new DisplayOptions();
  private @Nullable String clusters;
  private @Nullable StringBuilder kept;
  private @Nullable String runAs;
  private @Nullable ControllerConnection connection;
  private int exitCode;

  /** A run that has done nothing yet. */
  public ScontrolSession(CommandContext context) {
    this.context = context;
    this.names = new ChangeIdGenerator(context.caller());
  }

  /** The world around it. */
  public CommandContext context() {
    return context;
  }

  /** Where a document goes, null where records are text. */
  public @Nullable JsonTarget document() {
    DocumentFormat format = display.document();
    return format == null || kept != null ? null : context.document(format);
  }

  /** How records are printed. */
  public DisplayOptions display() {
    return display;
  }

  /** Moments as seen at that time. */
  public TimestampFormat times(Instant now) {
    return TimestampFormat.of(context.environment(), now, context.clock().zone());
  }

  /** Only this cluster is meant, null for the one of the configuration. */
  public void onCluster(@Nullable String name) {
    close();
    clusters = name;
  }

  /** Changes are asked for in this user's name, as root and SlurmUser may. */
  public void actAs(String user) {
    runAs = user;
  }

  @Override
  public WallClock clock() {
    return context.clock();
  }

  @Override
  public void report(StderrMessage message) {
    context.report(message);
  }

  @Override
  public void print(String text) {
    if (kept == null) {
      context.out().print(text);
    } else {
      kept.append(text);
    }
  }

  /** What is printed from now on is kept; records are text, not documents. */
  public void startDocument() {
    kept = new StringBuilder();
  }

  /** What was printed since then. */
  public String endDocument() {
    String text = String.valueOf(kept);
    kept = null;
    return text;
  }

  /** The exit code so far. */
  public int exitCode() {
    return exitCode;
  }

  /** Says so, unless asked to be quiet, and remembers it. */
  @Override
  public void fail(CommandException failure) {
    if (!display.isQuiet()) {
      for (StderrMessage message : failure.messages()) {
        context.report(message);
      }
    }
    exitCode = failure.exitCode();
  }

  /**
   * Asks a question.
   *
   * @param prefix what stands before the text of a failure, such as {@code slurm_load_jobs error}
   * @throws CommandException if there is no answer, or the answer is no
   */
  public Response ask(String prefix, Request request) throws CommandException {
    return ask(request, trouble -> prefix + ": " + trouble, code -> prefix + ": " + code.text());
  }

  private Response ask(
      Request request,
      Function<@Nullable String, String> broken,
      Function<ErrorCode, String> refusal)
      throws CommandException {
    Response response;
    try {
      response = exchange(request);
    } catch (IOException e) {
      throw CommandException.plain(broken.apply(e.getMessage()));
    }
    Reply.Refused refused = ResponseCheck.refusal(response);
    if (refused != null) {
      throw ResponseCheck.failure(refused, refusal.apply(refused.code()));
    }
    return response;
  }

  /**
   * The answer to a question, whatever it is.
   *
   * @throws IOException if there is none; its message is the text for the user
   * @throws CommandException if another cluster is meant
   */
  public Response exchange(Request request) throws IOException, CommandException {
    try {
      return SiteMessages.told(context, connection().ask(request));
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** The same; an answer of another kind is a failure, too. */
  public <R extends Response> R ask(String prefix, Request request, Class<R> type)
      throws CommandException {
    return Question.expected(
        type, ask(prefix, request), text -> CommandException.plain(prefix + ": " + text));
  }

  @Override
  public Response.Cluster cluster(String prefix, String shown) throws CommandException {
    return cluster(prefix, new Request.ShowCluster(), shown);
  }

  /** The same with more of it, or less. */
  public Response.Cluster cluster(String prefix, Request.ShowCluster asked, String shown)
      throws CommandException {
    Response.Cluster cluster = ask(prefix, asked, Response.Cluster.class);
    if (cluster.denied().contains(shown)) {
      throw CommandException.plain(prefix + ": " + ErrorCode.ACCESS_DENIED.text());
    }
    return cluster;
  }

  @Override
  public List<Job> jobsNamed(String name) throws CommandException {
    return jobsNamed(List.of(name));
  }

  /** The jobs that have one of the names. */
  public List<Job> jobsNamed(List<String> names) throws CommandException {
    Request.ListJobs question =
        new Request.ListJobs(List.of(), null, true, 0, JobCriteria.ALL.withNames(names));
    Response.Jobs answer = ask("slurm_load_jobs error", question, Response.Jobs.class);
    return answer.jobs().stream()
        .map(JobInfo::job)
        .filter(job -> names.contains(job.spec().name()))
        .toList();
  }

  @Override
  public boolean knowsUser(String name) {
    return context.caller().knowsUser(name);
  }

  @Override
  public void update(Command.UserCommand command) throws CommandException {
    ask("slurm_update error", names.named(command, runAs));
  }

  @Override
  public void setLogLevel(String level) throws CommandException {
    if (LogLevel.parse(level) == null) {
      throw CommandException.plain("invalid debug level: " + level);
    }
    ask("slurm_update error", new Request.SetLogLevel(level));
  }

  @Override
  public Response request(String prefix, Command.UserCommand command) throws CommandException {
    return ask(prefix, names.named(command, null));
  }

  @Override
  public void updateJob(Command.UserCommand command, String job) throws CommandException {
    updateJob(command, job, code -> code.text() + " for job " + job);
  }

  /**
   * The same with other words for what is refused.
   *
   * @param words what is said of a refusal
   */
  public void updateJob(Command.UserCommand command, String job, Function<ErrorCode, String> words)
      throws CommandException {
    Response _ = ask(names.named(command, runAs), trouble -> trouble + " for job " + job, words);
  }

  @Override
  public void resizeJob(Command.UpdateJob command, String job) throws CommandException {
    updateJob(command, job, code -> ResizeScripts.words(code, job));
    ResizeScripts scripts = new ResizeScripts(context);
    if (scripts.areNeeded()) {
      Request.ListJobs question = new Request.ListJobs(List.of(command.job().jobId()), null, true);
      Response.Jobs answer = ask(ResizeScripts.LOOKUP, question, Response.Jobs.class);
      scripts.write(command.job(), answer.jobs());
    }
  }

  private ControllerConnection connection() throws IOException, CommandException {
    if (connection == null) {
      ControllerConnection opened = context.controller().open();
      if (clusters != null) {
        ClusterCheck.check(clusters, opened);
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
      open.closeQuietly();
    }
  }
}
