package io.dure.surface.sbatch;

import io.dure.model.ErrorCode;
import io.dure.model.gres.GresCount;
import io.dure.surface.message.CommandException;
import io.dure.surface.value.KeywordParser;
import io.dure.surface.value.NumberParser;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code --tres-per-task} asks for: {@code cpu=2,gres/gpu:a100=1}, with colons for equals
 * signs too.
 *
 * @param cpus CPUs of each task, null where not asked
 * @param gres generic resources of each task
 */
record TresPerTaskOption(@Nullable Integer cpus, List<GresCount> gres) {
  private static final String GRES = "gres/";

  /** Reads the list. */
  static TresPerTaskOption read(String text) throws CommandException {
    Integer cpus = null;
    List<GresCount> gres = new ArrayList<>();
    for (String word : KeywordParser.list(text)) {
      if (word.startsWith("cpu=") || word.startsWith("cpu:")) {
        cpus = NumberParser.positive("--tres-per-task", word.substring(4));
      } else if (word.startsWith(GRES)) {
        List<GresCount> some = GresCount.list(word.substring(GRES.length()).replace('=', ':'));
        if (some == null) {
          throw CommandException.error(ErrorCode.INVALID_GRES.text());
        }
        gres.addAll(some);
      } else if (word.startsWith("bb/") || word.startsWith("license/")) {
        throw CommandException.notSupported("--tres-per-task=" + word);
      } else {
        throw CommandException.error("Invalid --tres-per-task specification");
      }
    }
    if (cpus == null && gres.isEmpty()) {
      throw CommandException.error("Invalid --tres-per-task specification");
    }
    return new TresPerTaskOption(cpus, List.copyOf(gres));
  }
}
