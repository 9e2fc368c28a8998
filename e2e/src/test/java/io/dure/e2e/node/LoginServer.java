package io.dure.e2e.node;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.e2e.cluster.Checkout;
import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Processes;
import io.dure.e2e.cluster.Session;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An sshd of a cluster's node n1 on a port of its own, with a PAM service of its own in which the
 * module is: sshd asks for the service that its program is called after.
 */
final class LoginServer implements AutoCloseable {
  private static final Path SSHD = Path.of("/usr/sbin/sshd");
  private static final Path MODULE = Checkout.root().resolve("node/target/pam_slurm_adopt.so");
  private static final Await SOON = Await.seconds(30);

  private final Path directory;
  private final Path service;
  private final int port;

  /** Skips the test, visibly, where what it needs is not installed. */
  static void assumeInstalled() {
    assumeTrue(
        Files.isExecutable(SSHD) && Files.isExecutable(Path.of("/usr/bin/ssh")),
        "needs sshd and ssh; Debian: apt-get install openssh-server openssh-client");
    assumeTrue(
        Files.exists(MODULE),
        "needs "
            + MODULE
            + ", which is built where the headers of PAM are installed; Debian:"
            + " apt-get install libpam0g-dev");
  }

  /**
   * Starts one.
   *
   * @param stack of the module: account or session
   * @param options of the module, beside those that tell it where the daemon is
   */
  LoginServer(Cluster cluster, String stack, String... options) throws IOException {
    port = Cluster.freePort(1);
    directory =
        Files.createDirectory(cluster.dir().resolve("sshd-" + port + "-" + System.nanoTime()));
    String name = "dure-test-sshd-" + port;
    service = Path.of("/etc/pam.d", name);
    Path program = Files.createSymbolicLink(directory.resolve(name), SSHD);
    Files.createDirectories(Path.of("/run/sshd"));
    Files.writeString(
        service,
        """
        auth required pam_deny.so
        account required pam_permit.so
        session required pam_permit.so
        %s required %s service=%s nodename=n1 conf=%s %s
        """
            .formatted(stack, MODULE, name, cluster.confFile(), String.join(" ", options)));
    Session root = cluster.admin().in(directory);
    root.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "host").okSilently();
    root.script("known", "[127.0.0.1]:" + port + " " + root.read("host.pub"));
    Path configuration =
        root.script(
            "sshd_config",
            """
            Port %d
            ListenAddress 127.0.0.1
            HostKey %s/host
            PidFile %s/pid
            AuthorizedKeysFile %s/keys
            UsePAM yes
            PasswordAuthentication no
            KbdInteractiveAuthentication no
            StrictModes no
            """
                .formatted(port, directory, directory, directory));
    root.run(program.toString(), "-f", configuration.toString(), "-E", directory + "/log")
        .okSilently();
    SOON.until("sshd listens", () -> root.read("log").contains("listening on"));
  }

  /** Lets a user in by a key. */
  void knows(Session user) throws IOException {
    if (!Files.exists(user.directory().resolve("key"))) {
      user.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "key").okSilently();
    }
    Path keys = directory.resolve("keys");
    String before = Files.exists(keys) ? Files.readString(keys) : "";
    Files.writeString(keys, before + user.read("key.pub"));
  }

  /** The words that log a user in and run a line of shell there. */
  String[] words(Session user, String line) {
    List<String> words = new ArrayList<>(List.of("ssh", "-F", "none", "-i", "key"));
    for (String option :
        List.of(
            "BatchMode=yes",
            "IdentitiesOnly=yes",
            "UserKnownHostsFile=" + directory.resolve("known"))) {
      words.addAll(List.of("-o", option));
    }
    words.addAll(List.of("-p", "" + port, user.user().name() + "@127.0.0.1", line));
    return words.toArray(String[]::new);
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(service);
    int pid = Integer.parseInt(Files.readString(directory.resolve("pid")).strip());
    Processes.kill(pid, "TERM");
    SOON.until("the end of sshd", () -> !Processes.isAlive(pid));
  }
}
