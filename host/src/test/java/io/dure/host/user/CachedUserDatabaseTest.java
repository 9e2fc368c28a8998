package io.dure.host.user;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
class CachedUserDatabaseTest {
  private final LibcUserDatabase libc = new LibcUserDatabase();

  @Test
  void knowsEveryLineOfThePasswordFile() throws Exception {
    int known = 0;
    for (String line : Files.readAllLines(Path.of("/etc/passwd"))) {
      String[] fields = line.split(":", -1);
      if (fields.length != 7) {
        continue;
      }
      PasswdEntry expected =
          new PasswdEntry(
              fields[0],
              Integer.parseUnsignedInt(fields[2]),
              Integer.parseUnsignedInt(fields[3]),
              fields[5],
              fields[6],
              fields[4].split(",", 2)[0]);
      assertEquals(expected, libc.userByName(fields[0]));
      PasswdEntry byNumber = libc.userByUid(expected.uid());
      assertNotNull(byNumber);
      assertEquals(expected.uid(), byNumber.uid());
      known++;
    }
    assertTrue(known > 0);
  }

  @Test
  void knowsEveryGroupWithItsMembers() throws Exception {
    for (String line : Files.readAllLines(Path.of("/etc/group"))) {
      String[] fields = line.split(":", -1);
      if (fields.length != 4) {
        continue;
      }
      List<String> members = Stream.of(fields[3].split(",")).filter(m -> !m.isEmpty()).toList();
      GroupEntry expected = new GroupEntry(fields[0], Integer.parseUnsignedInt(fields[2]), members);
      assertEquals(expected, libc.groupByName(fields[0]));
      assertNotNull(libc.groupByGid(expected.gid()));
    }
  }

  @Test
  void groupsAreThoseThatIdPrints() throws Exception {
    for (String line : Files.readAllLines(Path.of("/etc/passwd"))) {
      PasswdEntry user = libc.userByName(line.split(":", -1)[0]);
      if (user == null) {
        continue;
      }
      Process id = new ProcessBuilder("id", "-G", user.name()).start();
      String printed =
          new String(id.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      TreeSet<Integer> expected = new TreeSet<>();
      Arrays.stream(printed.split(" ")).map(Integer::parseUnsignedInt).forEach(expected::add);
      assertEquals(expected, new TreeSet<>(libc.groupsOf(user.name(), user.gid())));
    }
  }

  @Test
  void groupsMayBeAskedForOnlyWhenTheirFileHasChanged(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("group"), "");
    List<String> asked = new ArrayList<>();
    Instant[] now = {Instant.EPOCH};
    CachedUserDatabase users =
        new CachedUserDatabase(counting(asked), () -> now[0], Duration.ofSeconds(10), file);
    users.groupsOf("alice", 7);
    users.userByName("alice");
    now[0] = now[0].plusSeconds(11);
    users.groupsOf("alice", 7);
    users.userByName("alice");
    assertEquals(List.of("groups", "user", "user"), asked);
    Files.setLastModifiedTime(file, FileTime.fromMillis(1));
    users.groupsOf("alice", 7);
    assertEquals(3, asked.size(), "remembered for the time");
    now[0] = now[0].plusSeconds(11);
    users.groupsOf("alice", 7);
    assertEquals(List.of("groups", "user", "user", "groups"), asked);
  }

  private static UserDatabase counting(List<String> asked) {
    return new UserDatabase() {
      @Override
      public PasswdEntry userByName(String name) {
        asked.add("user");
        return new PasswdEntry(name, 7, 7, "/", "/bin/sh", "");
      }

      @Override
      public PasswdEntry userByUid(int uid) {
        return userByName("alice");
      }

      @Override
      public GroupEntry groupByName(String name) {
        return new GroupEntry(name, 7, List.of());
      }

      @Override
      public GroupEntry groupByGid(int gid) {
        return groupByName("g");
      }

      @Override
      public List<Integer> groupsOf(String userName, int primaryGid) {
        asked.add("groups");
        return List.of(primaryGid);
      }
    };
  }

