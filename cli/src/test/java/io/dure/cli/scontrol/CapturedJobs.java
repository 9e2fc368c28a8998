package io.dure.cli.scontrol;

import static io.dure.cli.scontrol.JobFixture.pending;
import static io.dure.cli.scontrol.JobFixture.running;
import static io.dure.cli.scontrol.JobFixture.share;
import static io.dure.cli.scontrol.JobFixture.waiting;

import io.dure.model.ExitStatus;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresRequest;
import io.dure.model.gres.GresShare;
import io.dure.model.job.Hold;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.NodeShare;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OversubscribeMode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The jobs that the captures show. */
final class CapturedJobs {

  private static final String DAY = "2026-11-20T";
  private static final String START = DAY + "16:00:47Z";
  private static final String END = DAY + "16:20:47Z";

  private CapturedJobs() {}

  private static JobFixture alice(JobFixture job, String name) {
    return job.name(name).submitted("16:00:48");
  }

  private static JobFixture bob(JobFixture job, String name) {
    return job.name(name).owner("bob", 1002).account("bio", 65066);
  }

  /** A job of the first batch, which started three seconds after it was submitted. */
  private static JobFixture over(int id, String end, JobOutcome outcome, String node, int cpus) {
    return running(id)
        .submitted("15:59:17")
        .ended(DAY + "15:59:20Z", DAY + end + "Z", outcome, share(node, cpus, 100L * cpus));
  }

  private static JobOutcome failed(int code) {
    return new JobOutcome.Failed(new ExitStatus(code, 0));
  }

  static JobFixture gpu() {
    GresCount a100 = new GresCount("gpu", "a100", 1);
    return alice(running(155), "gpu")
        .account("physics", 45070)
        .submitted("16:00:47")
        .tasks(1, 2)
        .limit(30)
        .memory(new MemoryRequest.PerNode(1024))
        .gres(GresRequest.NONE.withPerNode(List.of(a100)))
        .ran(
            DAY + "16:00:47Z",
            DAY + "16:30:47Z",
            new NodeShare(
                "n4",
                List.of(0, 1),
                2,
                1024,
                1,
                List.of(new GresShare("gpu", "a100", List.of(0), 1))));
  }

  /** The tasks of bob's array. */
  static List<JobFixture> array() {
    JobFixture base =
        bob(waiting(157, "6-18:2%3"), "arr")
            .submitted("16:00:47")
            .reason("JobArrayTaskLimit")
            .evaluated("16:00:47");
    return List.of(base, task(162, 4), task(161, 2), task(160, 0));
  }

  private static JobFixture task(int id, int index) {
    return bob(running(id), "arr").submitted("16:00:47").task(157, index, 3);
  }

  /** Alice's job of two components. */
  static List<JobFixture> het() {
    return List.of(
        component(158, 45066).tasks(1, 1).ran(START, END, share("n4", 1, 100)),
        component(159, 45078).tasks(2, 2).ran(START, END, share("n1", 4, 400)));
  }

  private static JobFixture component(int id, long priority) {
    return alice(running(id), "het")
        .account("physics", priority)
        .component(158, 2)
        .submitted("16:00:47")
        .limit(20);
  }

  /** Jobs that are over, by the name of their capture. */
  static Map<String, JobFixture> ended() {
    Map<String, JobFixture> jobs = new TreeMap<>();
    JobOutcome completed = new JobOutcome.Completed(ExitStatus.OK);
    jobs.put(
        "OK",
        over(139, "15:59:20", completed, "n1", 2)
            .name("okjob")
            .account("physics", 45070)
            .tasks(2, 1)
            .comment("hello"));
    jobs.put(
        "BAD", over(140, "15:59:20", failed(3), "n1", 1).name("badjob").reason("NonZeroExitCode"));
    JobOutcome cancelled = new JobOutcome.Cancelled(new ExitStatus(0, 15), 1002);
    jobs.put("CAN", bob(over(143, "15:59:25", cancelled, "n1", 1), "canjob"));
    jobs.put(
        "TIM",
        over(144, "16:00:47", new JobOutcome.TimedOut(new ExitStatus(0, 15)), "n2", 1)
            .name("timejob")
            .limit(1)
            .reason("TimeLimit"));
    JobOutcome launch = new JobOutcome.LaunchFailed(new ExitStatus(0, 9), "no such program");
    jobs.put(
        "SIG", bob(over(142, "15:59:20", launch, "n1", 1), "sigjob").reason("JobLaunchFailure"));
    jobs.put(
        "DEPFAIL",
        pending(146)
            .name("depfail")
            .submitted("15:59:17")
            .eligible(null)
            .ended(DAY + "15:59:17Z", DAY + "15:59:23Z", new JobOutcome.Cancelled(ExitStatus.OK, 0))
            .killOnInvalid(true)
            .reason("DependencyNeverSatisfied")
            .dependency("afterok:140(failed)"));
    return jobs;
  }

