package io.dure.model.config.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What slurmdbd.conf hides of the books. */
@Tag("pure")
class BookPrivacyReaderTest {
  private static final String FILE = "/etc/slurm/slurmdbd.conf";

  private static BookPrivacyReader.Found read(String text) {
    return BookPrivacyReader.read(FILE, Map.of(FILE, text)::get);
  }

  @Test
  void wordsAreReadInAnyCase() {
    assertEquals(List.of("jobs", "users"), read("DbdHost=a\nprivatedata=Jobs,users\n").words());
    assertEquals(List.of(), read("PrivateData=none\n").words());
    assertEquals(List.of(), read("StorageHost=a\n").words());
    assertEquals(
        List.of(), BookPrivacyReader.read(FILE, Map.<String, String>of()::get).words(), "no file");
  }

  @Test
  void theLastLineCounts() {
    assertEquals(List.of("usage"), read("PrivateData=jobs\nPrivateData=usage\n").words());
  }

  @Test
  void whatIsNothingThatCanBePrivateIsNamedWithItsLine() {
    BookPrivacyReader.Found found = read("StorageHost=a\nPrivateData=jobs,nodes\n");
    assertEquals(1, found.diagnostics().size());
    assertEquals(2, found.diagnostics().getFirst().line());
    assertTrue(found.diagnostics().getFirst().message().contains("(nodes)"));
  }

  @Test
  void slurmdbdItselfRefusesTo() {
    Map<String, String> files =
        Map.of(FILE, "StorageType=accounting_storage/mysql\nPrivateData=job\n");
    assertTrue(AccountingServerReader.daemon(FILE, files::get).hasErrors());
    Map<String, String> right =
        Map.of(FILE, "StorageType=accounting_storage/mysql\nPrivateData=jobs\n");
    AccountingServerReader.Daemon read = AccountingServerReader.daemon(FILE, right::get);
    assertEquals(List.of("jobs"), read.settings().privateData());
    assertFalse(read.settings().tracksWckeys());
    assertEquals(List.of(), read.diagnostics());
  }
}
