package io.dure.rest.slurm;

import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.rest.RestCall;
import io.dure.rest.RestFailure;
import io.dure.surface.json.DocumentProblem;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.scontrol.ScontrolUpdate;
import io.dure.surface.scontrol.UpdatePort;
import io.dure.surface.value.WallClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Changes that {@code scontrol} makes, asked for by HTTP. For one call. */
final class RestUpdatePort implements UpdatePort {
  private final RestCall call;
  private final String source;
  private final List<DocumentProblem> warnings;
  private final List<Response> answers = new ArrayList<>();
  private @Nullable CommandException failure;
  private @Nullable ErrorCode refused;
  private Response.@Nullable Failed failed;

  /**
   * A port.
   *
   * @param source that errors name
   * @param warnings get what the user should know
   */
  RestUpdatePort(RestCall call, String source, List<DocumentProblem> warnings) {
    this.call = call;
    this.source = source;
    this.warnings = warnings;
  }

  /** One of the words of {@code scontrol} with what stands behind it. */
  interface Words {
    /** Does what the words say. */
    void act(ScontrolUpdate update) throws CommandException;
  }

  /**
   * Makes a change.
   *
   * @return the answers of the controller to what changes something
   * @throws RestFailure with what {@code scontrol} would have said
   */
  List<Response> make(Words words) throws RestFailure, InterruptedException, IOException {
    try {
      words.act(new ScontrolUpdate(this));
    } catch (CommandException e) {
      failure = failure == null ? e : failure;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (failed != null) {
      throw RestCall.failure(failed, source);
    }
    if (failure == null) {
      return answers;
    }
    String text =
        failure.messages().stream()
            .map(StderrMessage::text)
            .filter(line -> !line.isBlank())
            .collect(Collectors.joining(" "));
    ErrorCode code = refused == null ? ErrorCode.DATA_CONV_FAILED : refused;
    throw RestCall.failure(code, text.isEmpty() ? code.text() : text, source);
  }

  @Override
  public WallClock clock() {
    return call.clock();
  }

  @Override
  public void print(String text) {
    // The answer says it.
  }

  @Override
  public void report(StderrMessage message) {
    warnings.add(new DocumentProblem(message.text(), null, source));
  }

  @Override
  public void fail(CommandException one) {
    if (failure == null) {
      failure = one;
    }
  }

  @Override
  public Response.Cluster cluster(String prefix, String shown) throws CommandException {
    if (ask(new Request.ShowCluster()) instanceof Response.Cluster cluster
        && !cluster.denied().contains(shown)) {
      return cluster;
    }
    refused = ErrorCode.ACCESS_DENIED;
    throw CommandException.plain(ErrorCode.ACCESS_DENIED.text());
  }

  @Override
  public List<Job> jobsNamed(String name) throws CommandException {
    throw CommandException.plain("a job is named by its number");
  }

  @Override
  public boolean knowsUser(String name) {
    return false;
  }

  @Override
  public void update(Command.UserCommand command) throws CommandException {
    change(command);
  }

  @Override
  public void setLogLevel(String level) throws CommandException {
    throw CommandException.plain("the level of the log is set with scontrol");
  }

  @Override
  public Response request(String prefix, Command.UserCommand command) throws CommandException {
    return change(command);
  }

  @Override
  public void updateJob(Command.UserCommand command, String job) throws CommandException {
    change(command);
  }

  @Override
  public void resizeJob(Command.UpdateJob command, String job) throws CommandException {
    change(command);
  }

  private Response change(Command.UserCommand command) throws CommandException {
    Response told = ask(new Request.Change(command, null));
    if (told instanceof Response.Advised(Response answer, List<String> messages)) {
      for (String message : messages) {
        warnings.add(new DocumentProblem(message, null, source));
      }
      told = answer;
    }
    Reply.Refused no = ResponseCheck.refusal(told);
    if (no != null) {
      refused = no.code();
      throw CommandException.plain(no.detail().isEmpty() ? no.code().text() : no.detail());
    }
    answers.add(told);
    return told;
  }

  private Response ask(Request request) {
    try {
      Response told = call.session().ask(request);
      if (told instanceof Response.Failed no) {
        failed = no;
      }
      return told;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException("the daemon is stopping", e));
    }
  }
}
