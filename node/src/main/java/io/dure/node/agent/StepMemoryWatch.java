package io.dure.node.agent;

import io.dure.host.log.LogMarkers;
import io.dure.host.user.UserDatabase;
import io.dure.model.config.parameters.DebugFlag;
import io.dure.model.config.step.StepSettings.MemoryWatch;
import io.dure.model.job.Job;
import io.dure.node.job.JobStderrMessages;
import io.dure.node.job.NodeLocalConfig;
import io.dure.node.job.StepStarter;
import io.dure.node.launch.RunningStep;
import io.dure.node.launch.SignalScope;
import java.io.IOException;
import org.slf4j.Logger;

/** Kills steps that have more memory than their job asked for, where the site says so. */
final class StepMemoryWatch {
  private static final int SIGKILL = 9;

  private final StepStarter starter;
  private final UserDatabase users;
  private final Logger log;

  StepMemoryWatch(StepStarter starter, UserDatabase users, Logger log) {
    this.starter = starter;
    this.users = users;
    this.log = log;
  }

  /** Looks once; blocks on files. */
  void look(Job job, RunningStep step, NodeLocalConfig setup) throws InterruptedException {
    MemoryWatch watch = setup.settings().steps().memory();
    try {
      long has = starter.memoryBytes(job.id(), step, watch);
      long most = starter.memoryLimit(job, setup);
      log.info(
          LogMarkers.flag(DebugFlag.JOB_ACCOUNT_GATHER),
          "job " + job.id() + " has " + has + " of " + most + " bytes");
      if (watch.kills() && most > 0 && has > most) {
        log.info("job " + job.id() + " is killed: " + has + " bytes of memory for " + most);
        String line = JobStderrMessages.overMemory(job, has, most);
        JobStderrMessages.write(job, setup.nodeName(), line, users);
        step.signal(SIGKILL, SignalScope.WHOLE_STEP);
      }
    } catch (IOException e) {
      log.debug("job " + job.id() + ": its memory cannot be read: " + e);
    }
  }
}
