package io.dure.cli.srun;

import io.dure.model.step.HetStep;
import io.dure.model.step.StepSpec;
import io.dure.protocol.StepLaunchOrder.MpiService;
import io.dure.surface.srun.SrunSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * What a call of {@code srun} asks for, or one of the components that it is made of.
 *
 * @param settings its options
 * @param program what its tasks run
 * @param streams where their streams come from and go to
 * @param mpi what connects them
 * @param spec the step
 * @param group component of the job that it runs in, 0 in a job that is not heterogeneous
 */
record StepCall(
    SrunSettings settings,
    StepProgram program,
    Streams streams,
    MpiService mpi,
    StepSpec spec,
    int group) {

  /** The same calls as components of one step, whose tasks are numbered through all of them. */
  static List<StepCall> together(List<StepCall> calls) {
    if (calls.size() == 1) {
      return calls;
    }
    List<Integer> counts = new ArrayList<>();
    int all = 0;
    for (StepCall call : calls) {
      counts.add(Math.max(1, Math.max(call.spec().tasks(), call.spec().minNodes())));
      all += counts.getLast();
    }
    List<StepCall> parts = new ArrayList<>();
    int first = 0;
    for (int i = 0; i < calls.size(); i++) {
      StepCall call = calls.get(i);
      StepSpec spec =
          call.spec()
              .with()
              .tasks(counts.get(i))
              .het(new HetStep(first, all, calls.size()))
              .build();
      parts.add(
          new StepCall(
              call.settings(), call.program(), call.streams(), call.mpi(), spec, call.group()));
      first += counts.get(i);
    }
    return parts;
  }
}
