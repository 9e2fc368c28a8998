package io.dure.cli.why;

import io.dure.model.HostList;
import io.dure.model.gres.GresCount;
import io.dure.model.report.ExplainedJob;
import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A job's request as text. */
final class JobRequestText {
  private final QuantityText words;
  private final JobSpec spec;
  private final ResourceRequest asked;

  JobRequestText(QuantityText words, ExplainedJob subject) {
    this.words = words;
    spec = subject.spec();
    asked = spec.resources();
  }

  /** The amounts, and for how long. */
  String amounts() {
    List<String> parts = new ArrayList<>();
    boolean whole = asked.sharing() == OversubscribeMode.EXCLUSIVE;
    if (whole) {
      parts.add(words.count("whole-node", asked.minNodes()));
    } else if (asked.minNodes() > 1) {
      parts.add(words.count("node", asked.minNodes()));
    }
    if (asked.tasks() > 1 && asked.tasks() != asked.totalCpus()) {
      parts.add(words.count("task", asked.tasks()));
    }
    if (!whole) {
      parts.add(words.count("cpu", asked.totalCpus()));
    } else if (asked.totalCpus() > asked.minNodes()) {
      parts.add(words.say("at-least", words.count("cpu", asked.totalCpus())));
    }
    gpus(asked.gresOrNone().perJob(), "", parts);
    gpus(asked.gresOrNone().perNode(), asked.minNodes() > 1 ? "-of-node" : "", parts);
    gpus(asked.gresOrNone().perSocket(), "-of-socket", parts);
    gpus(asked.gresOrNone().perTask(), asked.tasks() > 1 ? "-of-task" : "", parts);
    switch (asked.memory()) {
      case MemoryRequest.PerNode(long mib) -> {
        if (mib > 0) {
          boolean several = asked.maxNodes() > 1 && asked.tasks() > 1;
          parts.add(words.say(several ? "memory-of-node" : "memory", words.memory(mib)));
        }
      }
      case MemoryRequest.PerCpu(long mib) ->
          parts.add(words.say("memory-of-cpu", words.memory(mib)));
      case MemoryRequest.PerGpu(long mib) ->
          parts.add(words.say("memory-of-gpu", words.memory(mib)));
      case MemoryRequest.Default _ -> {}
    }
    String all = String.join(", ", parts);
    return spec.timeLimit() instanceof TimeLimit.Limited(Duration limit)
        ? words.say("for", all, words.length(limit))
        : words.say("without-limit", all);
  }

  private void gpus(List<GresCount> counts, String how, List<String> parts) {
    for (GresCount one : counts) {
      boolean gpu = one.name().equals(GresCount.GPU);
      String amount =
          !gpu
              ? words.say("gres", one.count(), one.kind())
              : one.type() == null
                  ? words.count("gpu", one.count())
                  : words.count("gpu-of", one.count()).replace("{1}", one.type());
      parts.add(how.isEmpty() ? amount : words.say("each" + how, amount));
    }
  }

  /** Where, and under what conditions. */
  String place() {
    List<String> parts = new ArrayList<>();
    parts.add(
        words.say(
            spec.partitions().size() == 1 ? "partition" : "partitions",
            String.join(", ", spec.partitions())));
    if (asked.features() != null) {
      parts.add(words.say("features", QuantityText.name(asked.features())));
    }
    if (!asked.requiredNodes().isEmpty()) {
      parts.add(words.say("on-nodes", QuantityText.name(HostList.compress(asked.requiredNodes()))));
    }
    if (asked.more().licenses() != null) {
      parts.add(words.say("with-licences", QuantityText.name(asked.more().licenses().text())));
    }
    if (!spec.reservations().isEmpty()) {
      parts.add(words.say("in-reservation", String.join(", ", spec.reservations())));
    }
    if (spec.account() != null) {
      parts.add(words.say("account", spec.account()));
    }
    if (spec.qos() != null && !spec.qos().equals("normal")) {
      parts.add(words.say("qos", spec.qos()));
    }
    return String.join(", ", parts);
  }
}
