package io.dure.surface.sacct;

import io.dure.model.HostList;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepConsumption.OfTask;
import io.dure.model.step.StepConsumption.Spread;
import io.dure.model.step.StepName;
import io.dure.protocol.accounting.RecordedStep;
import io.dure.surface.accounts.StepUsageFigures;
import io.dure.surface.accounts.StepUsageFigures.Amount;
import io.dure.surface.accounts.TresNumbers;
import io.dure.surface.json.SlurmJsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes a recorded step with the members that Slurm's data parser gives it. For one thread. */
final class RecordedStepJson {
  private static final int MICROS_A_MILLISECOND = 1000;

  private final SlurmJsonWriter json;
  private final SacctRow row;
  private final RecordedStep step;
  private final TresNumbers numbers;

  private RecordedStepJson(SlurmJsonWriter json, SacctRow row, TresNumbers numbers) {
    this.json = json;
    this.row = row;
    this.step = Objects.requireNonNull(row.step(), "the row is of no step");
    this.numbers = numbers;
  }

  /** Writes the step of a row. */
  static void write(SlurmJsonWriter json, SacctRow row, TresNumbers numbers) {
    RecordedStepJson writer = new RecordedStepJson(json, row, numbers);
    json.object();
    writer.times();
    json.exit("exit_code", SlurmJsonWriter.ending(row.exit()), row.exit());
    writer.places();
    writer.processors();
    writer.name();
    writer.resources();
    json.endObject();
  }

  private void times() {
    LaunchedStep launched = step.launched();
    int minutes = launched == null ? 0 : launched.spec().timeLimitMinutes();
    json.object("time")
        .number("elapsed", row.elapsed())
        .time("end", row.end())
        .time("start", row.start())
        .number("suspended", row.suspended());
    json.cpuTime("system", row.micros(false, true));
    json.maybe("limit", minutes == 0 ? null : minutes);
    json.cpuTime("total", row.micros(true, true));
    json.cpuTime("user", row.micros(true, false));
    json.endObject();
  }

  private void places() {
    List<String> nodes = HostList.expand(step.nodes());
    json.object("nodes")
        .number("count", nodes.size())
        .text("range", step.nodes())
        .texts("list", nodes)
        .endObject()
        .object("tasks")
        .number("count", step.tasks())
        .endObject();
  }

  private void processors() {
    boolean batch = step.step() == StepName.BatchStep.NUMBER;
    StepUsageFigures used = row.figures();
    json.text("pid", "");
    json.object("CPU")
        .object("requested_frequency")
        .maybe("min", batch ? 0 : null)
        .maybe("max", batch ? 0 : null)
        .endObject()
        .text("governor", batch ? "0" : "Unknown")
        .endObject()
        .text("kill_request_user", "")
        .texts("state", row.states())
        .object("statistics")
        .object("CPU")
        .number("actual_frequency", 0)
        .endObject()
        .object("energy")
        .maybe("consumed", used == null ? 0L : Long.valueOf(used.of(Amount.ENERGY).total()))
        .endObject()
        .endObject();
  }

  private void name() {
    json.object("step").text("id", row.rawJobId()).text("name", row.name());
    for (String stream : List.of("stderr", "stdin", "stdout")) {
      json.text(stream, "");
    }
    for (String stream : List.of("stderr", "stdin", "stdout")) {
      json.text(stream + "_expanded", "");
    }
    json.endObject();
    json.text("submit_line", SacctFields.submitLine(row));
    json.object("task").text("distribution", SacctFields.layout(row)).endObject();
  }

  /** An amount under the name of its resource. */
  private record Counted(String resource, Amount amount) {}

  private void resources() {
    StepUsageFigures used = row.figures();
    List<Counted> in = new ArrayList<>();
    List<Counted> out = new ArrayList<>();
    if (used != null) {
      in.add(new Counted("cpu", Amount.CPU));
      in.add(new Counted("mem", Amount.MEMORY));
      in.add(new Counted("energy", Amount.ENERGY));
      in.add(new Counted("fs/disk", Amount.READ));
      in.add(new Counted("vmem", Amount.SPACE));
      in.add(new Counted("pages", Amount.PAGES));
      if (used.hasGpus()) {
        in.add(new Counted("gres/gpumem", Amount.GPU_MEMORY));
        in.add(new Counted("gres/gpuutil", Amount.GPU_PERCENT));
      }
      out.add(new Counted("energy", Amount.ENERGY));
      out.add(new Counted("fs/disk", Amount.WRITTEN));
    }
    json.object("tres");
    used("requested", in, used);
    used("consumed", out, used);
    json.resources("allocated", RowResources.allocated(row), numbers).endObject();
  }

  private void used(String name, List<Counted> counted, @Nullable StepUsageFigures used) {
    json.object(name);
    ofTask("max", counted, used, Spread::most);
    ofTask("min", counted, used, Spread::least);
    list("average", counted, one -> used == null ? 0 : used.average(one));
    list("total", counted, one -> used == null ? 0 : used.of(one).total());
    json.endObject();
  }

  private void ofTask(
      String name,
      List<Counted> counted,
      @Nullable StepUsageFigures used,
      Function<Spread, OfTask> which) {
    json.list(name);
    for (Counted one : counted) {
      if (used != null) {
        OfTask task = which.apply(used.of(one.amount()));
        json.object()
            .resource(one.resource(), numbers)
            .number("count", count(one.amount(), task.amount()))
            .number("task", task.task())
            .text("node", task.node())
            .endObject();
      }
    }
    json.endList();
  }

  private void list(String name, List<Counted> counted, Function<Amount, Long> value) {
    json.list(name);
    for (Counted one : counted) {
      json.object()
          .resource(one.resource(), numbers)
          .number("count", count(one.amount(), value.apply(one.amount())))
          .endObject();
    }
    json.endList();
  }

  /** Processor time is counted in milliseconds here. */
  private static long count(Amount amount, long value) {
    return amount == Amount.CPU ? value / MICROS_A_MILLISECOND : value;
  }
}
