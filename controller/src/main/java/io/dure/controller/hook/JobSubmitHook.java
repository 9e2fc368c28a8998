package io.dure.controller.hook;

import io.dure.cluster.ClusterState;
import io.dure.cluster.decide.job.ChangedJobSpec;
import io.dure.host.lua.LuaBounds;
import io.dure.host.lua.LuaException;
import io.dure.host.lua.LuaProgram;
import io.dure.host.lua.LuaQuestions;
import io.dure.host.lua.LuaScript;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.CrontabChange;
import io.dure.model.command.JobChange;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.privacy.CallerSight;
import io.dure.model.request.JobSpec;
import io.dure.model.request.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Has {@code job_submit.lua} judge submissions and changes of jobs, on the thread of the request
 * and before the command is decided: what is stored is what the script made of it, and no replay
 * runs it. Any thread.
 */
public final class JobSubmitHook implements AutoCloseable {
  private static final String FILE = "job_submit.lua";

  private final LuaScript script;
  private final Logger log;

  /**
   * The script beside the configuration, which is not read before it is called.
   *
   * @param config the file of the configuration
   */
  public JobSubmitHook(Path config, Logger log) {
    this.log = log;
    script =
        new LuaScript(
            new LuaProgram(
                config.resolveSibling(FILE), FILE, LuaBounds.USUAL, ErrorConstants.all()),
            log);
  }

  /** Whether the script is asked about such commands on this cluster. */
  public static boolean concerns(Command.UserCommand command, ClusterState state) {
    return state.settings().rules().luaSubmission()
        && (command instanceof Command.SubmitJob
            || command instanceof Command.SubmitHetJob
            || command instanceof Command.ChangeCrontab
            || command instanceof Command.UpdateJob
            || command instanceof Command.HoldJob
            || command instanceof Command.ReleaseJob);
  }

  /** What the script makes of a command of that user. */
  public HookVerdict judge(Command.UserCommand command, Caller.User user, ClusterState state)
      throws InterruptedException {
    if (command instanceof Command.SubmitJob job) {
      Submitted out = submit(new Asked(job.spec(), job.workload(), job.texts()), user, state, -1);
      return out.verdict(
          new Command.SubmitJob(
              out.asked.spec(), out.asked.workload(), out.asked.texts(), job.requestId()));
    }
    if (command instanceof Command.ChangeCrontab(CrontabChange crontab)) {
      return crontab(crontab, user, state);
    }
    if (command instanceof Command.SubmitHetJob het) {
      return het(het, user, state);
    }
    if (command instanceof Command.UpdateJob update) {
      return modify(update, user, state);
    }
    // Held is a priority of 0 in Slurm, released one that is the scheduler's again.
    if (command instanceof Command.HoldJob hold) {
      return about(hold, new Command.UpdateJob(hold.job(), priority(0)), user, state);
    }
    return command instanceof Command.ReleaseJob free
        ? about(free, new Command.UpdateJob(free.job(), priority(NoValue.INFINITE)), user, state)
        : HookVerdict.unchanged(command);
  }

  private static JobChange priority(long value) {
    return JobChange.NONE.withPriority(value);
  }

  /** A command of which the script may say no, and nothing else. */
  private HookVerdict about(
      Command.UserCommand command, Command.UpdateJob alike, Caller.User user, ClusterState state)
      throws InterruptedException {
    HookVerdict verdict = modify(alike, user, state);
    return new HookVerdict(command, verdict.messages(), verdict.refusal());
  }

  /** What is submitted. */
  private record Asked(JobSpec spec, Workload workload, JobTexts texts) {}

  /** What became of it. */
  private record Submitted(Asked asked, List<String> messages, Reply.@Nullable Refused refused) {
    HookVerdict verdict(Command.UserCommand command) {
      return new HookVerdict(command, messages, refused);
    }
  }

  /** Each entry is judged as a submission of its own. */
  private HookVerdict crontab(CrontabChange crontab, Caller.User user, ClusterState state)
      throws InterruptedException {
    List<CrontabChange.Entry> entries = new ArrayList<>();
    List<String> messages = new ArrayList<>();
    for (CrontabChange.Entry one : crontab.entries()) {
      Submitted out = submit(new Asked(one.spec(), one.workload(), one.texts()), user, state, -1);
      messages.addAll(out.messages());
      if (out.refused() != null) {
        return new HookVerdict(
            new Command.ChangeCrontab(crontab), messages, out.refused().of(entries.size()));
      }
      Asked job = out.asked();
      entries.add(new CrontabChange.Entry(one.entry(), job.spec(), job.workload(), job.texts()));
    }
    return new HookVerdict(
        new Command.ChangeCrontab(new CrontabChange(crontab.text(), List.copyOf(entries))),
        messages,
        null);
  }

  private HookVerdict het(Command.SubmitHetJob het, Caller.User user, ClusterState state)
      throws InterruptedException {
    List<Command.Component> components = new ArrayList<>();
    List<String> messages = new ArrayList<>();
    JobTexts texts = het.texts();
    for (Command.Component one : het.components()) {
      Submitted out =
          submit(new Asked(one.spec(), one.workload(), texts), user, state, components.size());
      messages.addAll(out.messages());
      if (out.refused() != null) {
        return new HookVerdict(het, messages, out.refused());
      }
      texts = out.asked().texts();
      components.add(new Command.Component(out.asked().spec(), out.asked().workload()));
    }
    return new HookVerdict(
        new Command.SubmitHetJob(List.copyOf(components), texts, het.requestId()), messages, null);
  }