  /** Other jobs with a capture of their own. */
  static Map<String, JobFixture> standing() {
    Map<String, JobFixture> jobs = new TreeMap<>();
    jobs.put(
        "LIC",
        alice(running(156), "lic")
            .submitted("16:00:47")
            .limit(30)
            .licenses("matlab:8")
            .ran(DAY + "16:00:47Z", DAY + "16:30:47Z", share("n4", 1, 100)));
    jobs.put(
        "DEP",
        alice(pending(164), "dep")
            .eligible(null)
            .reason("Dependency")
            .dependency("afterok:155(unfulfilled)"));
    jobs.put("HELD", alice(pending(169), "held").eligible(null).held(Hold.USER));
    return jobs;
  }

  /** Jobs of the listing of all, by their numbers. */
  static Map<Integer, JobFixture> listed() {
    Map<Integer, JobFixture> jobs = new TreeMap<>();
    jobs.put(
        154,
        alice(running(154), "bigrun")
            .owner("root", 0)
            .account("root", 25203)
            .submitted("16:00:47")
            .nodes(2, 2)
            .tasks(20, 1)
            .limit(120)
            .ran(DAY + "16:00:48Z", DAY + "18:00:48Z", share("n3", 16, 1600), share("n4", 4, 400)));
    jobs.put(163, waitingTurn(163, "lic2", 45066).limit(30));
    jobs.put(
        165, dependent(165, "depany", "afterany:155(unfulfilled)?afternotok:156(unfulfilled)"));
    jobs.put(
        166,
        dependent(166, "depnever", "afternotok:139(failed)").reason("DependencyNeverSatisfied"));
    jobs.put(
        167,
        alice(running(167), "sing").ran(DAY + "16:01:17Z", DAY + "17:01:17Z", share("n4", 1, 100)));
    jobs.put(168, dependent(168, "sing", "singleton(unfulfilled)"));
    jobs.put(170, alice(pending(170), "held2").eligible(null).held(Hold.USER));
    jobs.put(
        171,
        bob(alice(pending(171), "admheld"), "admheld")
            .eligible(null)
            .begin(DAY + "17:00:48Z")
            .held(Hold.ADMIN));
    jobs.put(
        172,
        alice(pending(172), "begin").eligible(null).begin(DAY + "18:00:48Z").reason("BeginTime"));
    jobs.putAll(queued());
    return jobs;
  }

  private static Map<Integer, JobFixture> queued() {
    Map<Integer, JobFixture> jobs = new TreeMap<>();
    jobs.put(
        173,
        waitingTurn(173, "excl", 45265)
            .nodes(4, 4)
            .tasks(4, 1)
            .limit(10)
            .sharing(OversubscribeMode.EXCLUSIVE));
    jobs.put(
        174,
        waitingTurn(174, "hi", 65325)
            .nice(50)
            .qos("high")
            .nodes(3, 3)
            .tasks(48, 1)
            .limit(10)
            .expected("18:00:48", "n1", "n2", "n4")
            .reason(
                "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority"
                    + " partitions"));
    jobs.put(
        175,
        waitingTurn(175, "lo", 45309)
            .qos("low")
            .tasks(12, 1)
            .limit(10)
            .mail("a@b", "END")
            .reason("QOSGrpCpuLimit"));
    jobs.put(
        176,
        waitingTurn(176, "bigmem", 0)
            .owner("root", 0)
            .account("root", 25265)
            .nodes(4, 4)
            .tasks(4, 1)
            .limit(15)
            .memory(new MemoryRequest.PerNode(30000)));
    jobs.putAll(later());
    return jobs;
  }

  private static Map<Integer, JobFixture> later() {
    Map<Integer, JobFixture> jobs = new TreeMap<>();
    jobs.put(
        177,
        waitingTurn(177, "longname_of_a_job_that_is_cut", 45125)
            .submitted("16:00:49")
            .tasks(16, 1)
            .limit(5)
            .nodeLists(List.of("n1"), List.of("n3"))
            .features("f1&lab")
            .expected("17:00:47", "n1"));
    jobs.put(
        178,
        alice(pending(178), "toomany")
            .submitted("16:00:49")
            .evaluated("16:00:49")
            .priority(45500)
            .nodes(9, 9)
            .tasks(9, 1)
            .reason("PartitionNodeLimit"));
    jobs.put(
        179,
        alice(pending(179), "toolong")
            .submitted("16:00:49")
            .evaluated("16:00:49")
            .priority(50066)
            .partitions("short")
            .reason("PartitionTimeLimit"));
    jobs.put(
        180,
        waitingTurn(180, "multi", 45500)
            .submitted("16:00:49")
            .nodes(4, 4)
            .tasks(64, 1)
            .limit(5)
            .partitions("debug", "short"));
    return jobs;
  }

  private static JobFixture waitingTurn(int id, String name, long priority) {
    return alice(pending(id), name).priority(priority).evaluated("16:01:17").reason("Priority");
  }

  private static JobFixture dependent(int id, String name, String dependency) {
    return alice(pending(id), name).eligible(null).reason("Dependency").dependency(dependency);
  }
}
