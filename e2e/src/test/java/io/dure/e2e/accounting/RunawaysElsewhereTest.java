package io.dure.e2e.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.testkit.Await;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Jobs that the books take for running, and their controller does not have: asked elsewhere. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class RunawaysElsewhereTest {
  private static final Await SOON = Await.seconds(60);

  private static final String NONE = "Runaway Jobs: No runaway jobs found on cluster right";

  private TwoClusters both;
  private Session here;
  private Session there;

  @BeforeEach
  void start() throws IOException {
    both = TwoClusters.start();
    here = both.left().admin();
    there = both.right().admin();
  }

  @AfterEach
  void stop() {
    if (both != null) {
      both.close();
    }
  }

  private List<String> recorded() {
    return here.run("sacct", "-D", "-M", "right", "-nPX", "-o", "jobid,state")
        .ok()
        .lines()
        .sorted()
        .toList();
  }

  private String shown() {
    return here.run("sacctmgr", "-nP", "show", "runawayjobs", "cluster=right", "format=id")
        .whatever();
  }

  /** The books have another attempt of a job that runs, which its controller does not know. */
  private void forgeAttempt(int job) throws SQLException {
    both.books().kill9();
    String file = "jdbc:sqlite:" + both.left().dir().resolve("books/accounting.db");
    try (Connection books = DriverManager.getConnection(file);
        Statement statement = books.createStatement()) {
      List<String> columns = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery("SELECT name FROM pragma_table_info('job')")) {
        while (rows.next()) {
          columns.add(rows.getString(1));
        }
      }
      String all = String.join(",", columns);
      columns.set(columns.indexOf("attempt"), "9");
      assertEquals(
          1,
          statement.executeUpdate(
              "INSERT INTO job (%s) SELECT %s FROM job WHERE job_id = %d"
                  .formatted(all, String.join(",", columns), job)));
    }
    both.books().start();
  }

  @Test
  void theyAreFoundAndEndedThroughTheirController() throws SQLException {
    int job = there.submit("--wrap", "sleep 600");
    String running = job + "|RUNNING";
    SOON.until("the books have it", () -> recorded().equals(List.of(running)));
    assertTrue(shown().contains(NONE), shown());
    both.right().controller().stop();
    String down = shown();
    assertTrue(
        down.contains("Slurmctld running on cluster right is not up, can't check running jobs"),
        down);
    both.right().controller().start();

    forgeAttempt(job);
    String listed =
        SOON.value("it is listed", this::shown, text -> text.contains("end time in the database"));
    assertTrue(listed.contains("\n" + job + "\n"), listed);
    assertFalse(listed.contains("\n" + job + "\n" + job + "\n"), listed);
    assertTrue(listed.contains("Changes Discarded"), listed);
    assertEquals(List.of(running, running), recorded());
    here.run("sacctmgr", "-i", "show", "runawayjobs", "cluster=right").ok();
    assertEquals(List.of(job + "|COMPLETED", running), recorded());
    assertTrue(shown().contains(NONE), shown());
  }
}
