package io.dure.e2e.accounting;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * A cluster of two tenants: zphys, with zlab below it, which zcoord coordinates, and zbio. Of zlab
 * are zalice, who has no jobs, and zpeer, of zbio zfar; these two have jobs that ran, run and wait.
 * zoper is an operator.
 */
final class TenantSite implements AutoCloseable {
  private static final Await SOON = Await.seconds(60);

  final Cluster cluster;
  private int peerJob;
  private int farJob;
  private int farWait;

  /**
   * Starts it.
   *
   * @param slurmdbd the text of slurmdbd.conf, empty for none
   */
  TenantSite(String slurmdbd) throws IOException {
    cluster = Cluster.prepare(conf("none"));
    if (!slurmdbd.isEmpty()) {
      Path file = cluster.dir().resolve("slurmdbd.conf");
      Files.writeString(file, slurmdbd);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
    Files.writeString(cluster.dir().resolve("cost.conf"), "Price=cpu PerHour=3600\n");
    cluster.startAll();
    for (String line :
        List.of(
            "add account zphys,zbio",
            "add account zlab parent=zphys",
            "add user zalice,zpeer account=zlab",
            "add user zcoord account=zphys",
            "add user zfar account=zbio wckeys=zkey",
            "add user zoper account=zphys",
            "modify user zoper set adminlevel=operator",
            "add coordinator account=zphys names=zcoord",
            "add coordinator account=zbio names=zfar")) {
      sacctmgr(line);
    }
    jobs(as("zpeer"), as("zfar"));
    Session root = cluster.admin();
    trigger(peerJob, "/bin/peer");
    trigger(farJob, "/bin/far");
    root.run("scontrol", "update", "NodeName=n3", "State=DRAIN", "Reason=brokenfan").okSilently();
    root.run(
            "scontrol",
            "create",
            "reservation",
            "ReservationName=farresv",
            "Users=zfar",
            "StartTime=now",
            "Duration=60",
            "Nodes=n4")
        .ok();
    SOON.until(
        "the books have what happened",
        () ->
            root.run("sacct", "-a", "-X", "-n", "-o", "JobName%20").output().contains("fardone")
                && root.run("sacctmgr", "-n", "show", "event").output().contains("brokenfan"));
  }

  private void trigger(int job, String program) {
    String id = Integer.toString(job);
    cluster.admin().run("strigger", "--set", "-j", id, "--fini", "-p", program).ok();
  }

  /** A shell of one of them. */
  Session as(String name) {
    return cluster.as(User.named(name));
  }

  /** Has root change the accounts. */
  void sacctmgr(String line) {
    List<String> words = new ArrayList<>(List.of("sacctmgr", "-i"));
    words.addAll(List.of(line.split(" ")));
    cluster.admin().run(words.toArray(String[]::new)).ok();
  }

  /** The running job of zpeer. */
  int peerJob() {
    return peerJob;
  }

  /** The running job of zfar. */
  int farJob() {
    return farJob;
  }

  /** The waiting job of zfar. */
  int farWait() {
    return farWait;
  }

  private static Conf conf(String privateData) {
    return Conf.nodes(4, 4)
        .with("PrivateData", privateData)
        .with("PriorityType", "priority/multifactor")
        .with("PriorityWeightAge", "1000")
        .with("TrackWCKey", "yes")
        .with("AccountingStorageType", "accounting_storage/embedded")
        .with("AccountingStorageEnforce", "associations");
  }

  private void jobs(Session peer, Session far) {
    int peerDone = peer.submit("-J", "peerdone", "-w", "n1", "--wrap", "true");
    int farDone = far.submit("-J", "fardone", "-w", "n1", "--wrap", "true");
    cluster.await(peerDone, "COMPLETED");
    cluster.await(farDone, "COMPLETED");
    String step = "srun sleep 600";
    peerJob = peer.submit("-J", "peerjob", "-w", "n1", "-n1", "--wrap", step);
    farJob = far.submit("-J", "farjob", "-w", "n2", "-n1", "--wrap", step);
    cluster.await(peerJob, "RUNNING");
    cluster.await(farJob, "RUNNING");
    // Neither starts: n1 and n2 have too little left.
    peer.submit("-J", "peerwait", "-w", "n1", "-N1", "--exclusive", "-t", "10", "--wrap", "true");
    farWait =
        far.submit("-J", "farwait", "-w", "n2", "-N1", "--exclusive", "-t", "10", "--wrap", "true");
    SOON.until(
        "both have a step",
        () -> {
          String steps = cluster.admin().run("squeue", "-h", "-s", "-o", "%i").output();
          return steps.contains(peerJob + ".0") && steps.contains(farJob + ".0");
        });
  }

  /** Sets PrivateData. */
  void set(String privateData) {
    cluster.configure(conf(privateData));
    cluster.admin().run("scontrol", "reconfigure").output();
    SOON.until(
        "PrivateData=" + privateData,
        () ->
            cluster
                .admin()
                .run("scontrol", "show", "config")
                .output()
                .lines()
                .anyMatch(line -> line.matches("PrivateData +=.*" + privateData + ".*")));
  }

  @Override
  public void close() {
    cluster.close();
  }
}
