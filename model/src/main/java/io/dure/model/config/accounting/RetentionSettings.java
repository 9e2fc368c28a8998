package io.dure.model.config.accounting;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * For how long the accounting database keeps what, and what becomes of it then.
 *
 * @param rules what is kept for a time only; the rest is kept for ever
 * @param directory where archives are written
 * @param script program that archives instead, null for files
 * @param commands whether sacctmgr may archive and load
 */
public record RetentionSettings(
    Map<RecordKind, Rule> rules, String directory, @Nullable String script, boolean commands) {
  /** Where archives are written unless ArchiveDir says otherwise, as slurmdbd does. */
  public static final String DIRECTORY = "/tmp";

  /** Everything is kept for ever. */
  public static final RetentionSettings KEEP_ALL =
      new RetentionSettings(Map.of(), DIRECTORY, null, true);

  public RetentionSettings {
    Map<RecordKind, Rule> ordered = new EnumMap<>(RecordKind.class);
    ordered.putAll(rules);
    rules = Collections.unmodifiableMap(ordered);
  }

  /**
   * What becomes of a kind of records.
   *
   * @param after for how long it is kept
   * @param archived whether it is archived then
   */
  public record Rule(RetentionAge after, boolean archived) {}
}
