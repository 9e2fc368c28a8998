package io.dure.cli.lsf;

import io.dure.cli.command.CommandContext;
import io.dure.cli.request.Question;
import io.dure.model.config.PartitionConfig;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.facts.ArrayTaskOrder;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import java.util.ArrayList;
import java.util.List;

/** What commands of LSF ask the controller, and how they fail. For the call's thread. */
final class LsfAnswers {
  /** Exit code of all that went wrong. */
  static final int FAILED = 255;

  private LsfAnswers() {}

  static CommandException failure(String text) {
    return new CommandException(FAILED, List.of(StderrMessage.plain(text)));
  }

  /** All jobs, those that are over for as long as the controller has them. */
  static List<LsfRow> jobs(CommandContext context) throws CommandException {
    Response.Jobs jobs =
        Question.ask(
            context,
            LsfAnswers::failure,
            null,
            new Request.ListJobs(List.of(), null, true),
            Response.Jobs.class);
    List<LsfRow> rows = new ArrayList<>();
    ArrayTaskOrder.ofAll(jobs.jobs())
        .forEach(info -> rows.add(new LsfRow(new JobDetails(info, jobs.now()))));
    return rows;
  }

  /** Where jobs go that name no queue, empty where that is not known. */
  static String defaultQueue(CommandContext context) {
    try {
      Response.Cluster cluster =
          Question.ask(
              context,
              LsfAnswers::failure,
              null,
              new Request.ShowCluster(),
              Response.Cluster.class);
      return cluster.partitions().stream()
          .filter(PartitionConfig::isDefault)
          .map(PartitionConfig::name)
          .findFirst()
          .orElse("");
    } catch (CommandException e) {
      // The job is there; where it is will be seen.
      return "";
    }
  }
}
