package io.dure.surface.show;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.surface.accounts.AccountingField;
import io.dure.surface.accounts.AccountingTable;
import io.dure.surface.print.PlainText;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Names that users choose forge no lines and steer no terminal. */
@Tag("pure")
class HarmlessTextTest {
  private static final String FORGED = "a\u001b[2J\nJobId=77 JobName=b\u2028c\u0085d\u202ee";
  private static final String SHOWN = "a?[2J?JobId=77 JobName=b?c?d?e";

  @Test
  void whatEndsALineOrSteersATerminalIsReplaced() {
    assertEquals(SHOWN, PlainText.of(FORGED));
    assertEquals("?", PlainText.of("\t"));
    assertEquals("?", PlainText.of("\ud800"));
  }

  @Test
  void otherLettersStay() {
    for (String text : List.of("", "plain ~", "학습 작업 1", "naïve", "👩‍🔬")) {
      assertEquals(text, PlainText.of(text));
    }
  }

  @Test
  void aRecordHasItsOwnLinesOnly() {
    RecordText record = new RecordText();
    record.line("JobId=1 JobName=" + FORGED).line("Comment", FORGED).and("AdminComment", FORGED);
    String fields = "JobId=1 JobName=%1$s%2$sComment=%1$s AdminComment=%1$s";
    assertEquals(fields.formatted(SHOWN, "\n   ") + "\n\n", record.text(false));
    assertEquals(fields.formatted(SHOWN, " ") + "\n", record.text(true));
  }

  @Test
  void aReasonOfSeveralLinesGoesOnBelow() {
    RecordText record = new RecordText();
    record.line("NodeName=n1").line("Reason", "disk").below("and fan [root]");
    assertEquals("NodeName=n1\n   Reason=disk\n          and fan [root]\n\n", record.text(false));
    assertEquals("NodeName=n1 Reason=disk and fan [root]\n", record.text(true));
  }

  @Test
  void aTableHasALineForEachRow() {
    AccountingField<String> field =
        new AccountingField<>("Comment", List.of("comment"), 40, row -> row);
    AccountingTable table = new AccountingTable(AccountingTable.Style.BARS, false);
    assertEquals(SHOWN + "\n", table.text(List.of(field), List.of(FORGED)));
  }
}
