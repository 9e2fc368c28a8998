package io.dure.cli.srun;

import io.dure.cli.command.CallerProgram;
import io.dure.cli.command.CommandContext;
import io.dure.model.HostList;
import io.dure.model.step.LaunchedStep;
import io.dure.protocol.Response;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.srun.SrunOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A program that {@code srun} runs beside the step: its prolog before, its epilog after. Its
 * arguments are the words of the step, its exit code means nothing.
 */
final class SrunScript {
  private static final int INTERRUPT = 2;
  private static final int QUIT = 3;
  private static final List<Integer> ENDING = List.of(1, INTERRUPT, QUIT, 15);

  private final CommandContext context;
  private final FrontEndOrder.Part part;

  /** Scripts of a step; of a heterogeneous one its first component counts. */
  SrunScript(CommandContext context, FrontEndOrder.Part part) {
    this.context = context;
    this.part = part;
  }

  /** The prolog, null where there is none. */
  @Nullable String prolog() {
    return chosen(SrunOption.PROLOG, part.launch().defaults().prolog());
  }

  /** The epilog, null where there is none. */
  @Nullable String epilog() {
    return chosen(SrunOption.EPILOG, part.launch().defaults().epilog());
  }

  private @Nullable String chosen(SrunOption option, String usual) {
    String path = part.call().settings().valueOr(option, usual);
    return path.isEmpty() || path.toLowerCase(Locale.ROOT).equals("none") ? null : path;
  }

  /**
   * Runs it to its end; one that cannot be run is told of.
   *
   * @return a signal that came meanwhile and ends {@code srun}, 0 for none
   */
  int run(String path) throws IOException {
    List<String> words = new ArrayList<>();
    words.add(context.directory().resolve(path).toString());
    words.addAll(part.call().program().words());
    AtomicInteger signal = new AtomicInteger();
    CallerProgram.Outcome outcome =
        context
            .caller()
            .runProgram(
                new CallerProgram(
                    words,
                    environment(),
                    context.directory().toString(),
                    number -> passOn(number, signal)));
    if (outcome instanceof CallerProgram.Outcome.NotFound) {
      context.report(StderrMessage.error("Unable to run " + path));
    }
    if (outcome instanceof CallerProgram.Outcome.Ended ended
        && (ended.signal() == INTERRUPT || ended.signal() == QUIT)) {
      signal.compareAndSet(0, ended.signal());
    }
    return signal.get();
  }

  private boolean passOn(int number, AtomicInteger ending) {
    if (number == 0) {
      return true;
    }
    if (ENDING.contains(number)) {
      ending.compareAndSet(0, number);
    }
    try {
      context.caller().signalProgram(number);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return true;
  }

  /** That of the call, and what names the step. */
  private List<String> environment() {
    Response.StepLaunch launch = part.launch();
    LaunchedStep step = launch.step();
    Map<String, String> all = new LinkedHashMap<>(context.environment());
    String job = Integer.toString(part.step().jobId());
    String number = Integer.toString(part.step().number());
    String nodes = HostList.compressInOrder(step.nodes());
    String count = Integer.toString(step.nodes().size());
    String tasks = Integer.toString(step.tasks());
    all.put("SLURM_JOB_ID", job);
    all.put("SLURM_JOBID", job);
    all.put("SLURM_STEP_ID", number);
    all.put("SLURM_STEPID", number);
    all.put("SLURM_STEP_NODELIST", nodes);
    all.put("SLURM_STEP_NUM_NODES", count);
    all.put("SLURM_STEP_NUM_TASKS", tasks);
    all.put("SLURM_NNODES", count);
    all.put("SLURM_NTASKS", tasks);
    all.put("SLURM_NPROCS", tasks);
    all.putIfAbsent("SLURM_JOB_NODELIST", nodes);
    all.putIfAbsent("SLURM_JOB_NUM_NODES", count);
    List<String> lines = new ArrayList<>(all.size());
    all.forEach((name, value) -> lines.add(name + "=" + value));
    return List.copyOf(lines);
  }
}
