package io.dure.cli.scontrol.job;

import io.dure.cli.scontrol.session.ScontrolSession;
import io.dure.cli.step.NodeInquiry;
import io.dure.cli.step.NodePlace;
import io.dure.host.user.GroupEntry;
import io.dure.host.user.PasswdEntry;
import io.dure.host.user.UserDatabase;
import io.dure.model.UserIdentity;
import io.dure.model.job.Job;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.step.StepAnswer;
import io.dure.protocol.step.StepFigures;
import io.dure.protocol.step.StepQuestion;
import io.dure.protocol.step.TaskFigures;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.value.DigitParser;
import io.dure.surface.value.JobReference;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Verbs about what runs of steps on this machine: listpids, pidinfo, getent. */
public final class StepProcessVerbs {
  private static final String HEADER = "PID      JOBID    STEPID   LOCALID GLOBALID\n";
  private static final DateTimeFormatter END =
      DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss uuuu", Locale.ROOT);

  private final ScontrolSession session;

  /** Acts in the session. */
  public StepProcessVerbs(ScontrolSession session) {
    this.session = session;
  }

  /** Lists the processes of a node's steps: of all, of a job, or of one step. */
  public void list(List<String> words) throws CommandException {
    JobReference wanted = words.isEmpty() ? null : JobReference.parse(words.getFirst());
    if (!words.isEmpty() && wanted == null) {
      throw CommandException.plain("\"" + words.getFirst() + "\" does not look like a jobid");
    }
    session.print(HEADER);
    Response.StepNode node = node(words.size() > 1 ? words.get(1) : null);
    int jobId = wanted == null ? 0 : wanted.jobId();
    String step = wanted == null ? null : wanted.step();
    StepAnswer answer = ask(node, new StepQuestion(jobId, step == null ? "" : step, 0));
    if (answer.denied()) {
      throw CommandException.plain("Access/permission denied");
    }
    StringBuilder text = new StringBuilder();
    answer.steps().forEach(one -> append(text, one));
    session.print(text.toString());
    if (text.isEmpty()) {
      throw CommandException.plain(
          wanted == null
              ? "No slurmstepd's found on this node"
              : (step == null ? "JobId=" + jobId : "StepId=" + jobId + "." + step)
                  + " does not exist on node "
                  + node.name()
                  + ".");
    }
  }

  private static void append(StringBuilder text, StepFigures step) {
    for (TaskFigures task : step.tasks()) {
      for (int pid : task.pids()) {
        boolean first = pid == task.pids().getFirst();
        line(
            text,
            pid,
            step,
            first ? Integer.toString(task.localId()) : "-",
            first ? Integer.toString(task.rank()) : "-");
      }
    }
    step.others().forEach(pid -> line(text, pid, step, "-", "-"));
  }

  private static void line(
      StringBuilder text, int pid, StepFigures step, String local, String rank) {
    padded(text, Integer.toString(pid), 8);
    padded(text.append(' '), Integer.toString(step.jobId()), 8);
    padded(text.append(' '), step.step(), 8);
    padded(text.append(' '), local, 7);
    padded(text.append(' '), rank, 8);
    text.append('\n');
  }

  private static void padded(StringBuilder text, String word, int width) {
    text.append(word).repeat(' ', Math.max(0, width - word.length()));
  }

  /**
   * Prints the user and the groups of each step on a node; none is no failure.
   *
   * @param name the node, null for the first of this machine
   */
  public void entries(@Nullable String name) throws CommandException {
    Response.StepNode node = nodeHere(name);
    List<StepFigures> steps =
        node == null ? List.of() : ask(node, new StepQuestion(0, "", 0)).steps();
    if (steps.isEmpty()) {
      if (!session.display().isQuiet()) {
        session.report(StderrMessage.plain("No steps found on this node"));
      }
      return;
    }
    List<Integer> ids = steps.stream().map(StepFigures::jobId).distinct().toList();
    Map<Integer, UserIdentity> owners = new TreeMap<>();
    Response.Jobs jobs =
        session.ask(
            "slurm_load_jobs error", new Request.ListJobs(ids, null, true), Response.Jobs.class);
    jobs.jobs().forEach(info -> owners.put(info.job().id(), info.job().owner()));
    for (StepFigures step : steps) {
      UserIdentity owner = owners.get(step.jobId());
      if (owner != null) {
        session.print("JobId=" + step.jobId() + "." + capital(step.step()) + ":\n");
        session.print(entries(owner) + "\n");
      }
    }
  }

