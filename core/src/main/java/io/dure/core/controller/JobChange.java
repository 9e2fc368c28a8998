package io.dure.core.controller;

import java.util.List;

/**
 * What {@code scontrol update job} changes: settings by their canonical key, in the order typed.
 *
 * @param settings each a key and the new value as text
 */
public record JobChange(List<Setting> settings) {

  /**
   * One {@code key=value}.
   *
   * @param key as typed, any case, perhaps shortened
   * @param operator {@code =}, {@code +=} or {@code -=}
   */
  public record Setting(String key, String operator, String value) {}
}
