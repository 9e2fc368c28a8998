package io.dure.surface.json;

import io.dure.model.accounting.PrioritySettings;
import io.dure.model.report.PriorityFactors;
import io.dure.protocol.Response;
import java.util.List;
import java.util.Map;

/** A document of what the priority of waiting jobs is made of: each factor with its weight. */
public final class PrioritiesJson {
  private PrioritiesJson() {}

  /** Writes the priorities of these jobs. */
  public static void print(
      JsonTarget target,
      String cluster,
      PrioritySettings.Weights weights,
      List<Response.JobPriority> jobs) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target)) {
      json.object().list("jobs");
      jobs.forEach(job -> write(json, cluster, weights, job));
      json.endList();
      JsonEnvelope.end(json, cluster);
    }
  }

  private static void write(
      SlurmJsonWriter json,
      String cluster,
      PrioritySettings.Weights weights,
      Response.JobPriority job) {
    PriorityFactors factors = job.factors();
    json.object()
        .text("account", job.account())
        .text("cluster", cluster)
        .number("job_id", job.jobId())
        .text("partition", job.partition())
        .text("qos", job.qosName())
        .text("user_name", job.userName())
        .maybe("priority", Long.valueOf(factors.priority()))
        .object("factors")
        .fraction("age", factors.age() * weights.age())
        .fraction("association", factors.assoc() * weights.assoc())
        .fraction("fairshare", factors.fairShare() * weights.fairShare())
        .fraction("job_size", factors.jobSize() * weights.jobSize())
        .fraction("partition", factors.partition() * weights.partition())
        .fraction("qos", factors.qos() * weights.qos())
        .number("site", factors.site())
        .number("nice", factors.nice())
        .list("tres");
    for (Map.Entry<String, Double> one : factors.tres().entrySet()) {
      double weight = weights.tres().getOrDefault(one.getKey(), 1.0);
      json.object()
          .text("name", one.getKey())
          .fraction("value", one.getValue() * weight)
          .endObject();
    }
    json.endList().endObject().endObject();
  }
}
