package io.dure.cli.captured;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.sinfo.Sinfo;
import io.dure.cli.squeue.Squeue;
import io.dure.model.job.Hold;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Response;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a real Slurm 22.05 printed for the same cluster and the same command lines. Left out are
 * lines about interactive steps, devices and licences.
 */
@Tag("pure")
class CapturedListingsTest {

  private static final int RESERVATION_AT = 82;
  private static final int RESERVATION_END = 94;

  private static int agreed;
  private static int all;

  static List<Captured> queues() {
    return List.of(
        Captured.of("squeue/default", "squeue"),
        Captured.of("squeue/l", "squeue", "-l"),
        Captured.of("squeue/user", "squeue", "-u", "bob"),
        Captured.of("squeue/me", "squeue", "--me"),
        Captured.of("squeue/start", "squeue", "--start").told(Captured.Order.BY_ID),
        Captured.of("squeue/o_widths", "squeue", "-o", "%.18i %.9P %.8j %.8u %.2t %.10M %.6D %R"),
        Captured.of("squeue/o_left", "squeue", "-o", "%10i|%-10j|%5t|%.3D"),
        Captured.of(
                "squeue/O_long",
                "squeue",
                "-O",
                "jobid:10,jobarrayid:12,name:.20,username,state,reasonlist:40,tres-alloc:60,"
                    + "tres-per-node,priority,submittime,starttime,timeleft,dependency:40,numcpus,"
                    + "minmemory,gres,licenses,stdout:60")
            // What is said of devices and licences is left out with the jobs that ask for them.
            .without("^15[5689] |^163 "),
        Captured.of("squeue/sort", "squeue", "-S", "-p,i", "-o", "%i %p"),
        Captured.of("squeue/A", "squeue", "-A", "bio"),
        Captured.of("squeue/p", "squeue", "-p", "short,inact"),
        Captured.of("squeue/w", "squeue", "-w", "n1"),
        Captured.of("squeue/n", "squeue", "-n", "gpu,lic"),
        Captured.of("squeue/j_array", "squeue", "-j", "157").told(Captured.Order.BY_ID),
        Captured.of("squeue/j_task", "squeue", "-j", "157_4"),
        Captured.of("squeue/usage", "squeue", "--usage"),
        Captured.of("errors/squeue_badjob2", "squeue", "-j", "abc").exit(1),
        Captured.of("errors/squeue_badstate", "squeue", "-t", "NOPE").exit(1),
        Captured.of("errors/squeue_baduser", "squeue", "-u", "nosuchuser"),
        Captured.of("errors/squeue_badpart", "squeue", "-p", "nope"),
        Captured.of("errors/squeue_badopt", "squeue", "--nope").exit(1),
        Captured.of("errors/squeue_badfmt", "squeue", "-o", "%~").told(Captured.Order.FORTY),
        Captured.of("errors/squeue_badO", "squeue", "-O", "nope").told(Captured.Order.FORTY),
        Captured.of("squeue/steps", "squeue", "-s").without(" 154\\.0 "),
        Captured.of("squeue/wide_reasons", "squeue", "-a", "-o", "%.8i %.12j %.10T %.30r %R")
            .told(Captured.Order.LATER),
        Captured.of("behaviour/squeue_held", "squeue", "-j", "164").told(Captured.Order.HELD),
        Captured.of("behaviour/squeue_requeued", "squeue", "-j", "155", "-o", "%i %T %r")
            .told(Captured.Order.REQUEUED));
  }

  static List<Captured> nodes() {
    return List.of(
        Captured.of("sinfo/default", "sinfo"),
        Captured.of("sinfo/e", "sinfo", "-e"),
        Captured.of("sinfo/t", "sinfo", "-t", "idle,mix"),
        Captured.of("sinfo/n", "sinfo", "-n", "n1,n3"),
        Captured.of("sinfo/d", "sinfo", "-d"),
        Captured.of("sinfo/R", "sinfo", "-R"),
        Captured.of("sinfo/l", "sinfo", "-l"),
        Captured.of("errors/sinfo_badpart", "sinfo", "-p", "nope"),
        Captured.of("errors/sinfo_badnode", "sinfo", "-n", "nope"),
        Captured.of("errors/sinfo_badstate", "sinfo", "-t", "nope").exit(1));
  }

  @ParameterizedTest
  @MethodSource("queues")
  void queueListings(Captured each) {
    agrees(each, new Squeue(), new Response.Jobs(queue(each.order()), FakeContext.NOW));
  }

  @ParameterizedTest
  @MethodSource("nodes")
  void nodeListings(Captured each) {
    agrees(each, new Sinfo(), LabNodes.cluster());
  }

  private static void agrees(Captured each, CliCommand command, Response answer) {
    all++;
    FakeContext world = new FakeContext();
    ScriptedController controller = new ScriptedController();
    if (each.words().contains("-w")) {
      controller.answer(LabNodes.cluster());
    }
    controller.answer(answer);
    world.controller = controller;
    int code = command.run(world.call(each.words().toArray(String[]::new)));
    assertEquals(each.errors(), world.errors());
    assertEquals(each.output(), each.kept(printed(each, world.printed())));
    assertEquals(each.exitCode(), code);
    agreed++;
  }

  /** Newer releases have a column of reservations in the long list of nodes. */
  private static String printed(Captured each, String text) {
    if (!each.name().equals("sinfo/l")) {
      return text;
    }
    StringBuilder older = new StringBuilder();
    for (String line : text.split("(?<=\n)", -1)) {
      boolean row = line.length() > RESERVATION_END;
      older.append(
          row ? line.substring(0, RESERVATION_AT) + line.substring(RESERVATION_END) : line);
    }
    return older.toString();
  }

  private static List<JobInfo> queue(Captured.Order order) {
    List<JobInfo> jobs = new ArrayList<>(LabJobs.whole());
    Comparator<JobInfo> byId = Comparator.comparingInt(info -> info.job().id());
    return switch (order) {
      case AS_SHOWN -> jobs;
      case BY_ID -> jobs.stream().sorted(byId).toList();
      case FORTY -> Collections.nCopies(40, jobs.getFirst());
      case LATER -> LabJobs.later();
      case HELD -> List.of(LabJobs.job(164, "dep", 0).held(Hold.USER).reason("JobHeldUser").info());
      case REQUEUED -> List.of(LabJobs.job(155, "gpu", 45070).reason("BeginTime").info());
    };
  }

  @AfterAll
  static void report() {
    System.out.println(agreed + " of " + all + " captured listings of jobs and nodes agree");
  }
}
