package io.dure.cli.captured;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.cli.command.Command;
import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.squeue.Squeue;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Response;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a real Slurm 22.05 printed for the same cluster and the same command lines. Left out are
 * lines about heterogeneous jobs, interactive steps, devices and licences, which Dure does not
 * have.
 */
class CapturedListingsTest {

  private static final String NO_HETEROGENEOUS = " 158\\+|^158\\+";

  private static int agreed;
  private static int all;

  static List<Captured> queues() {
    return List.of(
        Captured.of("squeue/default", "squeue").without(NO_HETEROGENEOUS),
        Captured.of("squeue/l", "squeue", "-l").without(NO_HETEROGENEOUS),
        Captured.of("squeue/user", "squeue", "-u", "bob"),
        Captured.of("squeue/me", "squeue", "--me").without(NO_HETEROGENEOUS),
        Captured.of("squeue/start", "squeue", "--start").told(Captured.Order.BY_ID),
        Captured.of("squeue/o_widths", "squeue", "-o", "%.18i %.9P %.8j %.8u %.2t %.10M %.6D %R")
            .without(NO_HETEROGENEOUS),
        Captured.of("squeue/o_left", "squeue", "-o", "%10i|%-10j|%5t|%.3D")
            .without(NO_HETEROGENEOUS),
        Captured.of(
                "squeue/O_long",
                "squeue",
                "-O",
                "jobid:10,jobarrayid:12,name:.20,username,state,reasonlist:40,tres-alloc:60,"
                    + "tres-per-node,priority,submittime,starttime,timeleft,dependency:40,numcpus,"
                    + "minmemory,gres,licenses,stdout:60")
            .without("^159 |^158 |gres:gpu|matlab"),
        Captured.of("squeue/sort", "squeue", "-S", "-p,i", "-o", "%i %p").without(NO_HETEROGENEOUS),
        Captured.of("squeue/A", "squeue", "-A", "bio"),
        Captured.of("squeue/p", "squeue", "-p", "short,inact"),
        Captured.of("squeue/w", "squeue", "-w", "n1").without(NO_HETEROGENEOUS),
        Captured.of("squeue/n", "squeue", "-n", "gpu,lic"),
        Captured.of("squeue/j_array", "squeue", "-j", "157").told(Captured.Order.BY_ID_FALLING),
        Captured.of("squeue/j_task", "squeue", "-j", "157_4"),
        Captured.of("squeue/usage", "squeue", "--usage"),
        Captured.of("errors/squeue_badjob2", "squeue", "-j", "abc").exit(1),
        Captured.of("errors/squeue_badstate", "squeue", "-t", "NOPE").exit(1),
        Captured.of("errors/squeue_baduser", "squeue", "-u", "nosuchuser"),
        Captured.of("errors/squeue_badpart", "squeue", "-p", "nope"),
        Captured.of("errors/squeue_badopt", "squeue", "--nope").exit(1));
  }

  @ParameterizedTest
  @MethodSource("queues")
  void queueListings(Captured each) {
    agrees(each, new Squeue(), queue(each.order()));
  }

  private static void agrees(Captured each, Command command, List<JobInfo> jobs) {
    all++;
    FakeContext world = new FakeContext();
    ScriptedController controller = new ScriptedController();
    controller.answer(new Response.Jobs(jobs, FakeContext.NOW));
    world.controller = controller;
    int code = command.run(world.call(each.words().toArray(String[]::new)));
    assertEquals(each.errors(), world.errors());
    assertEquals(each.output(), world.printed());
    assertEquals(each.exitCode(), code);
    agreed++;
  }

  private static List<JobInfo> queue(Captured.Order order) {
    List<JobInfo> jobs = new ArrayList<>(LabJobs.all());
    Comparator<JobInfo> byId = Comparator.comparingInt(info -> info.job().id());
    switch (order) {
      case AS_SHOWN -> {}
      case BY_ID -> jobs.sort(byId);
      case BY_ID_FALLING -> jobs.sort(byId.reversed());
    }
    return jobs;
  }

  @AfterAll
  static void report() {
    System.out.println(agreed + " of " + all + " captured listings of jobs and nodes agree");
  }
}
