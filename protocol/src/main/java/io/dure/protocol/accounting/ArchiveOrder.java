package io.dure.protocol.accounting;

import io.dure.model.config.accounting.RecordKind;
import io.dure.model.config.accounting.RetentionAge;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which old records are taken out of the accounting database, and how.
 *
 * @param kinds of what; empty for what slurmdbd.conf says
 * @param directory where archives are written, null for where slurmdbd.conf says
 * @param script program that archives instead, null for what slurmdbd.conf says
 */
public record ArchiveOrder(List<Kind> kinds, @Nullable String directory, @Nullable String script) {
  public ArchiveOrder {
    kinds = List.copyOf(kinds);
  }

  /**
   * A kind of records.
   *
   * @param after how old they are, null for what slurmdbd.conf says
   * @param archived whether they are archived, or lost
   */
  public record Kind(RecordKind kind, @Nullable RetentionAge after, boolean archived) {}
}
