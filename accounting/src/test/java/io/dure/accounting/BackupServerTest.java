package io.dure.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.config.accounting.AccountingServer;
import io.dure.testkit.database.DatabaseServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The second host of the books is used where the first one, which is asked first, is of no use. */
@Tag("process")
class BackupServerTest {
  private static final String FIRST = "127.0.0.2";

  @AfterAll
  static void stopServers() throws IOException {
    TestDatabases.stop();
  }

  private static AccountingServer twoHosts(DatabaseServer.Kind kind) throws IOException {
    AccountingServer alone = TestDatabases.server(kind);
    return new AccountingServer(
        alone.storage(),
        List.of(FIRST, alone.hosts().getFirst()),
        alone.port(),
        alone.database(),
        alone.login(),
        alone.parameters());
  }

  private static long position(AccountingDatabase database) {
    database.migrate();
    return new RecordWriter(database, "main", "origin", ZoneOffset.UTC, _ -> {}).position();
  }

  @ParameterizedTest
  @EnumSource(DatabaseServer.Kind.class)
  void aHostWhereNothingListensIsPassedOver(DatabaseServer.Kind kind) throws IOException {
    try (AccountingDatabase database = AccountingDatabase.on(twoHosts(kind))) {
      assertEquals(0, position(database));
    }
  }

  @ParameterizedTest
  @EnumSource(DatabaseServer.Kind.class)
  void aHostThatHangsUpIsAskedFirstAndPassedOver(DatabaseServer.Kind kind) throws IOException {
    AccountingServer server = twoHosts(kind);
    AtomicInteger asked = new AtomicInteger();
    try (ServerSocket first = new ServerSocket(server.port(), 50, InetAddress.getByName(FIRST));
        AccountingDatabase database = AccountingDatabase.on(server)) {
      Thread.ofVirtual()
          .start(() -> {
            while (!first.isClosed()) {
              try (Socket _ = first.accept()) {
                asked.incrementAndGet();
              } catch (IOException e) {
                return;
              }
            }
          });
      assertEquals(0, position(database));
      assertTrue(asked.get() > 0);
    }
  }
}
