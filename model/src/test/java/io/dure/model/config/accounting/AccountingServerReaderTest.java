package io.dure.model.config.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.config.AccountingStorage;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.slurmconf.ConfigReport;
import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What sites write of their database, and which server that is. */
@Tag("pure")
class AccountingServerReaderTest {
  private static final String CONF = "/etc/slurm/slurm.conf";
  private static final String SITE =
      """
      # as a site has it
      AuthType=auth/munge
      DbdHost=db0
      DbdPort=6819
      LogFile=/var/log/slurmdbd.log
      SlurmUser=slurm
      StorageHost=db1
      StorageLoc=slurm_acct_db
      StoragePass="s3'cr et\\#"
      StorageType=accounting_storage/mysql
      StorageUser=keeper
      """;

  private final Map<String, String> files = new HashMap<>();

  private ParsedConfig parsed(String lines) {
    files.put(CONF, "ClusterName=lab\nSlurmctldHost=vm\n" + lines);
    return SlurmConfParser.parse(CONF, files::get);
  }

  private AccountingServerReader.Found found(String lines) {
    AccountingStorage chosen = parsed(lines).config().settings().controller().accountingStorage();
    return AccountingServerReader.read(CONF, chosen, files::get);
  }

  private AccountingServer server(String lines) {
    AccountingServerReader.Found found = found(lines);
    assertEquals(List.of(), found.errors());
    AccountingServer server = found.server();
    assertNotNull(server);
    return server;
  }

  private List<String> errors(String lines) {
    AccountingServerReader.Found found = found(lines);
    assertNull(found.server());
    return found.errors().stream().map(ConfigReport::line).toList();
  }

  @Test
  void theFilesOfASiteWithSlurmdbdNameItsDatabase() {
    files.put("/etc/slurm/slurmdbd.conf", SITE);
    AccountingServer server =
        server(
            """
            AccountingStorageType=accounting_storage/slurmdbd
            AccountingStorageHost=db0
            AccountingStoragePort=6819
            AccountingStoragePass=/var/run/munge/global.socket.2
            """);
    assertEquals(
        new AccountingServer(
            AccountingStorage.MARIADB,
            List.of("db1"),
            3306,
            "slurm_acct_db",
            new AccountingServer.Login("keeper", "s3'cr et#"),
            Map.of()),
        server);
    assertFalse(server.toString().contains("s3"), server.toString());
    assertFalse(server.login().toString().contains("s3"), server.login().toString());
  }

  @Test
  void aSecondHostIsAskedWhereTheFirstDoesNotAnswer() {
    files.put("/etc/slurm/slurmdbd.conf", SITE + "StorageBackupHost=db2\n");
    assertEquals(
        "MariaDB at db1 or db2:3306, database slurm_acct_db",
        server("AccountingStorageType=accounting_storage/slurmdbd\n").toString());
    files.clear();
    assertEquals(
        List.of("db3", "db4"),
        server(
                """
                AccountingStorageType=accounting_storage/mysql
                AccountingStorageHost=db3
                AccountingStorageBackupHost=db4
                """)
            .hosts());
  }

  @Test
  void slurmConfAloneIsEnough() {
    AccountingServer server =
        server(
            """
            AccountingStorageType=accounting_storage/postgresql
            AccountingStorageHost=db2
            AccountingStorageUser=books
            AccountingStoragePass=secret
            """);
    assertEquals("PostgreSQL at db2:5432, database slurm_acct_db", server.toString());
    assertEquals("secret", server.login().password());
  }

  @Test
  void slurmConfComesBeforeSlurmdbdConf() {
    files.put("/etc/slurm/slurmdbd.conf", SITE + "StoragePort=3307\n");
    AccountingServer server =
        server(
            """
            AccountingStorageType=accounting_storage/mysql
            AccountingStorageHost=near
            AccountingStorageLoc=books
            """);
    assertEquals("MariaDB at near:3307, database books", server.toString());
    assertEquals("s3'cr et#", server.login().password());
  }

  @Test
  void whatIsChosenOtherwiseIsNoServer() {
    files.put("/etc/slurm/slurmdbd.conf", SITE);
    assertNull(found("AccountingStorageType=accounting_storage/none\n").server());
    assertNull(found("AccountingStorageType=accounting_storage/embedded\n").server());
    assertNotNull(found("").server());
    files.clear();
    assertNull(found("").server());
    assertNull(found("AccountingStorageType=accounting_storage/slurmdbd\n").server());
    assertEquals(List.of(), found("").diagnostics());
  }

  @Test
  void aPasswordIsInNoSettingThatIsKeptOrShown() {
    ParsedConfig parsed =
        parsed(
            """
            AccountingStorageType=accounting_storage/mysql
            AccountingStoragePass=verysecret
            """);
    ClusterConfig config = parsed.config();
    assertFalse(config.toString().contains("verysecret"));
    assertFalse(config.values().containsKey("AccountingStoragePass"));
    List<String> lines = ConfigReport.lines(parsed);
    assertTrue(lines.stream().anyMatch(line -> line.contains("slurmdbd.conf")), lines.toString());
    assertTrue(lines.stream().noneMatch(line -> line.contains("verysecret")), lines.toString());
  }

  @Test
  void whatIsWrongIsSaidWithItsLine() {
    files.put(
        "/etc/slurm/slurmdbd.conf",
        SITE + "StorageHots=x\nMaxQueryTimeRange=1-0\nStorageParameters=SSL_CIPHER=x\n");
    String chosen = "AccountingStorageType=accounting_storage/slurmdbd\n";
    assertEquals(
        List.of(
            "/etc/slurm/slurmdbd.conf:12: error: StorageHots: Parsing error at unrecognized key:"
                + " StorageHots. Did you mean StorageHost?",
            "/etc/slurm/slurmdbd.conf:14: error: StorageParameters: parameter SSL_CIPHER=x is not"
                + " there. Write some of SSL_CA, each with =FILE."),
        errors(chosen));
    assertTrue(
        found(chosen).diagnostics().stream()
            .map(ConfigReport::line)
            .anyMatch(line -> line.contains("MaxQueryTimeRange: read, and not acted on")));
    files.put("/etc/slurm/slurmdbd.conf", "DbdHost=x\n");
    assertTrue(errors(chosen).getFirst().contains("StorageType: not set"));
    files.put("/etc/slurm/slurmdbd.conf", SITE + "StoragePort=many\nStorageLoc=a?b=c\n");
    assertEquals(2, errors(chosen).size(), errors(chosen).toString());
  }

  private boolean tracksWckeys(String line) {
    files.put("/etc/slurm/slurmdbd.conf", SITE + line);
    AccountingServerReader.Daemon read =
        AccountingServerReader.daemon("/etc/slurm/slurmdbd.conf", files::get);
    assertEquals(List.of(), read.diagnostics());
    return read.settings().tracksWckeys();
  }

  @Test
  void slurmdbdTracksWorkloadKeysWhereItIsTold() {
    assertTrue(tracksWckeys("TrackWCKey=Yes\n"));
    assertTrue(tracksWckeys("trackwckey=1\n"));
    assertFalse(tracksWckeys("TrackWCKey=no\n"));
    assertFalse(tracksWckeys(""));
  }
}
