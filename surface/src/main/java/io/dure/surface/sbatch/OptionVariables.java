package io.dure.surface.sbatch;

import io.dure.surface.message.CommandException;
import io.dure.surface.option.OptionArgument;
import io.dure.surface.value.NumberParser;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The environment variables of a command that stand for options.
 *
 * @param prefix what those for {@code --verbose} and {@code --switches} begin with
 * @param variables in the order in which they are read; the later of two for one option wins
 * @param argument what an option takes
 * @param plain whether an option that takes an argument is only set by such a text
 */
public record OptionVariables<K>(
    String prefix,
    List<Variable<K>> variables,
    Function<K, OptionArgument> argument,
    BiPredicate<K, String> plain) {
  private static final int MOST_VERBOSE = 9;

  /** A variable. */
  public record Variable<K>(String name, K option) {}

  /** What takes the options. */
  @FunctionalInterface
  public interface Target<K> {
    /** Sets an option by a variable of that name. */
    void set(K option, String name, @Nullable String value) throws CommandException;
  }

  /** Whether a variable says no more than that its option is set. */
  public static boolean isFlag(String text) {
    return text.isEmpty() || text.equals("1") || text.equalsIgnoreCase("yes");
  }

  /** Sets the options that variables stand for, at the end that for more to be said. */
  public void apply(Map<String, String> environment, K verbose, Target<K> target)
      throws CommandException {
    for (Variable<K> variable : variables) {
      String text = environment.get(variable.name());
      OptionArgument taken = argument.apply(variable.option());
      if (text == null || (taken == OptionArgument.REQUIRED && text.isEmpty())) {
        continue;
      }
      boolean alone = taken == OptionArgument.NONE || plain.test(variable.option(), text);
      target.set(variable.option(), variable.name(), alone ? null : text);
    }
    String debug = prefix + "DEBUG";
    long level = NumberParser.leading(environment.getOrDefault(debug, "0"));
    for (long i = 0; i < Math.min(level, MOST_VERBOSE); i++) {
      target.set(verbose, debug, null);
    }
  }
}
