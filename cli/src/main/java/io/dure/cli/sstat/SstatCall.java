package io.dure.cli.sstat;

import io.dure.surface.accounts.AccountingTable;
import io.dure.surface.value.JobReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a call of sstat asks for. */
final class SstatCall {
  final List<JobReference> steps = new ArrayList<>();
  @Nullable String format;
  boolean all;
  boolean processes;
  boolean plain;
  boolean header = true;
  AccountingTable.Style style = AccountingTable.Style.COLUMNS;
}