  /** As Slurm names the steps that have no number here. */
  private static String capital(String step) {
    return step.substring(0, 1).toUpperCase(Locale.ROOT) + step.substring(1);
  }

  private String entries(UserIdentity owner) {
    UserDatabase users = session.context().caller().users();
    StringBuilder text = new StringBuilder("User:\n");
    PasswdEntry user = users.userByUid(owner.uid());
    String name = user == null ? owner.userName() : user.name();
    text.append(name).append(":x:").append(Integer.toUnsignedString(owner.uid()));
    text.append(':').append(Integer.toUnsignedString(owner.gid()));
    text.append(':').append(user == null ? "" : user.realName());
    text.append(':').append(user == null ? "" : user.home());
    text.append(':').append(user == null ? "" : user.shell()).append("\nGroups:\n");
    for (int gid : users.groupsOf(name, owner.gid())) {
      GroupEntry group = users.groupByGid(gid);
      text.append(group == null ? Integer.toUnsignedString(gid) : group.name());
      text.append(":x:").append(Integer.toUnsignedString(gid)).append(':').append(name);
      text.append('\n');
    }
    return text.toString();
  }

  /** Tells which job a process of this machine belongs to, and when that ends. */
  public void info(String word) throws CommandException {
    int pid = (int) DigitParser.parse(word, Integer.MAX_VALUE);
    StepFigures found = pid > 0 ? owner(pid) : null;
    if (found == null) {
      throw CommandException.plain("Failed to locate job for requested pid");
    }
    Response.Jobs jobs =
        session.ask(
            "slurm_get_end_time error",
            new Request.ListJobs(List.of(found.jobId()), null, true),
            Response.Jobs.class);
    Instant end = null;
    for (JobInfo info : jobs.jobs()) {
      Job job = info.job();
      end = job.id() == found.jobId() ? new JobDetails(info, jobs.now()).end() : end;
    }
    if (end == null) {
      session.print("Slurm JobId=" + found.jobId() + " ends at Unknown\n");
      return;
    }
    String time = END.withZone(session.context().clock().zone()).format(end);
    long left = Math.max(0, Duration.between(jobs.now(), end).toSeconds());
    session.print(
        "Slurm JobId="
            + found.jobId()
            + " ends at "
            + time
            + "\nslurm_get_rem_time is "
            + left
            + "\n");
  }

  /** The step of a process, null where it belongs to none that the caller may ask about. */
  private @Nullable StepFigures owner(int pid) throws CommandException {
    for (Response.StepNode node : nodes(List.of())) {
      try {
        if (NodePlace.isHere(node)) {
          List<StepFigures> steps = ask(node, new StepQuestion(0, "", pid)).steps();
          if (!steps.isEmpty()) {
            return steps.getFirst();
          }
        }
      } catch (IOException e) {
        throw CommandException.plain("slurm_pid2jobid: " + e.getMessage());
      }
    }
    return null;
  }

  private StepAnswer ask(Response.StepNode node, StepQuestion question) throws CommandException {
    try {
      return new NodeInquiry(session.context().caller()).figures(node, question);
    } catch (IOException e) {
      throw CommandException.plain(
          "Unable to connect to slurmd on " + node.name() + ": " + e.getMessage());
    }
  }

  private List<Response.StepNode> nodes(List<String> names) throws CommandException {
    return session
        .ask("slurm_load_node error", new Request.LocateNodes(names), Response.NodePlaces.class)
        .nodes();
  }

  /** The node of that name; without one the first of this machine. */
  private Response.StepNode node(@Nullable String name) throws CommandException {
    Response.StepNode node = nodeHere(name);
    if (node == null) {
      throw CommandException.plain(
          name == null ? "No slurmstepd's found on this node" : "Invalid node name specified");
    }
    return node;
  }

  private Response.@Nullable StepNode nodeHere(@Nullable String name) throws CommandException {
    try {
      for (Response.StepNode node : nodes(name == null ? List.of() : List.of(name))) {
        if (name != null || NodePlace.isHere(node)) {
          return node;
        }
      }
    } catch (IOException e) {
      throw CommandException.plain(String.valueOf(e.getMessage()));
    }
    return null;
  }
}
