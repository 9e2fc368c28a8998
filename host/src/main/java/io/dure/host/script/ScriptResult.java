package io.dure.host.script;

import org.jspecify.annotations.Nullable;

/** How a run of an administrator's programs came out. */
public sealed interface ScriptResult {

  /** All of them succeeded. */
  record Succeeded() implements ScriptResult {}

  /**
   * One could not be run, took too long, or said no.
   *
   * @param reason what failed, with the programs' title
   */
  record Failed(String reason) implements ScriptResult {}

  /**
   * It was ended on purpose, perhaps before it began.
   *
   * @param reason what was ended, with the programs' title
   */
  record Ended(String reason) implements ScriptResult {}

  /** Null if all succeeded, else why not. */
  default @Nullable String reason() {
    return switch (this) {
      case Succeeded _ -> null;
      case Failed(String reason) -> reason;
      case Ended(String reason) -> reason;
    };
  }
}
