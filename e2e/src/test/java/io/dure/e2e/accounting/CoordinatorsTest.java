package io.dure.e2e.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What coordinators do in their own subtree, and nowhere else. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class CoordinatorsTest {
  private static final String DENIED = "Access/permission denied";

  private @Nullable TenantSite site;

  @AfterEach
  void stop() {
    if (site != null) {
      site.close();
    }
  }

  private static String sacctmgr(Session who, String line) {
    return who.run(("sacctmgr -i " + line).split(" ")).whatever();
  }

  @Test
  void jobsOfTheirAccountsAreTheirsToCancelAndChange() throws IOException {
    TenantSite its = new TenantSite("");
    site = its;
    Session coordinator = its.as("zcoord");
    Session operator = its.as("zoper");
    int peer = its.peerJob();
    int far = its.farJob();
    its.as("zalice").run("scancel", "" + peer).fails(210, refused(peer));
    coordinator.run("scancel", "" + far).fails(210, refused(far));
    coordinator
        .run("scontrol", "update", "JobId=" + far, "Comment=x")
        .fails(1, "Invalid user id for job " + far);
    String comment = "Comment=seen_by_the_coordinator";
    coordinator.run("scontrol", "update", "JobId=" + peer, comment).okSilently();
    assertTrue(its.cluster.job(peer).is("RUNNING"));
    coordinator.run("scontrol", "requeue", "" + peer).okSilently();
    coordinator.run("scontrol", "hold", "" + peer).ok();
    its.as("zpeer").run("scontrol", "release", "" + peer).ok();
    coordinator.run("scancel", "" + peer).okSilently();
    its.cluster.await(peer, "CANCELLED");
    operator.run("scancel", "" + far).okSilently();
    its.cluster.await(far, "CANCELLED");
    // Steps and files are the owner's alone.
    int wait = its.farWait();
    coordinator.run("srun", "--jobid=" + wait, "true").output();
    its.sacctmgr("delete coordinator account=zphys names=zcoord");
    int again = its.as("zpeer").submit("-H", "--wrap", "true");
    coordinator.run("scancel", "" + again).fails(210, refused(again));
  }

  private static String refused(int job) {
    return "scancel: error: Kill job error on job id " + job + ": " + DENIED;
  }

  @Test
  void accountsOfOthersAreOutOfTheirReach() throws IOException {
    TenantSite its = new TenantSite("");
    site = its;
    Session coordinator = its.as("zcoord");
    for (String line :
        List.of(
            "add account new parent=zlab",
            "add user zfar account=new",
            "modify account new set maxjobs=5 grptres=cpu=9",
            "modify user zfar where account=new set maxsubmitjobs=3",
            "add coordinator account=zlab names=zpeer",
            "delete user zfar account=new",
            "delete account new")) {
      assertTrue(sacctmgr(coordinator, line).startsWith("exit 0"), line);
    }
    String before = its.cluster.admin().run("sacctmgr", "-n", "-P", "show", "assoc").ok();
    for (String line :
        List.of(
            "add account new parent=zbio",
            "modify account zlab set parent=zbio",
            "modify account zbio set parent=zlab",
            "modify account zphys set maxjobs=900",
            "modify account zlab set qos+=high",
            "add user zalice account=zbio",
            "delete user zfar",
            "delete account zbio",
            "add coordinator account=zbio names=zcoord",
            "modify user zcoord set adminlevel=operator")) {
      assertTrue(sacctmgr(coordinator, line).startsWith("exit 1"), line);
    }
    assertEquals(before, its.cluster.admin().run("sacctmgr", "-n", "-P", "show", "assoc").ok());
    // zpeer coordinates zlab alone, as long as it does.
    Session peer = its.as("zpeer");
    assertTrue(sacctmgr(peer, "modify user zalice set maxjobs=4").startsWith("exit 0"));
    assertTrue(sacctmgr(peer, "modify account zlab set maxjobs=4").startsWith("exit 1"));
    assertTrue(sacctmgr(coordinator, "modify account zlab set maxjobs=4").startsWith("exit 0"));
    its.sacctmgr("delete coordinator account=zlab names=zpeer");
    assertTrue(sacctmgr(peer, "modify user zalice set maxjobs=5").startsWith("exit 1"));
    String told = its.cluster.admin().run("sacctmgr", "-n", "-P", "show", "transaction").ok();
    assertTrue(told.contains("|zcoord|") && told.contains("|zpeer|"), told);
    String running = sacctmgr(coordinator, "delete user zpeer account=zlab");
    assertTrue(running.startsWith("exit 1") && running.contains("" + its.peerJob()), running);
  }
}
