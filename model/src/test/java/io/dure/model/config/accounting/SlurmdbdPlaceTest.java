package io.dure.model.config.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where slurm.conf says that slurmdbd is. */
@Tag("pure")
class SlurmdbdPlaceTest {
  private static final String TYPE = "AccountingStorageType";

  @Test
  void itIsNamedByItsHostsAndPort() {
    Map<String, String> values =
        Map.of(
            TYPE,
            "accounting_storage/SlurmDBD",
            "AccountingStorageHost",
            "books1",
            "AccountingStorageBackupHost",
            "books2",
            "AccountingStoragePort",
            "7000");
    assertEquals(new SlurmdbdPlace(List.of("books1", "books2"), 7000), SlurmdbdPlace.of(values));
  }

  @Test
  void whatIsNotSaidIsUsual() {
    Map<String, String> values =
        Map.of(
            TYPE,
            "accounting_storage/slurmdbd",
            "AccountingStorageBackupHost",
            "(null)",
            "AccountingStoragePort",
            "0");
    assertEquals(new SlurmdbdPlace(List.of("localhost"), 6819), SlurmdbdPlace.of(values));
  }

  @Test
  void otherRecordsAreNotThere() {
    assertNull(SlurmdbdPlace.of(Map.of()));
    assertNull(SlurmdbdPlace.of(Map.of(TYPE, "accounting_storage/mysql")));
  }
}
