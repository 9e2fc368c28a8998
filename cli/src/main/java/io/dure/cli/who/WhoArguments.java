package io.dure.cli.who;

import io.dure.surface.json.DocumentFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is asked for.
 *
 * @param partition only its nodes and jobs, null for all
 * @param accounts only these accounts and those below them, empty for all
 * @param users only these users, empty for all
 * @param everybody whether everybody is shown, not only the biggest holders
 * @param gpus whether only GPUs are shown
 * @param json how it is written as a document, null where it is text
 */
record WhoArguments(
    @Nullable String partition,
    List<String> accounts,
    List<String> users,
    boolean everybody,
    boolean gpus,
    @Nullable DocumentFormat json) {
  /** Whether some are asked for by name. */
  boolean namesSome() {
    return !accounts.isEmpty() || !users.isEmpty();
  }
}
