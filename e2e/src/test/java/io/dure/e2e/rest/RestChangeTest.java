package io.dure.e2e.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What programs change by HTTP, and who may. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class RestChangeTest {
  private static final String SLURM = "/slurm/v0.0.45/";
  private static final String DATABASE = "/slurmdb/v0.0.45/";

  private static Cluster cluster;
  private static Session root;
  private static Session bob;
  private static HttpCaller asRoot;
  private static HttpCaller asBob;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        Cluster.prepare(
            Conf.nodes(3, 8)
                .with("SlurmctldParameters", "dure_http=127.0.0.1:0")
                .with("AuthAltTypes", "auth/jwt")
                .with("AuthAltParameters", "jwt_key={dir}/jwt.key"));
    Path key = cluster.dir().resolve("jwt.key");
    Files.writeString(key, "a secret of more than thirty-two bytes");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    cluster.startAll();
    root = cluster.admin();
    bob = cluster.as(User.named("dure-bob"));
    asRoot = HttpCaller.of(cluster).as(root);
    asBob = HttpCaller.of(cluster).as(bob);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static String done(HttpResponse<String> answer) {
    assertEquals(200, answer.statusCode(), answer.body());
    return answer.body();
  }

  private static void refused(HttpResponse<String> answer, int number) {
    assertEquals(422, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains("\"error_number\":" + number + ","), answer.body());
  }

  private static String shown(String... words) {
    return root.run(words).ok();
  }

  @Test
  void aJobIsChanged() {
    int job = bob.submit("--hold", "-o", "/dev/null", "--wrap", "true");
    String path = SLURM + "job/" + job;
    String change =
        "{\"time_limit\":{\"set\":true,\"number\":7},\"comment\":\"a \\\"word\\\"\",\"nice\":3,"
            + "\"minimum_nodes\":2,\"mail_type\":[\"TIME=50%\",\"END\"],\"argv\":[\"x\"]}";
    String answer = done(asBob.send("POST", path, change));
    assertTrue(answer.contains("\"job_id\":" + job), answer);
    assertTrue(answer.contains("\"source\":\"#/argv\""), "what has no effect is said: " + answer);
    String record = shown("scontrol", "show", "job", Integer.toString(job));
    for (String part :
        new String[] {"TimeLimit=00:07:00", "Comment=a \"word\"", "Nice=3", "NumNodes=2"}) {
      assertTrue(record.contains(part), part + " in " + record);
    }
    refused(asBob.send("POST", path, "{\"partition\":\"nowhere\"}"), 2000);
    refused(asBob.send("POST", path, "{\"dependency\":\"nonsense:1\"}"), 9202);
    refused(asBob.send("POST", SLURM + "job/999999", "{\"nice\":1}"), 2017);
    int others = root.submit("--hold", "-o", "/dev/null", "--wrap", "true");
    assertEquals(422, asBob.send("POST", SLURM + "job/" + others, "{\"nice\":9}").statusCode());
    assertTrue(
        shown("scontrol", "show", "job", Integer.toString(others)).contains("Nice=0"),
        "another's job stays");
    done(asBob.call("GET", SLURM + "job/" + job));
  }

  @Test
  void nodesAreDrainedAndBroughtBack() {
    String down = "{\"state\":[\"DRAIN\"],\"reason\":\"disk of node 2\"}";
    assertEquals(422, asBob.send("POST", SLURM + "node/n2", down).statusCode());
    assertEquals(
        422, asRoot.send("POST", SLURM + "node/n2", "{\"state\":[\"DRAIN\"]}").statusCode());
    done(asRoot.send("POST", SLURM + "node/n2", down));
    String record = shown("scontrol", "show", "node", "n2");
    assertTrue(
        record.contains("State=IDLE+DRAIN") && record.contains("Reason=disk of node 2"), record);
    done(asRoot.send("POST", SLURM + "node/n2", "{\"state\":[\"UNDRAIN\"],\"comment\":\"ok\"}"));
    record = shown("scontrol", "show", "node", "n2");
    assertTrue(record.contains("State=IDLE ") && record.contains("Comment=ok"), record);
    done(asRoot.send("POST", SLURM + "nodes", "{\"name\":[\"n2\",\"n3\"],\"weight\":7}"));
    assertTrue(shown("scontrol", "show", "node", "n3").contains("Weight=7"), "several nodes");
    refused(asRoot.send("POST", SLURM + "node/n9", "{\"weight\":7}"), 2018);
    assertEquals(422, asRoot.send("POST", SLURM + "nodes", "{\"weight\":7}").statusCode());
  }

  @Test
  void reservationsComeAndGo() {
    String made =
        done(
            asRoot.send(
                "POST",
                SLURM + "reservation",
                "{\"name\":\"maint\",\"start_time\":1900000000,\"duration\":60,"
                    + "\"node_list\":[\"n3\"],\"users\":[\"root\"],\"flags\":[\"MAINT\"]}"));
    assertTrue(made.contains("\"name\":\"maint\""), made);
    String record = shown("scontrol", "show", "reservation", "maint");
    assertTrue(
        record.contains("Nodes=n3")
            && record.contains("Duration=01:00:00")
            && record.contains("MAINT"),
        record);
    done(
        asRoot.send(
            "POST",
            SLURM + "reservations/",
            "{\"reservations\":[{\"name\":\"maint\",\"duration\":120}]}"));
    assertTrue(
        shown("scontrol", "show", "reservation", "maint").contains("Duration=02:00:00"), "changed");
    assertEquals(422, asBob.call("DELETE", SLURM + "reservation/maint").statusCode());
    done(asRoot.call("DELETE", SLURM + "reservation/maint"));
    assertEquals(422, asRoot.call("DELETE", SLURM + "reservation/maint").statusCode());
  }

  @Test
  void partitionsComeAndGo() {
    String two =
        "{\"partitions\":[{\"name\":\"quick\",\"nodes\":{\"configured\":\"n1,n2\"},"
            + "\"maximums\":{\"time\":{\"set\":true,\"number\":30}},\"priority\":{\"tier\":5}}]}";
    assertEquals(422, asBob.send("POST", SLURM + "partitions/", two).statusCode());
    done(asRoot.send("POST", SLURM + "partitions/", two));
    String record = shown("scontrol", "show", "partition", "quick");
    assertTrue(
        record.contains("Nodes=n[1-2]")
            && record.contains("MaxTime=00:30:00")
            && record.contains("PriorityTier=5"),
        record);
    done(
        asRoot.send(
            "POST",
            SLURM + "partitions/",
            "{\"partitions\":[{\"name\":\"quick\",\"partition\":{\"state\":[\"DOWN\"]}}]}"));
    assertTrue(shown("scontrol", "show", "partition", "quick").contains("State=DOWN"), "changed");
    done(asRoot.call("DELETE", SLURM + "partition/quick"));
    assertEquals(422, asRoot.call("DELETE", SLURM + "partition/quick").statusCode());
  }

  @Test
  void theControllerReadsItsConfigurationAgain() {
    assertEquals(422, asBob.status("GET", SLURM + "reconfigure/"));
    done(asRoot.call("GET", SLURM + "reconfigure/"));
  }

  @Test
  void accountsAreThoseOfTheCommands() {
    var _ = root.run("sacctmgr", "-i", "add", "account", "phys", "description=a \"b\" c").output();
    var _ = root.run("sacctmgr", "-i", "add", "user", "dure-bob", "account=phys").output();
    for (String[] one :
        new String[][] {
          {"accounts/", "account"},
          {"users/", "user"},
          {"associations/", "associations"},
          {"qos/", "qos"},
          {"tres/", "tres"},
          {"clusters/", "cluster"}
        }) {
      String command =
          root.with("SLURM_JSON", "compact")
              .run("sacctmgr", "show", one[1], "--json=data_parser/v0.0.45")
              .ok();
      assertEquals(contents(command), contents(asRoot.get(DATABASE + one[0])), one[0]);
    }
    String account = asRoot.get(DATABASE + "account/phys");
    assertTrue(account.contains("\"name\":\"phys\""), account);
    String mine = asRoot.get(DATABASE + "associations/?user=dure-bob");
    assertTrue(mine.contains("\"user\":\"dure-bob\""), mine);
    String none = asRoot.get(DATABASE + "associations/?user=nobody-there");
    assertTrue(none.contains("\"associations\":[]"), none);
  }

  private static String contents(String document) {
    int meta = document.indexOf("\"meta\"");
    assertTrue(meta > 0, document);
    return document.substring(0, meta);
  }
}
