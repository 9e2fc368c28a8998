package io.dure.controller.slurmdbd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.accounting.AccountingDatabase;
import io.dure.accounting.ClusterLines;
import io.dure.accounting.store.DatabaseStore;
import io.dure.accounting.tree.AccountsTable;
import io.dure.controller.accounting.KeptLog;
import io.dure.controller.accounting.SlurmdbdClient;
import io.dure.controller.accounting.upkeep.AccountingUpkeep;
import io.dure.controller.accounting.upkeep.LocalBookKeeping;
import io.dure.host.trust.ClusterKey;
import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.accounting.usage.ClusterUsage;
import io.dure.model.accounting.usage.DecayedUsage;
import io.dure.model.config.accounting.RecordKind;
import io.dure.model.config.accounting.RetentionAge;
import io.dure.model.config.accounting.RetentionSettings;
import io.dure.protocol.accounting.ArchiveOrder;
import io.dure.protocol.accounting.ClusterHistoryQuery;
import io.dure.protocol.slurmdbd.ClusterChange;
import io.dure.protocol.slurmdbd.SlurmdbdReply;
import io.dure.protocol.slurmdbd.SlurmdbdRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Controllers of two clusters, and what slurmdbd answers them. */
@Tag("process")
class SlurmdbdServerTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Instant OLD = Instant.parse("2024-03-10T00:00:00Z");
  private static final ArchiveOrder AS_CONFIGURED = new ArchiveOrder(List.of(), null, null);

  @TempDir Path temp;
  private AccountingDatabase database;
  private AccountingUpkeep upkeep;
  private SlurmdbdServer server;
  private SlurmdbdClient client;

  @BeforeEach
  void start() throws IOException {
    KeptLog log = new KeptLog();
    database = AccountingDatabase.inFile(temp.resolve("books.db"));
    DatabaseStore records = new DatabaseStore(database, ZoneOffset.UTC, List.of(), log);
    records.migrate();
    AccountsTable table = new AccountsTable(database);
    SharedAccounts accounts = new SharedAccounts(table);
    RetentionAge month = new RetentionAge(1, RetentionAge.Unit.MONTHS);
    upkeep =
        new AccountingUpkeep(
            database,
            table::recorded,
            new RetentionSettings(
                Map.of(RecordKind.TRANSACTIONS, new RetentionSettings.Rule(month, true)),
                temp.resolve("archives").toString(),
                null,
                true),
            () -> false,
            InstantSource.system(),
            log);
    ClusterKey key = ClusterKey.generate(new SecureRandom(), "0".repeat(64));
    ServerSocket port = SlurmdbdServer.bind(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0);
    server =
        new SlurmdbdServer(
            port,
            key,
            new KeptBooks(
                records,
                accounts,
                new LocalBookKeeping(upkeep, List.of(), accounts::administered),
                new UsedWckeys(false, accounts, records, log)),
            InstantSource.system(),
            log);
    server.start();
    client =
        new SlurmdbdClient(
            List.of(InetSocketAddress.createUnresolved("127.0.0.1", port.getLocalPort())),
            key,
            InstantSource.system());
    open("left", "first");
    open("right", "first");
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
    upkeep.close();
    database.close();
  }

  private <R extends SlurmdbdReply> R ask(SlurmdbdRequest request, Class<R> type)
      throws IOException {
    return assertInstanceOf(type, client.ask(request, LIMIT));
  }

  private SlurmdbdReply.Position open(String cluster, String origin) throws IOException {
    return ask(
        new SlurmdbdRequest.OpenCluster(cluster, origin, "host", 1, AccountingRecords.INITIAL),
        SlurmdbdReply.Position.class);
  }

  private String refused(SlurmdbdRequest request) throws IOException {
    return ask(request, SlurmdbdReply.Failed.class).text();
  }

  private String denied(SlurmdbdRequest request) throws IOException {
    SlurmdbdReply.Denied denied = ask(request, SlurmdbdReply.Denied.class);
    assertEquals(ErrorCode.ACCESS_DENIED, denied.refused().code());
    return denied.refused().detail();
  }

  private AccountingRecords accounts(String cluster) throws IOException {
    return ask(
            new SlurmdbdRequest.AwaitAccounts(cluster, -1, "first"),
            SlurmdbdReply.WholeAccounts.class)
        .accounts();
  }

  /** A change of long ago, and ada, who administers the cluster or does not. */
  private void fill(String cluster, AdminLevel ada) throws IOException {
    AccountingRecord old = new AccountingRecord.AccountsChange(OLD, "root", "Add Users", "u", "x");
    ask(
        new SlurmdbdRequest.StoreRecords(cluster, "first", 0, List.of(old), 1),
        SlurmdbdReply.Done.class);
    AccountingRecords before = accounts(cluster);
    List<AccountingChange> changes =
        List.of(
            new AccountingChange.UserSet(new AccountUser("ada", ada, "root")),
            new AccountingChange.AssociationSet(
                Association.ofUser(before.nextAssociation(), "root", "ada", null)));
    ask(
        new SlurmdbdRequest.ChangeAccounts(
            List.of(new ClusterChange(cluster, before.version(), changes)), "root", true),
        SlurmdbdReply.Done.class);
  }

  private int lines(String cluster) {
    return new ClusterLines(database, cluster)
        .find(
            new ClusterHistoryQuery(ClusterHistoryQuery.Part.TRANSACTIONS, OLD, OLD.plusSeconds(1)))
        .transactions()
        .size();
  }

  @Test
  void administratorsOfOneClusterMoveRecordsOfNoOther() throws IOException {
    fill("left", AdminLevel.ADMINISTRATOR);
    fill("right", AdminLevel.OPERATOR);
    denied(new SlurmdbdRequest.Archive(AS_CONFIGURED, "bob", false));
    // A controller that does not say for whom it asks.
    denied(new SlurmdbdRequest.Archive(AS_CONFIGURED, null, true));
    assertEquals(2, lines("left") + lines("right"));
    SlurmdbdReply.Partly told =
        ask(new SlurmdbdRequest.Archive(AS_CONFIGURED, "ada", false), SlurmdbdReply.Partly.class);
    assertEquals(List.of("your user is no administrator of right"), told.failures());
    assertEquals(1, told.lines().size(), told.toString());
    assertEquals(0, lines("left"));
    assertEquals(1, lines("right"));
    String left = file(told.lines());
    SlurmdbdReply.Lines rest =
        ask(new SlurmdbdRequest.Archive(AS_CONFIGURED, "root", true), SlurmdbdReply.Lines.class);
    assertEquals(0, lines("right"));
    assertEquals(
        "your user is no administrator of right",
        denied(new SlurmdbdRequest.LoadArchive(file(rest.lines()), "ada", false)));
    denied(new SlurmdbdRequest.LoadArchive(left, "bob", false));
    denied(new SlurmdbdRequest.LoadArchive(left, null, true));
    assertEquals(0, lines("left") + lines("right"));
    ask(new SlurmdbdRequest.LoadArchive(left, "ada", false), SlurmdbdReply.Lines.class);
    assertEquals(1, lines("left"));
  }

  @Test
  void aClusterWithoutAccountsIsForThoseThatAdministerAllOthers() throws IOException {
    fill("left", AdminLevel.ADMINISTRATOR);
    fill("right", AdminLevel.NONE);
    open("gone", "first");
    fill("gone", AdminLevel.NONE);
    remove("gone");
    SlurmdbdReply.Partly some =
        ask(new SlurmdbdRequest.Archive(AS_CONFIGURED, "ada", false), SlurmdbdReply.Partly.class);
    assertEquals(List.of("your user is no administrator of gone, right"), some.failures());
    remove("right");
    SlurmdbdReply.Lines others =
        ask(new SlurmdbdRequest.Archive(AS_CONFIGURED, "ada", false), SlurmdbdReply.Lines.class);
    assertEquals(2, others.lines().size(), others.toString());
    assertEquals(0, lines("left") + lines("right") + lines("gone"));
  }

  private void remove(String cluster) throws IOException {
    ask(
        new SlurmdbdRequest.RemoveClusters("left", List.of(cluster), "root", true),
        SlurmdbdReply.Done.class);
  }

  private static String file(List<String> lines) {
    assertEquals(1, lines.size(), lines.toString());
    return lines.getFirst().substring(lines.getFirst().indexOf('/'));
  }

  private static ClusterUsage.OfUser used(double seconds) {
    return new ClusterUsage.OfUser(
        "root", "ada", null, new DecayedUsage(OLD, seconds, 0, 0, 0, List.of(), 0));
  }

  private static SlurmdbdRequest share(
      String cluster, String origin, List<ClusterUsage.OfUser> users) {
    return new SlurmdbdRequest.ShareUsage(
        cluster, "", 0, true, users, "teller of " + origin, 9, origin);
  }

  @Test
  void aSecondClusterOfANameNeitherFollowsNorTells() throws IOException {
    String text =
        "the accounting database has records of another cluster left (origin first, this one"
            + " second): give one of them another ClusterName";
    ask(share("left", "first", List.of(used(100))), SlurmdbdReply.SharedUsage.class);
    assertEquals(
        text,
        refused(
            new SlurmdbdRequest.OpenCluster("left", "second", "h", 2, AccountingRecords.INITIAL)));
    assertEquals(text, refused(new SlurmdbdRequest.AwaitAccounts("left", -1, "second")));
    assertEquals(text, refused(share("left", "second", List.of())));
    SlurmdbdReply.SharedUsage heard =
        ask(share("right", "first", List.of()), SlurmdbdReply.SharedUsage.class);
    assertEquals(List.of(new ClusterUsage("left", List.of(used(100)))), heard.changed());
    assertTrue(accounts("left").version() >= 0);
    // One that was added before its controller came is for the first that comes.
    ask(new SlurmdbdRequest.AddCluster("later", "root", true), SlurmdbdReply.Done.class);
    ask(new SlurmdbdRequest.AwaitAccounts("later", -1, "any"), SlurmdbdReply.WholeAccounts.class);
  }
}
