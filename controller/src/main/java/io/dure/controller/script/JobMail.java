package io.dure.controller.script;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.model.config.ControllerPrograms;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.surface.print.PlainText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;

/**
 * Mail about the jobs that ask for it, sent by MailProg. Of an array one mail tells of all tasks
 * unless it asks for {@code ARRAY_TASKS}. One thread hands it events; nothing blocks, and where too
 * many mails wait, those that come are left out and logged.
 */
public final class JobMail implements AutoCloseable {
  private static final int AT_A_TIME = 4;
  private static final int WAITING = 1_000;
  private static final int LONGEST_SHOWN = 100;
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private final BackgroundPrograms programs;
  private final Logger log;

  /** The programs of which it was logged that they cannot be run. */
  private final Set<String> complained = ConcurrentHashMap.newKeySet();

  /** Sends nothing yet. */
  public JobMail(Logger log) {
    this.log = log;
    programs = new BackgroundPrograms("mail", AT_A_TIME, WAITING, log);
  }

  /** Sends what is to be said of events that are durable. */
  public void happened(List<Event> events, ClusterState after) {
    Map<MailOccasion.Kind, TreeSet<Integer>> looked = new EnumMap<>(MailOccasion.Kind.class);
    TreeSet<Integer> launched = new TreeSet<>();
    for (Event event : events) {
      if (event instanceof Event.JobLaunched e) {
        launched.add(e.jobId());
      }
    }
    for (Event event : events) {
      MailOccasion told = MailOccasion.of(event);
      Job job = told == null ? null : after.job(told.jobId());
      boolean isDropped = job != null && isAboutAll(job) && event instanceof Event.JobDropped;
      MailOccasion occasion = told != null && isDropped ? told.asEndOfArray() : told;
      if (occasion != null && job != null && occasion.isWanted(job.spec().mailType())) {
        if (!isAboutAll(job)) {
          if (!occasion.endsArray()) {
            send(job, occasion, List.of(), after);
          }
        } else if (occasion.mayBeOfWholeArray()
            && looked.computeIfAbsent(occasion.kind(), _ -> new TreeSet<>()).add(job.baseId())) {
          // As long as the array is: at most once for all that happened at a time.
          List<Job> records = after.records(job.baseId());
          boolean matters = occasion.isWantedOf(records, job.spec().mailType());
          if (matters && occasion.isOfWholeArray(records, launched)) {
            send(job, occasion, records, after);
          }
        }
      }
    }
  }

  private static boolean isAboutAll(Job job) {
    String types = job.spec().mailType();
    return job.array() != null && types != null && !types.contains("ARRAY_TASKS");
  }

  private void send(Job job, MailOccasion occasion, List<Job> records, ClusterState state) {
    ControllerPrograms settings = state.settings().programs();
    MailAddresses addresses = addresses(job, settings.mailDomain());
    if (!addresses.refused().isEmpty()) {
      String refused = String.join(",", addresses.refused());
      String shown = PlainText.of(refused.substring(0, Math.min(refused.length(), LONGEST_SHOWN)));
      log.error(
          "job " + job.displayId() + ": no mail is sent to " + shown + ", which is no address");
    }
    if (addresses.sent().isEmpty()) {
      return;
    }
    String subject = new MailSubject(job, occasion, isAboutAll(job), records).text();
    String program = settings.mail();
    List<String> arguments = List.of("-s", subject, String.join(",", addresses.sent()));
    BackgroundPrograms.Program run =
        new BackgroundPrograms.Program(
            "MailProg", program, arguments, environment(job, occasion, state), TIMEOUT);
    programs.run(program + " " + arguments, () -> perform(run));
  }

  private void perform(BackgroundPrograms.Program run) {
    String program = run.program();
    if (!program.isEmpty() && Files.isExecutable(Path.of(program))) {
      complained.remove(program);
      programs.perform(run);
    } else if (complained.add(program)) {
      log.error("no mail is sent to users: MailProg " + program + " is not a program");
    }
  }

  private static MailAddresses addresses(Job job, String domain) {
    String user = job.spec().mailUser();
    return MailAddresses.of(user == null || user.isEmpty() ? job.owner().userName() : user, domain);
  }

  private static Map<String, String> environment(
      Job job, MailOccasion occasion, ClusterState state) {
    String context = "mail";
    Map<String, String> environment =
        new LinkedHashMap<>(ControllerScriptVariables.of(job, state.config(), context));
    environment.put("PATH", PATH);
    environment.put("SLURM_JOB_MAIL_TYPE", occasion.word());
    environment.put("SLURM_JOB_STATE", MailSubject.state(job, occasion));
    if (job.array() instanceof ArrayPart.Waiting && job.state() instanceof JobState.Pending) {
      environment.put("SLURM_ARRAY_JOB_ID", Integer.toString(job.baseId()));
    }
    return environment;
  }

  @Override
  public void close() {
    programs.close();
  }
}
