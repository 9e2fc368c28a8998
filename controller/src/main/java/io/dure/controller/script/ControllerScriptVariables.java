package io.dure.controller.script;

import io.dure.model.config.ClusterConfig;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.ScriptVariables;
import java.util.Map;

/** The environment of PrologSlurmctld and EpilogSlurmctld. Pure. */
final class ControllerScriptVariables {
  private ControllerScriptVariables() {}

  static Map<String, String> of(Job job, ClusterConfig config, String context) {
    String cluster = config.settings().controller().clusterName();
    ScriptVariables variables = new ScriptVariables(job, cluster, config.path(), context);
    if (job.state() instanceof JobState.Completing completing) {
      variables.setExit(completing.outcome().exit());
      variables.setDerivedExit(job.runSteps().highest());
    }
    return variables.all();
  }
}
