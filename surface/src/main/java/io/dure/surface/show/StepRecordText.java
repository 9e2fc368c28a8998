package io.dure.surface.show;

import io.dure.model.HostList;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.step.Step;
import io.dure.model.step.StepName;
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

  private RecordText record(Job job, JobState.Running running, Step step) {
    return new RecordText()
        .line(
            "StepId",
            (job.het() == null ? job.displayId() : Integer.toString(job.id()))
                + "."
                + step.name().text())
        .and("UserId", Integer.toUnsignedString(job.owner().uid()))
        .and("StartTime", times.format(running.start()))
        .and("TimeLimit", "UNLIMITED")
        .line("State", step.state().name())
        .and("Partition", running.allocation().partition())
        .and("NodeList", HostList.compress(step.nodes()))
        .line("Nodes", step.nodes().size())
        .and("CPUs", "0")
        .and("Tasks", step.tasks())
        .and("Name", step.name().text())
        .and("Network", "(null)")
        .line("TRES=(null)")
        .line("ResvPorts=(null)")
        .line("CPUFreqReq=Default")
        .line("SrunHost:Pid=(null):0");
  }
}
