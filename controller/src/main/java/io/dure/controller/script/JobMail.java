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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
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

  /** The program of which it was logged that it cannot be run, empty for none. */
  private String complained = "";

  /** Sends nothing yet. */
  public JobMail(Logger log) {
    this.log = log;
    programs = new BackgroundPrograms("mail", AT_A_TIME, WAITING, log);
  }

  /** Sends what is to be said of events that are durable. */
  public void happened(List<Event> events, ClusterState after) {
    TreeSet<Integer> arrays = new TreeSet<>();
    TreeSet<Integer> launched = new TreeSet<>();
    for (Event event : events) {
      if (event instanceof Event.JobLaunched e) {
        launched.add(e.jobId());
      }
    }
    for (Event event : events) {
      MailOccasion occasion = MailOccasion.of(event);
      Job job = occasion == null ? null : after.job(occasion.jobId());
      if (occasion != null && job != null && occasion.isWanted(job.spec().mailType())) {
        if (isAboutAll(job)) {
          if (occasion.isOfWholeArray(after.records(job.baseId()), launched)
              && arrays.add(job.baseId())) {
            send(job, occasion, after);
          }
        } else if (!occasion.endsArray()) {
          send(job, occasion, after);
        }
      }
    }
  }

  private static boolean isAboutAll(Job job) {
    String types = job.spec().mailType();
    return job.array() != null && types != null && !types.contains("ARRAY_TASKS");
  }

  private void send(Job job, MailOccasion occasion, ClusterState state) {
    ControllerPrograms settings = state.settings().programs();
    String program = settings.mail();
    if (program.isEmpty() || !Files.isExecutable(Path.of(program))) {
      if (!complained.equals(program)) {
        log.error("no mail is sent to users: MailProg " + program + " is not a program");
        complained = program;
      }
      return;
    }
    complained = "";
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
    String subject =
        new MailSubject(job, occasion, isAboutAll(job), state.records(job.baseId())).text();
    programs.run(
        new BackgroundPrograms.Program(
            "MailProg",
            program,
            List.of("-s", subject, String.join(",", addresses.sent())),
            environment(job, occasion, state),
            TIMEOUT));
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