  @Test
  void theCurrentUserIsTheOneWithOurNumber() {
    assertEquals(
        libc.userByUid(CurrentProcess.effectiveUid()),
        CachedUserDatabase.ofThisMachine().currentUser());
  }

  @Test
  void unknownIsNull() {
    assertNull(libc.userByName("no-such-user-here"));
    assertNull(libc.userByUid(1_987_654_321));
    assertNull(libc.userByUid(-17));
    assertNull(libc.groupByName("no-such-group-here"));
    assertNull(libc.groupByGid(1_987_654_321));
    assertEquals(List.of(7), libc.groupsOf("no-such-user-here", 7));
  }

  @Test
  void namesThatCannotBeNamesAreUnknown() {
    // To the C library this one would be root.
    assertNull(libc.userByName("root\0x"));
    assertNull(libc.groupByName("root\0x"));
    assertEquals(List.of(7), libc.groupsOf("root\0x", 7));
    assertNull(libc.userByName(""));
    assertNull(libc.userByName("x".repeat(100_000)));
    assertNull(libc.userByName("käse:\n*"));
  }

  @Test
  void ownNumbersAreThoseThatIdPrints() throws Exception {
    assertEquals(id("-u"), CurrentProcess.effectiveUid());
    assertEquals(id("-g"), CurrentProcess.effectiveGid());
    assertEquals(id("-ru"), CurrentProcess.realUid());
    assertEquals(id("-rg"), CurrentProcess.realGid());
    assertEquals(ProcessHandle.current().pid(), CurrentProcess.pid());
  }

  private static int id(String option) throws Exception {
    Process id = new ProcessBuilder("id", option).start();
    return Integer.parseUnsignedInt(
        new String(id.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
  }

  @Test
  void answersAreRememberedForAWhileUnknownOnesToo() {
    CountingDatabase database = new CountingDatabase();
    Instant[] now = {Instant.EPOCH};
    CachedUserDatabase users =
        new CachedUserDatabase(database, () -> now[0], Duration.ofSeconds(60));
    for (int i = 0; i < 3; i++) {
      assertEquals("ann", users.userByUid(1).name());
      assertNull(users.userByUid(2));
      assertNull(users.userByName("nobody"));
      assertEquals(List.of(5, 6), users.groupsOf("ann", 5));
    }
    assertEquals(List.of("uid 1", "uid 2", "name nobody", "groups ann"), database.asked);
    now[0] = now[0].plusSeconds(60);
    assertEquals("ann", users.userByUid(1).name());
    assertEquals(5, database.asked.size());
    users.forget();
    assertEquals("ann", users.userByUid(1).name());
    assertEquals(6, database.asked.size());
  }

  @Test
  void manyNamesDoNotFillTheMemory() {
    CountingDatabase database = new CountingDatabase();
    CachedUserDatabase users =
        new CachedUserDatabase(database, () -> Instant.EPOCH, Duration.ofSeconds(60));
    for (int i = 0; i < 50_000; i++) {
      assertNull(users.userByName("name" + i));
    }
    assertTrue(users.remembered() <= 10_000);
  }

  private static final class CountingDatabase implements UserDatabase {
    final List<String> asked = new ArrayList<>();

    @Override
    public PasswdEntry userByName(String name) {
      asked.add("name " + name);
      return null;
    }

    @Override
    public PasswdEntry userByUid(int uid) {
      asked.add("uid " + uid);
      return uid == 1 ? new PasswdEntry("ann", 1, 5, "/home/ann", "/bin/sh", "") : null;
    }

    @Override
    public GroupEntry groupByName(String name) {
      return null;
    }

    @Override
    public GroupEntry groupByGid(int gid) {
      return null;
    }

    @Override
    public List<Integer> groupsOf(String userName, int primaryGid) {
      asked.add("groups " + userName);
      return List.of(primaryGid, 6);
    }
  }
}
