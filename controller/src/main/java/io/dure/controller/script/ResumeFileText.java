package io.dure.controller.script;

import io.dure.model.HostList;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.request.OversubscribeMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The JSON that SLURM_RESUME_FILE names: which nodes are switched on, and for which jobs. */
final class ResumeFileText {
  private ResumeFileText() {}

  static String of(List<String> nodes, List<Job> jobs) {
    TreeSet<String> switched = new TreeSet<>(nodes);
    List<String> documents = new ArrayList<>();
    for (Job job : jobs) {
      Allocation allocation = job.state().allocated();
      if (allocation != null) {
        documents.add(job(job, allocation, switched));
      }
    }
    return "{\"all_nodes_resume\":"
        + quoted(HostList.compress(nodes))
        + ",\"jobs\":["
        + String.join(",", documents)
        + "]}\n";
  }

  private static String job(Job job, Allocation allocation, Set<String> switched) {
    List<String> resumed = allocation.nodes().stream().filter(switched::contains).toList();
    return "{\"extra\":"
        + quoted(job.spec().resources().more().shown().extra())
        + ",\"features\":"
        + quoted(job.spec().resources().features())
        + ",\"job_id\":"
        + job.id()
        + ",\"nodes_alloc\":"
        + quoted(HostList.compress(allocation.nodes()))
        + ",\"nodes_resume\":"
        + quoted(HostList.compress(resumed))
        + ",\"oversubscribe\":"
        + quoted(sharing(job.spec().resources().sharing()))
        + ",\"partition\":"
        + quoted(allocation.partition())
        + ",\"reservation\":"
        + quoted(job.spec().reservations().isEmpty() ? null : job.spec().reservations().getFirst())
        + "}";
  }

  /** Whether others may have its cores too, as squeue says it. */
  private static String sharing(OversubscribeMode mode) {
    return switch (mode) {
      case DEFAULT -> "OK";
      case EXCLUSIVE -> "NO";
      case USER -> "USER";
      case OVERSUBSCRIBE -> "YES";
    };
  }

  private static String quoted(@Nullable String text) {
    if (text == null) {
      return "null";
    }
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append("\\u00").append(Character.forDigit(c >> 4, 16));
        out.append(Character.forDigit(c & 15, 16));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
