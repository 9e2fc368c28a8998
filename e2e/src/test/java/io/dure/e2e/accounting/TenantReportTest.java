package io.dure.e2e.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Checkout;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import java.io.IOException;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A tenant's report of a real cluster. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class TenantReportTest {
  private @Nullable TenantSite site;

  @AfterEach
  void stop() {
    if (site != null) {
      site.close();
    }
  }

  /** The commands of docs/admin/tenants.md, word for word but for the names of the users. */
  @Test
  void theCommandsOfTheDocumentationMakeATenant() throws IOException {
    TenantSite its = new TenantSite("");
    site = its;
    String text = Files.readString(Checkout.root().resolve("docs/admin/tenants.md"));
    String[] blocks = text.split("```sh\n", -1);
    assertEquals(3, blocks.length);
    for (int i = 1; i < blocks.length; i++) {
      Session who = i == 1 ? its.cluster.admin() : its.as("zcoord");
      String block = blocks[i].substring(0, blocks[i].indexOf("```"));
      for (String line : block.lines().toList()) {
        String named = line.replace("carol", "zcoord").replace("dan", "zalice");
        who.run(named.split(" ")).ok();
      }
    }
    String told = its.as("zcoord").run("dure-tenant", "physics").ok().replaceAll(" +", " ");
    assertTrue(told.contains("accounts lasers, physics"), told);
    assertTrue(told.contains("coordinators zcoord (physics)"), told);
    assertTrue(told.contains("users zalice, zcoord"), told);
    assertTrue(told.contains("GrpTRES=cpu 200 0"), told);
  }

  @Test
  void itHasAllThatIsTheTenantsAndNothingElse() throws IOException {
    TenantSite its = new TenantSite("");
    site = its;
    its.sacctmgr("modify account zphys set grpjobs=7 grptres=cpu=3 grpsubmitjobs=40 maxwall=60");
    Files.writeString(
        its.cluster.dir().resolve("cost.conf"),
        """
        Currency=EUR
        Price=cpu PerHour=3600
        Price=cpu PerHour=7200 Accounts=zphys
        Budget=zphys Amount=1000000
        """);
    String told = its.as("zcoord").run("dure-tenant", "zphys").ok();
    String flat = told.replaceAll(" +", " ");
    for (String line :
        new String[] {
          "Tenant zphys (zphys), cluster e2e, ",
          "accounts zlab, zphys",
          "coordinators zcoord (zphys)",
          "users zalice, zcoord, zoper, zpeer",
          "QOS normal",
          "partitions main",
          "GrpTRES=cpu 3 1",
          "GrpJobs 7 1",
          "GrpSubmitJobs 40 2",
          "MaxWallDurationPerJob 60 -",
          "zlab zpeer ",
          "of 1000000.00 EUR spent, ",
          "Jobs: 1 running, 1 waiting (",
        }) {
      assertTrue(flat.contains(line), line + "\n" + told);
    }
    assertFalse(told.contains("zfar") || told.contains("zbio"), told);
    assertFalse(told.contains("that you may see"), told);
    String json = its.as("zalice").run("dure-tenant", "zphys", "--json").ok();
    assertTrue(json.contains("\"running_jobs\": 1"), json);
    assertTrue(json.contains("\"sees_all\": false"), json);
    its.as("zalice")
        .run("dure-tenant")
        .fails(1, "dure-tenant: error: one account is to be named (--help)");
    its.as("zalice")
        .run("dure-tenant", "nothing")
        .fails(
            1,
            "dure-tenant: error: there is no account 'nothing' that you may see; sacctmgr show"
                + " account lists those that you do");
    String month = its.cluster.admin().run("dure-tenant", "zphys", "-m", "2001-01", "--csv").ok();
    assertEquals(1, month.lines().count(), month);
  }
}
