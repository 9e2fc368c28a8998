package io.dure.node.agent;

import io.dure.host.log.LogMarkers;
import io.dure.host.user.UserDatabase;
import io.dure.model.command.Effect;
import io.dure.model.config.parameters.DebugFlag;
import io.dure.model.config.step.StepSettings.MemoryWatch;
import io.dure.model.job.Job;
import io.dure.node.job.JobStderrMessages;
import io.dure.node.job.NodeLocalConfig;
import io.dure.node.job.StepStarter;
import io.dure.node.launch.RunningStep;
import io.dure.node.launch.SignalScope;
import io.dure.node.launch.StepIdentity;
import io.dure.node.step.StepControl;
import java.io.IOException;
import java.time.InstantSource;
import java.time.ZoneId;
import org.slf4j.Logger;

/** Kills steps that have more memory than they asked for, where the site says so. */
final class StepMemoryWatch {
  private static final int SIGKILL = 9;

  private final StepStarter starter;
  private final Logger log;

  StepMemoryWatch(StepStarter starter, Logger log) {
    this.starter = starter;
    this.log = log;
  }

  /** Looks once at a batch step, whose job's standard error says why; blocks on files. */
  void look(Job job, RunningStep step, NodeLocalConfig setup, UserDatabase users)
      throws InterruptedException {
    try {
      String line = judge(step, setup);
      if (!line.isEmpty()) {
        if (step.directory().markOverMemory()) {
          JobStderrMessages.write(job, setup.nodeName(), line, users);
        }
        step.signal(SIGKILL, SignalScope.WHOLE_STEP);
      }
    } catch (IOException e) {
      log.debug(name(step) + ": its memory cannot be read: " + e);
    }
  }

  /** Looks once at a numbered step, whose front ends say why; blocks on files. */
  void look(RunningStep step, NodeLocalConfig setup) {
    try {
      String line = judge(step, setup);
      if (!line.isEmpty()) {
        if (step.directory().markOverMemory()) {
          announce(step, line, setup);
        }
        step.signal(SIGKILL, SignalScope.WHOLE_STEP);
      }
    } catch (IOException e) {
      log.debug(name(step) + ": its memory cannot be read: " + e);
    }
  }

  private void announce(RunningStep step, String line, NodeLocalConfig setup) {
    StepIdentity of = step.identity();
    String end =
        JobStderrMessages.endingOfStep(
            of.jobId() + "." + of.step(),
            setup.nodeName(),
            Effect.TerminationReason.CANCELLED,
            InstantSource.system().instant(),
            ZoneId.systemDefault());
    try {
      StepControl.announceEnd(step.directory().path(), line + end);
    } catch (IOException e) {
      // What matters is that it ends.
      log.debug(name(step) + ": its front ends are not told of its end: " + e);
    }
  }

  /** What is to be said of a step that is to be killed, else empty. */
  private String judge(RunningStep step, NodeLocalConfig setup) throws IOException {
    MemoryWatch watch = setup.settings().steps().memory();
    boolean counts = setup.settings().scheduling().memoryConsumable();
    long most = counts ? step.identity().memoryMib() << 20 : 0;
    if (watch.source() == null || most == 0) {
      return "";
    }
    long has = starter.memoryBytes(step, watch);
    log.info(
        LogMarkers.flag(DebugFlag.JOB_ACCOUNT_GATHER),
        name(step) + " has " + has + " of " + most + " bytes");
    if (!watch.kills() || has <= most) {
      return "";
    }
    log.info(name(step) + " is killed: " + has + " bytes of memory for " + most);
    return JobStderrMessages.overMemory(step.identity(), has, most);
  }

  private static String name(RunningStep step) {
    StepIdentity of = step.identity();
    return "step " + of.jobId() + "." + of.step();
  }
}
