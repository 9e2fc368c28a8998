package io.dure.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.controller.service.CallerDirectory;
import io.dure.host.user.CachedUserDatabase;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.helpers.NOPLogger;

@Tag("process")
final class SubmissionRehearsalTest {
  private static int accepted(String state) throws InterruptedException {
    ClusterConfig config =
        SlurmConfParser.parse(
                "/slurm.conf",
                _ ->
                    """
                    ClusterName=test
                    SlurmctldHost=a
                    NodeName=n[1-2] CPUs=2
                    PartitionName=main Nodes=ALL Default=YES State=
                    """
                            .strip()
                        + state)
            .config();
    return new SubmissionRehearsal(
            config,
            new CallerDirectory(CachedUserDatabase.ofThisMachine(), 0, "here"),
            InstantSource.system(),
            NOPLogger.NOP_LOGGER)
        .run();
  }

  /** What is refused early compiles nothing of what comes after. */
  @Test
  void eachSubmissionIsAccepted() throws InterruptedException {
    assertEquals(SubmissionRehearsal.TIMES, accepted("UP"));
  }

  /** A site may refuse them. */
  @Test
  void refusalsDoNotEndIt() throws InterruptedException {
    assertEquals(0, accepted("INACTIVE"));
  }
}
