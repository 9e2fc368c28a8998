package io.dure.surface.show;

import io.dure.model.HostList;
import io.dure.model.gres.GresRequest;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.Step;
import io.dure.model.step.StepName;
import io.dure.model.step.StepShare;
import io.dure.model.step.StepSpec;
import io.dure.protocol.Response;
import io.dure.surface.facts.GresFormat;
import io.dure.surface.facts.TresFormat;
import io.dure.surface.print.TimestampFormat;
import io.dure.surface.value.JobReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The record of a step.
 *
 * @param times how moments are printed
 */
public record StepRecordText(TimestampFormat times) {
  /** What stands for the number of a step that has none yet. */
  private static final String WAITING = "TBD";

  /** The steps of a job that run there and are meant. */
  public List<RecordText> records(Job job, @Nullable JobReference wanted) {
    JobState.Running running = job.state().runningOrSuspended();
    if (running == null) {
      return List.of();
    }
    List<RecordText> records = new ArrayList<>();
    for (Step step : job.steps()) {
      boolean meant =
          wanted == null
              || wanted.step() == null
              || step.name().equals(StepName.parse(wanted.step()));
      if (meant && step.state() != Step.State.STARTING) {
        records.add(record(job, running, step));
      }
    }
    return records;
  }

  /** Whether such a word means steps that wait. */
  public static boolean meansWaiting(@Nullable JobReference wanted) {
    return wanted == null || wanted.step() == null || WAITING.equalsIgnoreCase(wanted.step());
  }

  /** The record of a step that waits for room in its job: what it is asked for is all it has. */
  public RecordText waiting(Job job, JobState.Running running, Response.WaitingStep step) {
    List<String> nodes = running.allocation().nodes();
    int tasks = step.tasks() == 0 ? nodes.size() : step.tasks();
    return new RecordText()
        .line("StepId", id(job, WAITING))
        .and("UserId", Integer.toUnsignedString(job.owner().uid()))
        .and("StartTime", "Unknown")
        .and("TimeLimit", "UNLIMITED")
        .line("State", "PENDING")
        .and("Partition", running.allocation().partition())
        .and("NodeList", HostList.compress(nodes))
        .line("Nodes", nodes.size())
        .and("CPUs", tasks)
        .and("Tasks", tasks)
        .and("Name", "(null)")
        .and("Network", "(null)")
        .line("TRES=(null)")
        .line("ResvPorts=(null)")
        .line("CPUFreqReq=Default")
        .and("Dist", "Unknown")
        .line("SrunHost:Pid", srun(step.host(), step.processId()));
  }

  private static String id(Job job, String step) {
    return (job.het() == null ? job.displayId() : Integer.toString(job.id())) + "." + step;
  }

  private RecordText record(Job job, JobState.Running running, Step step) {
    LaunchedStep launched = job.runSteps().step(step.name().number());
    RecordText text =
        new RecordText()
            .line("StepId", id(job, step.name().text()))
            .and("UserId", Integer.toUnsignedString(job.owner().uid()))
            .and("StartTime", times.format(launched == null ? running.start() : launched.start()))
            .and("TimeLimit", StepTimeLimit.full(launched))
            .line("State", step.state().name())
            .and("Partition", running.allocation().partition())
            .and("NodeList", HostList.compress(step.nodes()))
            .line("Nodes", step.nodes().size());
    return launched != null && step.name() instanceof StepName.NumberedStep
        ? numbered(text, step, launched)
        : named(text, step, launched == null ? "(null):0" : srun(launched.spec()));
  }

  private static String srun(StepSpec spec) {
    return srun(spec.host(), spec.processId());
  }

  private static String srun(String host, int processId) {
    return host + ":" + Integer.toUnsignedString(processId);
  }

  private static RecordText named(RecordText text, Step step, String srun) {
    return text.and("CPUs", "0")
        .and("Tasks", step.tasks())
        .and("Name", step.name().text())
        .and("Network", "(null)")
        .line("TRES=(null)")
        .line("ResvPorts=(null)")
        .line("CPUFreqReq=Default")
        .line("SrunHost:Pid", srun);
  }

  private static RecordText numbered(RecordText text, Step step, LaunchedStep launched) {
    int cpus = 0;
    long memory = 0;
    for (StepShare share : launched.shares()) {
      cpus += share.cpus();
      memory += share.memoryMib();
    }
    StepSpec spec = launched.spec();
    String devices = GresFormat.total(launched);
    String tres = TresFormat.ofStep(cpus, memory, step.nodes().size());
    text.and("CPUs", cpus)
        .and("Tasks", step.tasks())
        .and("Name", spec.name())
        .and("Network", "(null)")
        .line("TRES", devices.isEmpty() ? tres : tres + "," + devices)
        .line("ResvPorts=(null)")
        .line("CPUFreqReq=Default")
        .and("Dist", distribution(spec.layout()))
        .line("SrunHost:Pid", srun(spec));
    GresRequest gres = spec.gres() == null ? GresRequest.NONE : spec.gres();
    text.lineIf(!gres.perJob().isEmpty(), "TresPerStep=" + GresFormat.asked(gres.perJob()));
    text.lineIf(!gres.perNode().isEmpty(), "TresPerNode=" + GresFormat.asked(gres.perNode()));
    text.lineIf(!gres.perTask().isEmpty(), "TresPerTask=" + GresFormat.perTask(gres.perTask()));
    return text;
  }

  private static String distribution(StepSpec.TaskLayout layout) {
    boolean alone = layout.levels().isEmpty();
    StringBuilder text =
        new StringBuilder(
            switch (layout.distribution()) {
              case BLOCK, EVEN, PACKED -> alone ? "Block" : "B";
              case CYCLIC -> alone ? "Cyclic" : "C";
              case PLANE -> "Plane";
              case ARBITRARY -> "Arbitrary";
            });
    for (StepSpec.Level level : layout.levels()) {
      text.append(
          switch (level) {
            case BLOCK -> "Block";
            case CYCLIC -> "Cyclic";
            case FCYCLIC -> "FCyclic";
          });
    }
    return switch (layout.distribution()) {
      case EVEN -> text + ",NoPack";
      case PACKED -> text + ",Pack";
      case BLOCK, CYCLIC, PLANE, ARBITRARY -> text.toString();
    };
  }
}
