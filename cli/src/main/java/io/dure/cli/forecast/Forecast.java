package io.dure.cli.forecast;

import io.dure.cli.command.Command;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.request.Answers;
import io.dure.core.controller.Reply;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.ErrorCode;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.Version;
import io.dure.surface.json.JsonVersion;
import io.dure.surface.language.HelpText;
import io.dure.surface.language.Phrases;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.Occurrence;
import io.dure.surface.option.OptionParser;
import io.dure.surface.value.JobWord;
import io.dure.surface.value.JobWords;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Shows when waiting jobs are expected to start, or how well such forecasts have held. */
public final class Forecast implements Command {
  @Override
  public int run(CommandContext context) {
    try {
      ForecastCall call = read(context);
      if (call != null) {
        context.out().print(shown(context, call));
      }
      return 0;
    } catch (CommandException e) {
      return context.fail(e);
    }
  }

  /** Reads the options; null if one of them has printed what it asks for. */
  private static @Nullable ForecastCall read(CommandContext context) throws CommandException {
    OptionParser<ForecastOption> parser =
        new OptionParser<>(
            context.program(),
            ForecastOption.specs(),
            OptionParser.Operands.MIXED,
            context.arguments());
    String user = null;
    boolean me = false;
    boolean all = false;
    boolean accuracy = false;
    boolean json = false;
    for (var option = parser.next(); option != null; option = parser.next()) {
      switch (option.key()) {
        case ACCURACY -> accuracy = true;
        case ALL -> all = true;
        case HELP, USAGE -> {
          boolean help = option.key() == ForecastOption.HELP;
          context.out().print(HelpText.of(Forecast.class, help ? "help.txt" : "usage.txt"));
          return null;
        }
        case JSON -> {
          JsonVersion.check(value(option));
          json = true;
        }
        case ME -> me = true;
        case USER -> user = value(option);
        case VERSION -> {
          context.out().print(Version.LINE + "\n");
          return null;
        }
      }
    }
    List<String> jobs = JobWords.split(parser.operands());
    for (String job : jobs) {
      JobWord word = JobWord.parse(job);
      if (word == null || word.step() != null) {
        throw CommandException.error("Invalid job id specified: " + job);
      }
    }
    return new ForecastCall(jobs, user, me, all, accuracy, json);
  }

  private static String value(Occurrence<ForecastOption> option) {
    return Objects.requireNonNullElse(option.value(), "");
  }

  private static String shown(CommandContext context, ForecastCall call) throws CommandException {
    Phrases phrases = Phrases.of(Forecast.class, context.environment());
    ForecastText text = new ForecastText(phrases, context.clock().zone());
    try (ControllerConnection connection = context.controller().open()) {
      Response.ForecastAccuracy accuracy =
          expected(
              Response.ForecastAccuracy.class, connection.ask(new Request.ShowForecastAccuracy()));
      if (call.accuracy()) {
        if (call.json()) {
          ForecastDocument.print(context, accuracy);
          return "";
        }
        return text.accuracy(accuracy);
      }
      Response.Jobs jobs = expected(Response.Jobs.class, connection.ask(request(call)));
      List<JobForecast> forecasts = forecasts(context, call, jobs);
      if (call.json()) {
        ForecastDocument.print(context, accuracy, forecasts, jobs.now());
        return "";
      }
      return call.jobs().isEmpty()
          ? text.all(accuracy, forecasts, call.all())
          : text.some(accuracy, forecasts);
    } catch (IOException e) {
      throw CommandException.error(String.valueOf(e.getMessage()));
    }
  }

  private static <R extends Response> R expected(Class<R> type, Response response)
      throws CommandException {
    if (type.isInstance(response)) {
      return type.cast(response);
    }
    Reply.Refused refused = Answers.refusal(response);
    throw CommandException.error(
        refused == null ? ErrorCode.BAD_INPUT.text() : refused.code().text());
  }

  private static Request request(ForecastCall call) {
    Set<Integer> ids = new LinkedHashSet<>();
    for (String job : call.jobs()) {
      ids.add(Objects.requireNonNull(JobWord.parse(job)).jobId());
    }
    return new Request.ListJobs(List.copyOf(ids), call.user(), !ids.isEmpty());
  }

  private static List<JobForecast> forecasts(
      CommandContext context, ForecastCall call, Response.Jobs jobs) throws CommandException {
    List<JobForecast> found = new ArrayList<>();
    int uid = context.caller().uid();
    if (call.jobs().isEmpty()) {
      for (JobInfo info : jobs.jobs()) {
        boolean meant = !call.me() || info.job().owner().uid() == uid;
        if (info.job().state() instanceof JobState.Pending && !info.hidden() && meant) {
          found.add(JobForecast.of(info));
        }
      }
      found.sort(Comparator.comparing(Forecast::start));
      return found;
    }
    for (String job : call.jobs()) {
      JobWord word = Objects.requireNonNull(JobWord.parse(job));
      List<JobInfo> meant = jobs.jobs().stream().filter(one -> isMeant(word, one.job())).toList();
      if (meant.isEmpty()) {
        throw CommandException.error(ErrorCode.INVALID_JOB_ID.text() + ": " + job);
      }
      meant.forEach(one -> found.add(JobForecast.of(one)));
    }
    return found;
  }

  private static boolean isMeant(JobWord word, Job job) {
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
  private static Instant start(JobForecast one) {
    return one instanceof JobForecast.Expected expected ? expected.forecast().p50() : Instant.MAX;
  }
}
