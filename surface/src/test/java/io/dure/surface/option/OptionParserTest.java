package io.dure.surface.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.dure.surface.message.CommandException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class OptionParserTest {

  private static final List<OptionSpec<String>> TABLE =
      List.of(
          new OptionSpec<>("all", "all", 'a', OptionArgument.NONE),
          new OptionSpec<>("noheader", "noheader", 'h', OptionArgument.NONE),
          new OptionSpec<>("format", "format", 'o', OptionArgument.REQUIRED),
          new OptionSpec<>("jobs", "jobs", 'j', OptionArgument.OPTIONAL),
          new OptionSpec<>("nice", "nice", OptionSpec.NO_LETTER, OptionArgument.OPTIONAL),
          new OptionSpec<>("ntasks", "ntasks", 'n', OptionArgument.REQUIRED),
          new OptionSpec<>("per-node", "ntasks-per-node", '\0', OptionArgument.REQUIRED),
          new OptionSpec<>("per-socket", "ntasks-per-socket", '\0', OptionArgument.REQUIRED),
          new OptionSpec<>("per-node", "tasks-per-node", '\0', OptionArgument.REQUIRED),
          new OptionSpec<>("same", "twin-one", '\0', OptionArgument.NONE),
          new OptionSpec<>("same", "twin-two", '\0', OptionArgument.NONE));

  private static String parse(OptionParser.Operands rule, String... words) {
    OptionParser<String> parser = new OptionParser<>("sbatch", TABLE, rule, List.of(words));
    StringBuilder text = new StringBuilder();
    try {
      for (ParsedOption<String> found : parser.all()) {
        text.append(found.key()).append('=').append(found.value()).append(' ');
      }
    } catch (CommandException e) {
      assertEquals(1, e.exitCode());
      assertEquals("Try \"sbatch --help\" for more information", e.messages().get(1).text());
      return e.messages().get(0).format("sbatch").strip();
    }
    return text.append(parser.operands()).toString();
  }

  private static String mixed(String... words) {
    return parse(OptionParser.Operands.MIXED, words);
  }

  @Test
  void lettersAreBundledAndTheLastTakesTheNextWord() {
    assertEquals("all=null noheader=null format=%i []", mixed("-aho", "%i"));
    assertEquals("format=%P []", mixed("-o%P"));
    assertEquals("format= %i []", mixed("-o %i"));
    assertEquals("all=null format=x []", mixed("-aox"));
  }

  @Test
  void longNamesTakeTheirArgumentInEitherForm() {
    assertEquals("format=%i []", mixed("--format=%i"));
    assertEquals("format=%i []", mixed("--format", "%i"));
    assertEquals("format= []", mixed("--format="));
    assertEquals("format=a=b []", mixed("--format=a=b"));
    assertEquals("format=-x []", mixed("--format", "-x"));
  }

  @Test
  void uniquePrefixesName() {
    assertEquals("format=x []", mixed("--fo=x"));
    assertEquals("ntasks=4 []", mixed("--ntasks", "4"));
    assertEquals("per-node=4 []", mixed("--tasks", "4"));
    assertEquals("same=null []", mixed("--twin"));
  }

  @Test
  void optionalArgumentsAreAttached() {
    assertEquals("nice=null [5]", mixed("--nice", "5"));
    assertEquals("nice=5 []", mixed("--nice=5"));
    assertEquals("nice= []", mixed("--nice="));
    assertEquals("jobs=null [7]", mixed("-j", "7"));
    assertEquals("jobs=7 []", mixed("-j7"));
  }

  @Test
  void operandsMayStandAnywhereUntilTwoDashes() {
    assertEquals("all=null [x, y, -h, -]", mixed("x", "-a", "y", "--", "-h", "-"));
    assertEquals("all=null [-]", mixed("-", "-a"));
  }

  @Test
  void firstOperandCanEndOptions() {
    assertEquals(
        "all=null [script, -a, --, x]",
        parse(OptionParser.Operands.END_OPTIONS, "-a", "script", "-a", "--", "x"));
    assertEquals("[-x]", parse(OptionParser.Operands.END_OPTIONS, "--", "-x"));
  }

  @Test
  void messagesAreThoseOfTheLibrary() {
    assertEquals("sbatch: unrecognized option '--nonsense'", mixed("--nonsense"));
    assertEquals("sbatch: unrecognized option '--nonsense=1'", mixed("--nonsense=1"));
    assertEquals("sbatch: invalid option -- 'Z'", mixed("-aZ"));
    assertEquals("sbatch: option '--format' requires an argument", mixed("--fo"));
    assertEquals("sbatch: option requires an argument -- 'o'", mixed("-o"));
    assertEquals("sbatch: option '--all' doesn't allow an argument", mixed("--al=1"));
    assertEquals(
        "sbatch: option '--ntasks-' is ambiguous; possibilities:"
            + " '--ntasks-per-node' '--ntasks-per-socket'",
        mixed("--ntasks-", "4"));
  }

  @Test
  void optionsBeforeTheBadOneAreSeen() throws CommandException {
    OptionParser<String> parser =
        new OptionParser<>("squeue", TABLE, OptionParser.Operands.MIXED, List.of("-a", "--nope"));
    assertEquals(new ParsedOption<>("all", null), parser.next());
    assertThrows(CommandException.class, parser::next);
  }
}
