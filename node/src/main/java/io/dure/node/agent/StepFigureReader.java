package io.dure.node.agent;

import io.dure.model.step.Step;
import io.dure.node.launch.RunningStep;
import io.dure.node.step.ProcessFigures;
import io.dure.node.step.StepControl;
import io.dure.protocol.step.StepFigures;
import io.dure.protocol.step.TaskFigures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/** Reads what the processes of a step use now. Any thread. */
final class StepFigureReader {
  private StepFigureReader() {}

  /**
   * The figures of a step.
   *
   * @throws IOException if its processes cannot be found
   */
  static StepFigures read(StepActions.NamedStep named) throws IOException {
    SequencedMap<Integer, Integer> tasks = tasks(named);
    ProcessFigures.Division division =
        ProcessFigures.divide(named.members().processes(), List.copyOf(tasks.values()));
    List<TaskFigures> figures = new ArrayList<>();
    Map<Integer, Long> clocks = ProcessFigures.clocks();
    int local = 0;
    for (Map.Entry<Integer, Integer> task : tasks.entrySet()) {
      List<Integer> pids = division.of(task.getValue());
      if (!pids.isEmpty()) {
        figures.add(figures(task.getKey(), local, pids, clocks));
      }
      local++;
    }
    return new StepFigures(named.jobId(), named.name(), figures, division.others());
  }

  private static SequencedMap<Integer, Integer> tasks(StepActions.NamedStep named)
      throws IOException {
    RunningStep step = named.tasks();
    if (step != null && !named.name().equals(Step.BATCH.text())) {
      return StepControl.tasks(step.directory().path());
    }
    SequencedMap<Integer, Integer> script = new LinkedHashMap<>();
    if (step != null) {
      script.put(0, step.scriptPid());
    }
    return script;
  }

  private static TaskFigures figures(
      int rank, int local, List<Integer> pids, Map<Integer, Long> clocks) {
    ProcessFigures all = ProcessFigures.of(pids, clocks);
    return new TaskFigures(
        rank,
        local,
        pids,
        all.cpuMicros(),
        all.rssBytes(),
        all.vmBytes(),
        all.pages(),
        all.readBytes(),
        all.writtenBytes(),
        all.megahertz());
  }
}
