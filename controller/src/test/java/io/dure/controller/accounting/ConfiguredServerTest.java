package io.dure.controller.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.host.config.LocalConfigSource;
import io.dure.model.config.accounting.AccountingServer;
import io.dure.model.config.slurmconf.SlurmConfParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which server a controller connects to, and when it refuses to begin. */
@Tag("pure")
class ConfiguredServerTest {
  @TempDir Path folder;
  private final KeptLog log = new KeptLog();

  private AccountingServer find(String type) throws IOException {
    Path conf = folder.resolve("slurm.conf");
    Files.writeString(conf, "ClusterName=lab\nSlurmctldHost=vm\nAccountingStorageType=" + type);
    return ConfiguredServer.find(
        SlurmConfParser.parse(conf.toString(), new LocalConfigSource()).config(), log);
  }

  private void slurmdbd(String mode, String text) throws IOException {
    Path file = folder.resolve("slurmdbd.conf");
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  @Test
  void aPasswordThatOthersCanReadIsRefused() throws IOException {
    slurmdbd("rw-r-----", "StorageType=accounting_storage/mysql\nStoragePass=secret\n");
    IOException refusal =
        assertThrows(IOException.class, () -> find("accounting_storage/slurmdbd"));
    assertEquals(
        folder
            + "/slurmdbd.conf: others than its owner have access (group read), and it has the"
            + " password of the database. Do: chmod 600 "
            + folder
            + "/slurmdbd.conf",
        refusal.getMessage());
    assertThrows(IOException.class, () -> find("accounting_storage/mysql"));
    assertNull(find("accounting_storage/none"));
    assertNull(find("accounting_storage/embedded"));
    slurmdbd("rw-------", "StorageType=accounting_storage/mysql\nStoragePass=secret\n");
    assertNotNull(find("accounting_storage/slurmdbd"));
    assertEquals("secret", find("accounting_storage/mysql").login().password());
    assertTrue(log.with("secret").isEmpty());
  }

  @Test
  void withoutTheFileTheRecordsAreEmbedded() throws IOException {
    assertNull(find("accounting_storage/slurmdbd"));
    assertEquals(1, log.with("the accounting records are embedded").size());
  }

  @Test
  void whatIsWrongInItIsRefused() throws IOException {
    slurmdbd("rw-------", "StorageType=accounting_storage/oracle\nPurgeJobAfter=1month\n");
    IOException refusal =
        assertThrows(IOException.class, () -> find("accounting_storage/slurmdbd"));
    assertTrue(
        refusal.getMessage().startsWith(folder + "/slurmdbd.conf:1: error: StorageType: "),
        refusal.getMessage());
  }
}
