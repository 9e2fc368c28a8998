package io.dure.controller.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.decide.job.ChangedJobSpec;
import io.dure.model.UserIdentity;
import io.dure.model.command.JobChange;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a script reads in {@code job_desc}, and what becomes of what it sets there. */
@Tag("pure")
class JobFieldChangesTest {
  private static final UserIdentity ANN = new UserIdentity(1001, 100, "ann", "users");

  private static final JobSpec PLAIN =
      JobSpec.of("wrap", List.of(), ResourceRequest.of(1, 1, 1), new TimeLimit.PartitionDefault());

  private static Map<String, Object> fields(JobSpec spec) {
    return JobFields.of(spec, Workload.BatchSpec.nothing("/home/ann"), ANN);
  }

  private static JobSpec changed(Map<String, Object> set) throws UnusableFieldException {
    JobChange change = JobFieldChanges.of(set, JobChange.NONE);
    return SubmittedSpec.of(ChangedJobSpec.of(PLAIN, change), set);
  }

  @Test
  void whatWasNotAskedForHasNoValue() {
    Map<String, Object> fields = fields(PLAIN);
    for (String number : List.of("time_limit", "min_nodes", "max_nodes", "num_tasks", "priority")) {
      assertEquals(NoValue.INT, fields.get(number), number);
    }
    for (String number : List.of("cpus_per_task", "ntasks_per_node", "shared", "requeue")) {
      assertEquals(NoValue.SHORT, fields.get(number), number);
    }
    assertEquals(NoValue.LONG, fields.get("pn_min_memory"));
    for (String text : List.of("account", "partition", "qos", "tres_per_node", "array_inx")) {
      assertFalse(fields.containsKey(text), text);
    }
    assertEquals("ann", fields.get("user_name"));
    assertEquals("/home/ann", fields.get("work_dir"));
  }

  @Test
  void everyFieldThatCanBeSetIsReadAgain() throws UnusableFieldException {
    Map<String, Object> set = new LinkedHashMap<>();
    set.put("account", "physics");
    set.put("partition", "a,b");
    set.put("qos", "high");
    set.put("time_limit", 90L);
    set.put("time_min", 30L);
    set.put("min_nodes", 2L);
    set.put("max_nodes", 4L);
    set.put("num_tasks", 8L);
    set.put("cpus_per_task", 2L);
    set.put("ntasks_per_node", 4L);
    set.put("tres_per_node", "gres/gpu:a100:2");
    set.put("cpus_per_tres", "gres/gpu:4");
    set.put("tres_per_task", "gres/gpu=1");
    set.put("features", "fast&big");
    set.put("licenses", "matlab:2");
    set.put("dependency", "afterok:12");
    set.put("reservation", "course");
    set.put("array_inx", "1-4%2");
    set.put("shared", 0L);
    set.put("requeue", 0L);
    set.put("contiguous", 1L);
    set.put("overcommit", 1L);
    set.put("begin_time", 1_900_000_000L);
    set.put("priority", 7L);
    set.put("nice", NoValue.NICE_OFFSET + 50);
    set.put("comment", "c");
    set.put("admin_comment", "a");
    set.put("wckey", "w");
    set.put("burst_buffer", "b");
    set.put("network", "n");
    set.put("delay_boot", 60L);
    set.put("prefer", "fast");
    set.put("req_switch", 1L);
    set.put("pn_min_tmp_disk", 100L);
    set.put("min_mem_per_cpu", 2048L);
    Map<String, Object> again = fields(changed(set));
    List<String> lost = new ArrayList<>();
    set.forEach((field, value) -> {
      if (!value.equals(again.get(field)) && !value.equals(asLong(again.get(field)))) {
        lost.add(field + "=" + again.get(field));
      }
    });
    assertEquals(List.of(), lost);
    assertEquals(NoValue.PER_CPU + 2048, again.get("pn_min_memory"));
  }

  private static Object asLong(Object value) {
    return value instanceof Number number ? (Object) number.longValue() : "";
  }

  @Test
  void wordsAndNumbersThatClear() throws UnusableFieldException {
    JobSpec spec =
        changed(Map.of("account", "", "time_limit", NoValue.INT, "shared", NoValue.SHORT));
    assertNull(spec.account());
    assertEquals(new TimeLimit.PartitionDefault(), spec.timeLimit());
    assertEquals(OversubscribeMode.DEFAULT, spec.resources().sharing());
    assertEquals(
        new TimeLimit.Unlimited(), changed(Map.of("time_limit", NoValue.INFINITE)).timeLimit());
    assertEquals(
        new MemoryRequest.Default(),
        changed(Map.of("pn_min_memory", NoValue.LONG)).resources().memory());
    assertEquals(
        new MemoryRequest.PerNode(0), changed(Map.of("min_mem_per_node", 0L)).resources().memory());
    assertTrue(changed(Map.of("cpus_per_task", 2L)).asked().contains("cpus-per-task"));
  }

  @Test
  void whatCannotBeAskedForIsRefusedByItsName() {
    Map<String, Object> wrong =
        Map.ofEntries(
            Map.entry("time_limit", 1.5),
            Map.entry("min_nodes", -1L),
            Map.entry("num_tasks", 1e300),
            Map.entry("dependency", "whenever"),
            Map.entry("tres_per_node", "gpu:a:b:c"),
            Map.entry("shared", 9L),
            Map.entry("work_dir", "relative"),
            Map.entry("min_mem_per_cpu", -5L),
            Map.entry("cpus_per_tres", "x".repeat(100_000)),
            Map.entry("begin_time", Long.MAX_VALUE));
    wrong.forEach((field, value) -> {
      UnusableFieldException refused =
          assertThrows(
              UnusableFieldException.class,
              () -> JobFieldChanges.of(Map.of(field, value), JobChange.NONE),
              field);
      assertTrue(refused.getMessage().startsWith("job_desc." + field + " cannot be"), field);
      assertTrue(refused.getMessage().length() < 300, field);
    });
  }

  @Test
  void aChangeKeepsWhatTheScriptLeavesAlone() throws UnusableFieldException {
    JobChange asked = JobChange.NONE.withComment("mine").withTimeLimitDelta(5L);
    JobChange next = JobFieldChanges.of(Map.of("time_limit", 10L, "qos", "low"), asked);
    assertEquals(
        asked.with().timeLimitDelta(null).timeLimit(TimeLimit.minutes(10)).qos("low").build(),
        next);
  }

  @Test
  void variablesOfTheJob() {
    JobTexts texts = JobTexts.of("#!/bin/sh\n", List.of("A=1", "B=x=y"));
    assertEquals(
        List.of("A=2", "C=3"),
        SubmittedSpec.assignments(texts, Map.of("A", "2", "B", false, "C", "3")));
  }
}
