package io.dure.controller.accounting.upkeep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.config.AccountingStorage;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.accounting.AccountingServer;
import io.dure.model.config.accounting.RecordKind;
import io.dure.model.config.accounting.RetentionAge;
import io.dure.model.config.accounting.RetentionSettings;
import io.dure.model.config.slurmconf.SlurmConfParser;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How the records are kept, as a slurmdbd 22.05.8 tells it. */
@Tag("pure")
class BooksConfigurationTest {
  private static List<String> lines(@Nullable AccountingServer server) {
    ClusterConfig config =
        SlurmConfParser.parseAlone(
                "/etc/slurm/slurm.conf",
                """
                SlurmctldHost=vm
                ClusterName=main
                StateSaveLocation=/state
                TrackWCKey=yes
                NodeName=n1 CPUs=4 RealMemory=1000
                PartitionName=debug Nodes=n1
                """)
            .config();
    Map<RecordKind, RetentionSettings.Rule> rules =
        Map.of(
            RecordKind.JOBS, new RetentionSettings.Rule(age("12months"), true),
            RecordKind.EVENTS, new RetentionSettings.Rule(age("30days"), false));
    return BooksConfiguration.ofController(
        config,
        server,
        Path.of("/state/accounting/accounting.db"),
        new RetentionSettings(rules, "/tmp", null, true),
        Instant.EPOCH);
  }

  private static RetentionAge age(String text) {
    return Objects.requireNonNull(RetentionAge.of(text));
  }

  @Test
  void agesAndArchivesAreTold() {
    List<String> lines = lines(null);
    for (String line :
        List.of(
            "ArchiveDir             = /tmp",
            "ArchiveEvents          = No",
            "ArchiveJobs            = Yes",
            "ArchiveScript          = (null)",
            "PurgeEventAfter        = 30 days",
            "PurgeJobAfter          = 12 months*",
            "PurgeUsageAfter        = NONE",
            "SLURMDBD_CONF          = /etc/slurm/slurmdbd.conf",
            "StorageLoc             = /state/accounting/accounting.db",
            "TrackWCKey             = Yes")) {
      assertTrue(lines.contains(line), line + " in " + lines);
    }
    assertEquals(lines.stream().sorted(String.CASE_INSENSITIVE_ORDER).toList(), lines);
  }

  @Test
  void aServerIsToldWithoutItsPassword() {
    List<String> lines =
        lines(
            new AccountingServer(
                AccountingStorage.MARIADB,
                List.of("db"),
                3306,
                "books",
                new AccountingServer.Login("slurm", "secret"),
                Map.of()));
    assertTrue(
        lines.contains("StorageType            = accounting_storage/mysql"), lines.toString());
    assertTrue(lines.contains("StorageUser            = slurm"));
    assertTrue(lines.stream().noneMatch(line -> line.contains("secret")));
  }
}
