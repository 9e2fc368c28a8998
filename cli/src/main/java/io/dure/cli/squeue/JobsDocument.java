package io.dure.cli.squeue;

import io.dure.cli.command.CommandContext;
import io.dure.cli.facts.JobFacts;
import java.util.List;

/** Prints the jobs as JSON. */
record JobsDocument(CommandContext context, String cluster) {

  void print(List<JobFacts> rows) {
    context.out().print(rows.size());
  }
}