  private Submitted submit(Asked asked, Caller.User user, ClusterState state, int offset)
      throws InterruptedException {
    Map<String, Object> fields = JobFields.of(asked.spec(), asked.workload(), user.identity());
    if (offset >= 0) {
      fields.put("het_job_offset", (long) offset);
      fields.put("pack_job_offset", (long) offset);
    }
    Map<String, Object> request = request("submit", fields, user, state);
    request.put("script", !asked.texts().script().isEmpty());
    request.put("environment", true);
    try {
      Map<?, ?> answer = ask(request, new HookQuestions(state, asked.texts(), log));
      List<String> messages = messages(answer);
      Reply.Refused refused = refusal(answer);
      if (refused != null) {
        return new Submitted(asked, messages, refused);
      }
      Map<?, ?> set = changes(answer);
      return new Submitted(set.isEmpty() ? asked : changed(asked, set), messages, null);
    } catch (UnusableFieldException | LuaException e) {
      return new Submitted(asked, List.of(), failed(e));
    }
  }

  private static Asked changed(Asked asked, Map<?, ?> set) throws UnusableFieldException {
    JobChange change = JobFieldChanges.of(set, JobChange.NONE);
    JobSpec spec = SubmittedSpec.of(ChangedJobSpec.of(asked.spec(), change), set);
    Workload workload = asked.workload();
    JobChange.OutputChange output = change.output();
    if (workload instanceof Workload.BatchSpec batch) {
      workload = SubmittedSpec.withPaths(batch, output);
    } else if (workload instanceof Workload.InteractiveAllocation there
        && output.workDirectory() != null) {
      workload =
          new Workload.InteractiveAllocation(
              output.workDirectory(),
              there.submitLine(),
              there.submitHost(),
              there.sessionId(),
              there.step());
    }
    JobTexts texts = asked.texts();
    if (set.get("script") instanceof String script) {
      texts = new JobTexts(script, texts.environment());
    }
    if (set.get("environment") instanceof Map<?, ?> variables) {
      texts = JobTexts.of(texts.script(), SubmittedSpec.assignments(texts, variables));
    }
    return new Asked(spec, workload, texts);
  }

  private HookVerdict modify(Command.UpdateJob update, Caller.User user, ClusterState state)
      throws InterruptedException {
    List<Job> records = state.records(update.job().jobId());
    CallerSight sight = CallerSight.of(state.accounts(), state.settings(), user);
    if (records.isEmpty() || !sight.mayChange(records.getFirst())) {
      // The decision says so.
      return HookVerdict.unchanged(update);
    }
    Job job = records.getFirst();
    Map<String, Object> fields = ModifyFields.of(update.change(), job);
    Map<String, Object> request = request("modify", fields, user, state);
    request.put("record", HookTables.job(job));
    try {
      Map<?, ?> answer = ask(request, new HookQuestions(state, JobTexts.NONE, log));
      Map<?, ?> set = changes(answer);
      return new HookVerdict(
          set.isEmpty()
              ? update
              : new Command.UpdateJob(update.job(), JobFieldChanges.of(set, update.change())),
          messages(answer),
          refusal(answer));
    } catch (UnusableFieldException | LuaException e) {
      return new HookVerdict(update, List.of(), failed(e));
    }
  }

  private static Map<String, Object> request(
      String what, Map<String, Object> fields, Caller.User user, ClusterState state) {
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("op", what);
    request.put("fields", fields);
    request.put("kinds", JobFieldNames.kinds());
    request.put("alias", JobFieldNames.ALIAS);
    request.put("partitions", HookTables.partitions(state, user));
    request.put("qos", HookTables.priorities(state));
    request.put("uid", Integer.toUnsignedLong(user.identity().uid()));
    return request;
  }

  private Map<?, ?> ask(Map<String, Object> request, LuaQuestions questions)
      throws LuaException, InterruptedException {
    return script.call(request, questions) instanceof Map<?, ?> answer ? answer : Map.of();
  }

  private static Map<?, ?> changes(Map<?, ?> answer) {
    return answer.get("changes") instanceof Map<?, ?> set ? set : Map.of();
  }

  private static List<String> messages(Map<?, ?> answer) {
    String text = answer.get("messages") instanceof String said ? said : "";
    return text.isEmpty() ? List.of() : text.lines().toList();
  }

  private Reply.@Nullable Refused refusal(Map<?, ?> answer) {
    if (answer.get("why") instanceof String why) {
      log.error(FILE + ": " + why + ": the request is refused");
      return new Reply.Refused(ErrorCode.UNSPECIFIED, "");
    }
    long code = answer.get("code") instanceof Long number ? number : -1;
    return code == 0 ? null : new Reply.Refused(ErrorConstants.of(code), "");
  }

  private Reply.Refused failed(Exception failure) {
    if (failure instanceof LuaException missed && missed.isBusy()) {
      log.error(FILE + ": " + missed.getMessage() + ": the request is to be sent again");
      return new Reply.Refused(ErrorCode.RATE_LIMITED, "");
    }
    log.error(FILE + ": " + failure.getMessage() + ": the request is refused");
    return new Reply.Refused(ErrorCode.UNSPECIFIED, "");
  }

  @Override
  public void close() {
    script.close();
  }
}
