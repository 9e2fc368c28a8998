package io.dure.node.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.dure.host.user.CurrentProcess;
import io.dure.model.UserIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where profiles are written, and where not. */
@Tag("pure")
class ProfileFileTest {
  @TempDir private Path root;

  private static UserIdentity user(String name) {
    int uid = CurrentProcess.effectiveUid() == 0 ? 4711 : CurrentProcess.effectiveUid();
    return new UserIdentity(uid, 4711, name, "group");
  }

  private ProfileFile open(String user) throws IOException {
    return ProfileFile.open(root, user(user), "1_0_n1.csv", "a,b\n");
  }

  @Test
  void aFileIsTheUsersAndGoesOn() throws IOException {
    open("ann").append("1,2\n");
    open("ann").append("3,4\n");
    Path file = root.resolve("ann/1_0_n1.csv");
    assertEquals("a,b\n1,2\n3,4\n", Files.readString(file));
    assertEquals(user("ann").uid(), Files.getAttribute(file, "unix:uid"));
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    assertEquals(
        CurrentProcess.effectiveUid(), Files.getAttribute(root.resolve("ann"), "unix:uid"));
  }

  @Test
  void nothingIsWrittenThroughALink() throws IOException {
    Path other = Files.createDirectory(root.resolve("other"));
    Files.createSymbolicLink(root.resolve("ann"), other);
    assertThrows(IOException.class, () -> open("ann"));
    Path victim = Files.writeString(root.resolve("victim"), "whole");
    Files.createSymbolicLink(
        Files.createDirectory(root.resolve("bob")).resolve("1_0_n1.csv"), victim);
    ProfileFile linked = open("bob");
    assertThrows(IOException.class, () -> linked.append("1,2\n"));
    assertEquals("whole", Files.readString(victim));
  }

  @Test
  void noNameLeadsElsewhere() {
    assertThrows(IOException.class, () -> open("../ann"));
    assertThrows(IOException.class, () -> open("/tmp"));
    assertThrows(IOException.class, () -> open(".."));
  }
}
