package io.dure.accounting;

import io.dure.model.ExitStatus;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepConsumption;
import io.dure.model.step.StepName;
import io.dure.protocol.codec.RecordCodec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table of steps. A row while it is put together from the records of its step. */
final class StepTable {
  static final List<String> KEY = List.of("cluster_id", "job_id", "attempt", "step");
  static final List<String> COLUMNS =
      List.of(
          "step_name",
          "exit_code",
          "exit_signal",
          "start_time",
          "end_time",
          "node_list",
          "tasks",
          "user_micros",
          "system_micros",
          "launched",
          "used");
  static final RecordCodec<LaunchedStep> LAUNCHED = RecordCodec.of(LaunchedStep.class).exact();
  static final RecordCodec<StepConsumption> USED = RecordCodec.of(StepConsumption.class).exact();

  private final Key key;
  private final Beginning beginning;
  private ExitStatus exit;
  private long end;
  private @Nullable StepConsumption used;

  /** The step of a row. */
  record Key(AttemptId attempt, int step) {}

  /** What a step has from its beginning on. */
  record Beginning(long start, String nodes, int tasks, @Nullable LaunchedStep launched) {}

  StepTable(
      Key key, Beginning beginning, ExitStatus exit, long end, @Nullable StepConsumption used) {
    this.key = key;
    this.beginning = beginning;
    this.exit = exit;
    this.end = end;
    this.used = used;
  }

  static StepTable begun(AccountingRecord.StepBegun begun) {
    return new StepTable(
        new Key(begun.attempt(), begun.step()),
        new Beginning(JobTable.seconds(begun.at()), begun.nodes(), begun.tasks(), begun.launched()),
        ExitStatus.OK,
        SqlDialect.NEVER,
        null);
  }

  void ended(AccountingRecord.StepPart part) {
    exit = LaunchedStep.worse(exit, part.exit());
    used = StepConsumption.sum(used, part.used());
    if (part.over()) {
      end = JobTable.seconds(part.at());
    }
  }

  /** The row, for an upsert of {@link #KEY} and {@link #COLUMNS}. */
  TableRow row(long cluster) {
    StepConsumption all = used;
    LaunchedStep launched = beginning.launched();
    return TableRow.of(
        "step " + key.attempt().jobId() + "." + StepName.text(key.step()),
        cluster,
        key.attempt().jobId(),
        key.attempt().number(),
        key.step(),
        StepName.text(key.step()),
        exit.code(),
        exit.signal(),
        beginning.start(),
        end,
        beginning.nodes(),
        beginning.tasks(),
        all == null ? 0L : all.userMicros(),
        all == null ? 0L : all.systemMicros(),
        launched == null ? null : LAUNCHED.encode(launched),
        all == null ? null : USED.encode(all));
  }
}
