package io.dure.cli.sstat;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.request.Question;
import io.dure.cli.step.NodeInquiry;
import io.dure.model.HostList;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.step.Step;
import io.dure.model.step.StepName;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.step.StepAnswer;
import io.dure.protocol.step.StepFigures;
import io.dure.protocol.step.StepQuestion;
import io.dure.protocol.step.TaskFigures;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.value.JobReference;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Asks the controller where steps run, and their nodes what they use. */
final class StepUsageQuery {
  private static final String DENIED = "Invalid user id";

  private final CommandContext context;
  private final SstatCall call;
  private final List<StepUsageRow> rows = new ArrayList<>();

  StepUsageQuery(CommandContext context, SstatCall call) {
    this.context = context;
    this.call = call;
  }

  /** A row for each step; what cannot be told is reported. */
  List<StepUsageRow> rows() throws CommandException {
    try (ControllerConnection connection = context.controller().open()) {
      for (JobReference wanted : call.steps) {
        add(connection, wanted);
      }
    } catch (IOException e) {
      throw CommandException.error("couldn't get steps: " + e.getMessage());
    }
    return rows;
  }

  private void add(ControllerConnection connection, JobReference wanted)
      throws IOException, CommandException {
    Job job = job(connection, wanted);
    if (job == null) {
      report("couldn't get steps for job " + wanted.jobId());
      return;
    }
    List<Step> meant = meant(job, wanted);
    boolean hidden =
        wanted.step() == null && job.steps().stream().anyMatch(s -> s.name().equals(Step.EXTERN));
    if (meant.isEmpty() && !hidden) {
      report(
          wanted.step() == null
              ? "No steps running for job " + wanted.jobId()
              : "StepId=" + wanted.jobId() + "." + wanted.step() + " not found running.");
    }
    for (Step step : meant) {
      add(connection, job, step);
    }
  }

  private static @Nullable Job job(ControllerConnection connection, JobReference wanted)
      throws IOException, CommandException {
    Response.Jobs jobs =
        Question.expected(
            Response.Jobs.class,
            connection.ask(new Request.ListJobs(List.of(wanted.jobId()), null, true)),
            text -> CommandException.error("couldn't get steps for job " + wanted.jobId()));
    for (JobInfo info : jobs.jobs()) {
      if (info.job().id() == wanted.jobId() || jobs.jobs().size() == 1) {
        return info.job();
      }
    }
    return null;
  }

  /** The steps that are meant: of a job the one of the lowest number, or all. */
  private List<Step> meant(Job job, JobReference wanted) {
    List<Step> found = new ArrayList<>();
    String name = wanted.step();
    for (Step step : job.steps()) {
      boolean numbered = step.name() instanceof StepName.NumberedStep;
      boolean fits =
          name != null
              ? step.name().equals(StepName.parse(name))
              : call.all || numbered && found.isEmpty();
      if (fits && step.state() != Step.State.STARTING) {
        found.add(step);
      }
    }
    return found;
  }

  /** The nodes of a step without those that its job has lost or given back. */
  private static List<String> held(Job job, Step step) {
    Allocation allocation = job.state().allocated();
    if (allocation == null) {
      return step.nodes();
    }
    Set<String> held = new HashSet<>(allocation.nodes());
    return step.nodes().stream().filter(held::contains).toList();
  }

  private void add(ControllerConnection connection, Job job, Step step)
      throws IOException, CommandException {
    Response.NodePlaces places =
        Question.expected(
            Response.NodePlaces.class,
            connection.ask(new Request.LocateNodes(held(job, step))),
            text -> CommandException.error(text));
    String id = job.displayId() + "." + step.name().text();
    List<StepUsageRow.NodeTask> tasks = new ArrayList<>();
    List<List<Integer>> pids = new ArrayList<>();
    List<String> nodes = new ArrayList<>();
    for (Response.StepNode node : places.nodes()) {
      StepAnswer answer = answer(node, job, step, id);
      if (answer == null) {
        return;
      }
      List<Integer> there = new ArrayList<>();
      for (StepFigures figures : answer.steps()) {
        for (TaskFigures task : figures.tasks()) {
          tasks.add(new StepUsageRow.NodeTask(node.name(), task));
          there.addAll(task.pids());
        }
        there.addAll(figures.others());
      }
      nodes.add(node.name());
      pids.add(there);
    }
    StepUsageRow whole =
        new StepUsageRow(
            id,
            HostList.compress(step.nodes()),
            tasks,
            pids.stream().flatMap(List::stream).toList(),
            call.plain);
    if (call.processes) {
      rows.addAll(whole.byNode(nodes, pids));
    } else {
      rows.add(whole);
    }
  }

  private @Nullable StepAnswer answer(Response.StepNode node, Job job, Step step, String id) {
    String why = DENIED;
    try {
      StepQuestion question = new StepQuestion(job.id(), step.name().text(), 0);
      StepAnswer answer = new NodeInquiry(context.caller()).figures(node, question);
      if (!answer.denied()) {
        return answer;
      }
      report("problem getting step_layout for StepId=" + id + ": " + DENIED);
    } catch (IOException e) {
      why = String.valueOf(e.getMessage());
    }
    report(
        "slurm_job_step_stat: there was an error with the request to "
            + node.name()
            + " rc = "
            + why);
    return null;
  }

  private void report(String text) {
    context.report(StderrMessage.error(text));
  }
}
