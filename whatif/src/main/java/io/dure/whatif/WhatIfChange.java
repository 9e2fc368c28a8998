package io.dure.whatif;

import io.dure.twin.policy.QueueOrderPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Something that is otherwise than it is, or was. */
sealed interface WhatIfChange {

  /** In few words, as a heading says it. */
  String text();

  /**
   * What a command of the cluster changes.
   *
   * @param option the option that asked for it
   * @param value its argument
   * @param program {@code scontrol} or {@code sacctmgr}
   * @param words the arguments of the command
   */
  record CommandChange(String option, String value, String program, List<String> words)
      implements WhatIfChange {
    public CommandChange {
      words = List.copyOf(words);
    }

    @Override
    public String text() {
      return option.substring(2) + " " + value;
    }
  }

  /** A setting of slurm.conf has another value. */
  record SettingChange(String line) implements WhatIfChange {
    @Override
    public String text() {
      return line;
    }
  }

  /**
   * A limit or share of a QOS, an account or a user is another one.
   *
   * @param entity {@code qos}, {@code account} or {@code user}
   * @param name whose
   * @param key what sacctmgr calls it
   * @param value the value; where a number begins with a sign, so much more or less
   */
  record EntitlementChange(String entity, String name, String key, String value)
      implements WhatIfChange {
    @Override
    public String text() {
      return entity + " " + name + " " + key + "=" + value;
    }
  }

  /**
   * There are more nodes.
   *
   * @param count how many
   * @param like the node that they are like
   */
  record NodeCountChange(int count, String like) implements WhatIfChange {
    @Override
    public String text() {
      return count + " more like " + like;
    }
  }

  /** The queue is in another order. */
  record OrderChange(QueueOrderPolicy order) implements WhatIfChange {
    @Override
    public String text() {
      return "order " + order.name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A job is submitted.
   *
   * @param line the arguments of sbatch
   * @param runTime how long it runs, null for as long as is expected of it
   */
  record SubmitChange(String line, @Nullable Duration runTime) implements WhatIfChange {
    @Override
    public String text() {
      return "submit " + line;
    }
  }
}
