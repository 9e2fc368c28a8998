package io.dure.surface.show;

import io.dure.model.Job;
import io.dure.model.JobState;
import io.dure.surface.print.TimestampFormat;
import io.dure.surface.value.JobReference;
import org.jspecify.annotations.Nullable;

/**
 * The record of a batch step, the only kind of step so far.
 *
 * @param times how moments are printed
 */
public record StepRecordText(TimestampFormat times) {

  /** The step of a running job, or null if the job has none that is meant. */
  public @Nullable RecordText record(Job job, @Nullable JobReference wanted) {
    boolean other = wanted != null && wanted.step() != null && !wanted.step().equals("batch");
    JobState.Running running = job.state().runningOrSuspended();
    if (other || running == null || !running.launched()) {
      return null;
    }
    return new RecordText()
        .line(
            "StepId="
                + (job.het() == null ? job.displayId() : Integer.toString(job.id()))
                + ".batch UserId="
                + Integer.toUnsignedString(job.owner().uid())
                + " StartTime="
                + times.format(running.start())
                + " TimeLimit=UNLIMITED")
        .line(
            "State="
                + (job.state() instanceof JobState.Suspended ? "SUSPENDED" : "RUNNING")
                + " Partition="
                + running.allocation().partition()
                + " NodeList="
                + running.allocation().batchHost())
        .line("Nodes=1 CPUs=0 Tasks=1 Name=batch Network=(null)")
        .line("TRES=(null)")
        .line("ResvPorts=(null)")
        .line("CPUFreqReq=Default")
        .line("SrunHost:Pid=(null):0");
  }
}
