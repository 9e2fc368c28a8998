package io.dure.cli.forecast;

import io.dure.cli.command.CallOptions;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.request.Question;
import io.dure.model.ErrorCode;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.language.LocalizedPhrases;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.value.JobReference;
import io.dure.surface.value.JobReferenceList;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Shows when waiting jobs are expected to start, or how well such forecasts have held. */
public final class ForecastCommand implements CliCommand {
  @Override
  public int execute(CommandContext context) throws CommandException {
    context.out().print(shown(context, read(context)));
    return 0;
  }

  private static ForecastArguments read(CommandContext context) throws CommandException {
    CallOptions<ForecastOption> parser =
        context.options(ForecastCommand.class, ForecastOption.values());
    String user = null;
    boolean me = false;
    boolean all = false;
    boolean accuracy = false;
    DocumentFormat json = null;
    for (var option = parser.next(); option != null; option = parser.next()) {
      switch (option.key()) {
        case ACCURACY -> accuracy = true;
        case ALL -> all = true;
        case HELP, USAGE, VERSION -> {}
        case JSON -> json = DocumentFormat.json(value(option));
        case ME -> me = true;
        case USER -> user = value(option);
      }
    }
    List<String> jobs = JobReferenceList.split(parser.operands());
    for (String job : jobs) {
      JobReference word = JobReference.parse(job);
      if (word == null || word.step() != null) {
        throw CommandException.error("Invalid job id specified: " + job);
      }
    }
    return new ForecastArguments(jobs, user, me, all, accuracy, json);
  }

  private static String value(ParsedOption<ForecastOption> option) {
    return Objects.requireNonNullElse(option.value(), "");
  }

  private static String shown(CommandContext context, ForecastArguments call)
      throws CommandException {
    LocalizedPhrases phrases = LocalizedPhrases.of(ForecastCommand.class, context.environment());
    ForecastText text = new ForecastText(phrases, context.clock().zone());
    DocumentFormat document = call.json();
    try (ControllerConnection connection = context.controller().open()) {
      Response.ForecastAccuracy accuracy =
          Question.expected(
              Response.ForecastAccuracy.class,
              connection.ask(new Request.ShowForecastAccuracy()),
              CommandException::error);
      if (call.accuracy()) {
        if (document != null) {
          ForecastJson.print(context.document(document), accuracy);
          return "";
        }
        return text.accuracy(accuracy);
      }
      Response.Jobs jobs =
          Question.expected(
              Response.Jobs.class, connection.ask(request(call)), CommandException::error);
      List<JobStartStatus> forecasts = forecasts(context, call, jobs);
      if (document != null) {
        ForecastJson.print(context.document(document), accuracy, forecasts, jobs.now());
        return "";
      }
      return call.jobs().isEmpty()
          ? text.all(accuracy, forecasts, call.all())
          : text.some(accuracy, forecasts);
    } catch (IOException e) {
      throw CommandException.error(String.valueOf(e.getMessage()));
    }
  }

  private static Request request(ForecastArguments call) {
    Set<Integer> ids = new LinkedHashSet<>();
    for (String job : call.jobs()) {
      ids.add(Objects.requireNonNull(JobReference.parse(job)).jobId());
    }
    return new Request.ListJobs(List.copyOf(ids), call.user(), !ids.isEmpty());
  }

  private static List<JobStartStatus> forecasts(
      CommandContext context, ForecastArguments call, Response.Jobs jobs) throws CommandException {
    List<JobStartStatus> found = new ArrayList<>();
    int uid = context.caller().uid();
    if (call.jobs().isEmpty()) {
      for (JobInfo info : jobs.jobs()) {
        boolean meant = !call.me() || info.job().owner().uid() == uid;
        if (info.job().state() instanceof JobState.Pending && !info.hidden() && meant) {
          found.add(JobStartStatus.of(info));
        }
      }
      found.sort(Comparator.comparing(ForecastCommand::start));
      return found;
    }
    for (String job : call.jobs()) {
      JobReference word = Objects.requireNonNull(JobReference.parse(job));
      List<JobInfo> meant = jobs.jobs().stream().filter(one -> isMeant(word, one.job())).toList();
      if (meant.isEmpty()) {
        throw CommandException.error(ErrorCode.INVALID_JOB_ID.text() + ": " + job);
      }
      meant.forEach(one -> found.add(JobStartStatus.of(one)));
    }
    return found;
  }

  private static boolean isMeant(JobReference word, Job job) {
    if (job.id() != word.jobId() && job.baseId() != word.jobId() || !word.names(job.het())) {
      return false;
    }
    return switch (job.array()) {
      case ArrayPart.Task task -> word.names(task.index());
      case ArrayPart.Waiting waiting ->
          word.tasks() == null || waiting.waiting().toList().stream().anyMatch(word::names);
      case null -> word.tasks() == null;
    };
  }

  /** By what those that wait are ordered. */
  private static Instant start(JobStartStatus one) {
    return one instanceof JobStartStatus.Expected expected
        ? expected.forecast().p50()
        : Instant.MAX;
  }
}
