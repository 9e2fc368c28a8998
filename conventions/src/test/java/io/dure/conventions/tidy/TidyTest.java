package io.dure.conventions.tidy;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rules that need the source, over the whole repository; prints its figures. */
@Tag("pure")
class TidyTest {
  private static final String EXCEPTIONS = "conventions/src/test/resources/tidy-exceptions.txt";

  /** How many exceptions there may be. This number is only ever lowered. */
  private static final int MOST_EXCEPTIONS = 0;

  @Test
  void theRepositoryIsTidy() {
    Sources sources = Sources.ofRepository();
    Report report = new Report();
    for (Rule rule :
        List.of(
            new TextRules(),
            new SizeRules(),
            new CRules(),
            new DocumentationRules(),
            new CodeRules(),
            new SealedSwitchRule(),
            new TestKindRule(),
            new EditorConfigRule(),
            new LinkRule(),
            new ShellRule())) {
      rule.inspect(sources, report);
    }
    Ratchet ratchet = Ratchet.read(sources.textOf(EXCEPTIONS));
    List<String> wrong = ratchet.judge(report.findings());
    System.out.println("tidy " + report.figures());
    System.out.println("  exceptions: " + ratchet.size() + " of at most " + MOST_EXCEPTIONS);
    assertTrue(sources.exists(EXCEPTIONS), EXCEPTIONS + " is missing");
    assertTrue(
        ratchet.size() <= MOST_EXCEPTIONS,
        () ->
            ratchet.size() + " exceptions, at most " + MOST_EXCEPTIONS + ": mend the code instead");
    assertTrue(
        ratchet.size() == MOST_EXCEPTIONS,
        () -> "fewer exceptions than MOST_EXCEPTIONS: lower it to " + ratchet.size());
    if (!wrong.isEmpty()) {
      fail(wrong.size() + " untidy places:\n  " + String.join("\n  ", wrong));
    }
  }
}
