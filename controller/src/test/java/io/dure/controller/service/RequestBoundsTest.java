package io.dure.controller.service;

import static io.dure.testkit.cluster.JobBuilder.job;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.command.Command;
import io.dure.model.command.JobChange;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.config.ClusterSettings;
import io.dure.model.hook.Trigger;
import io.dure.model.hook.TriggerChange;
import io.dure.model.hook.TriggerKind;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.request.JobSpec;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.Workload;
import io.dure.model.reservation.ReservationRequestBuilder;
import io.dure.protocol.Request;
import io.dure.testkit.cluster.ClusterBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No text of a request is longer than what the cluster can afford of everybody. */
@Tag("pure")
class RequestBoundsTest {
  private static final ClusterSettings USUAL = ClusterBuilder.of(1).start().state().settings();

  private static String letters(int count) {
    return "x".repeat(count);
  }

  private static Reply.@Nullable Refused refusal(Command.UserCommand command) {
    return refusal(command, USUAL);
  }

  private static Reply.@Nullable Refused refusal(
      Command.UserCommand command, ClusterSettings settings) {
    return RequestBounds.refusal(new Request.Change(command, null, null), settings);
  }

  private static Command.SubmitJob submission(UnaryOperator<JobSpec> change) {
    Command.SubmitJob plain = job().submission();
    return new Command.SubmitJob(change.apply(plain.spec()), plain.workload(), plain.texts());
  }

  private static Command.SubmitJob running(UnaryOperator<Workload.BatchSpec> change) {
    return new Command.SubmitJob(
        job().spec(), change.apply(job().batch()), new JobTexts("#!/bin/sh\n", ""));
  }

  private static Command.SubmitJob bringing(JobTexts texts) {
    return new Command.SubmitJob(job().spec(), job().batch(), texts);
  }

  private static Command.UpdateJob update(JobChange change) {
    return new Command.UpdateJob(new JobSelector(1, null), change);
  }

  private static void assertTooLong(Command.UserCommand command, String... words) {
    Reply.Refused refused = refusal(command);
    assertNotNull(refused, () -> "accepted");
    assertEquals(ErrorCode.PATHNAME_TOO_LONG, refused.code());
    for (String word : words) {
      assertTrue(refused.detail().contains(word), refused.detail());
    }
  }

  private static void assertNul(Command.UserCommand command) {
    Reply.Refused refused = refusal(command);
    assertNotNull(refused, "accepted");
    assertEquals(ErrorCode.BAD_INPUT, refused.code());
    assertTrue(refused.detail().endsWith(": a NUL character is not allowed"), refused.detail());
  }

  @Test
  void aTriggerHasAListOfNodesAndAPath() {
    Trigger.Wish wish =
        new Trigger.Wish(
            null,
            letters(2000),
            List.of(TriggerKind.NODE_DOWN),
            0,
            "/" + letters(RequestBounds.PATH - 1),
            false);
    assertNull(refusal(new Command.ChangeTriggers(new TriggerChange.SetTrigger(wish))));
  }

  @Test
  void wordsOfAJobHaveSlurmsBound() {
    assertNull(refusal(submission(spec -> spec.withName(letters(1024)))));
    assertTooLong(submission(spec -> spec.withName(letters(1025))), "name: 1025 bytes", "1024");
    assertTooLong(submission(spec -> spec.withComment(letters(3_900_000))));
    assertTooLong(submission(spec -> spec.withComment("é".repeat(513))), "1026 bytes");
    assertTooLong(submission(spec -> spec.withAccount(letters(1025))));
    assertTooLong(submission(spec -> spec.withPartitions(List.of(letters(512), letters(512)))));
    assertTooLong(
        submission(
            spec -> spec.withResources(ResourceRequest.of(1, 1, 1).withFeatures(letters(1025)))));
    assertTooLong(update(JobChange.NONE.withName(letters(100 << 10))));
    assertTooLong(update(JobChange.NONE.withComment(letters(100 << 10))));
    assertTooLong(
        update(
            JobChange.NONE.withShape(JobChange.ResourceChange.NONE.withLicenses(letters(1025)))));
  }

  @Test
  void pathsLinesAndArguments() {
    assertNull(refusal(running(batch -> batch.withStandardOutput("/" + letters(4095)))));
    assertTooLong(running(batch -> batch.withStandardOutput("/" + letters(4096))), "standard out");
    assertTooLong(running(batch -> batch.withWorkDirectory("/" + letters(4096))));
    assertTooLong(
        update(
            JobChange.NONE.withOutput(
                new JobChange.OutputChange(null, null, null, "/" + letters(4096)))));
    assertNull(refusal(running(batch -> batch.withSubmitLine(letters(1 << 20)))));
    assertTooLong(
        running(batch -> batch.withSubmitLine(letters(1 + (1 << 20)))), "max_submit_line_size");
    List<String> many = new ArrayList<>();
    for (int i = 0; i < 2 << 20; i++) {
      many.add("");
    }
    assertTooLong(running(batch -> batch.withArguments(many)), "arguments");
  }

  @Test
  void theEnvironmentHasABoundThatTheConfigurationSets() {
    assertNull(refusal(bringing(new JobTexts("#!/bin/sh\n", letters(1 << 20)))));
    assertTooLong(
        bringing(new JobTexts("#!/bin/sh\n", letters(15_000_000))),
        "environment: 15000000 bytes, at most 2097152 are taken",
        "SchedulerParameters=max_environment_size");
    ClusterSettings less =
        ClusterBuilder.of(1)
            .set("SchedulerParameters", "max_environment_size=1000")
            .start()
            .state()
            .settings();
    assertNotNull(refusal(bringing(new JobTexts("#!/bin/sh\n", letters(1001))), less));
    assertTooLong(bringing(new JobTexts(letters(1 + (4 << 20)), "")), "max_script_size");
  }

  @Test
  void listsOfNodesMayBeLong() {
    List<String> nodes = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      nodes.add("node" + i);
    }
    ResourceRequest all = ResourceRequest.of(1, 1, 1).withRequiredNodes(nodes);
    assertNull(refusal(submission(spec -> spec.withResources(all))));
    assertNull(refusal(new Command.UpdateNodes(nodes, Map.of("state", "resume"))));
    List<String> odd = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      odd.add("n" + i + "x".repeat(i % 7) + "y");
    }
    ResourceRequest such = ResourceRequest.of(1, 1, 1).withRequiredNodes(odd);
    assertTooLong(submission(spec -> spec.withResources(such)), "required nodes");
  }

  @Test
  void whatOperatorsChangeIsBoundedToo() {
    assertTooLong(new Command.UpdateNodes(List.of("n1"), Map.of("reason", letters(1025))));
    assertTooLong(new Command.DeletePartition(letters(1025)));
    assertTooLong(
        new Command.CreateReservation(
            ReservationRequestBuilder.builder()
                .name(letters(1025))
                .set(List.of())
                .clear(List.of())
                .build()));
    assertTooLong(
        new Command.ChangeAccounting(
            1,
            List.of(
                new AccountingChange.UserSet(
                    new AccountUser(letters(1025), AdminLevel.NONE, "root")))));
  }

  @Test
  void noTextHoldsANul() {
    assertNul(submission(spec -> spec.withName("a\0b")));
    assertNul(submission(spec -> spec.withReservations(List.of("a", "\0"))));
    assertNul(running(batch -> batch.withArguments(List.of("a\0"))));
    assertNul(bringing(new JobTexts("#!/bin/sh\n\0", "")));
    assertNull(refusal(bringing(JobTexts.of("#!/bin/sh\n", List.of("A=1", "B=2")))));
    assertNul(update(JobChange.NONE.withComment("\0")));
    assertNul(new Command.UpdateNodes(List.of("n1"), Map.of("reason", "\0")));
    assertNul(new Command.NotifyJob(new JobSelector(1, null), "a\0"));
    assertNotNull(RequestBounds.refusal(new Request.ShowHolders("a\0", false)));
    assertNull(RequestBounds.refusal(new Request.ShowHolders(letters(5000), false)));
    assertNotNull(
        RequestBounds.refusal(
            new Request.Change(new Command.DeletePartition("a"), "ro\0t", null), USUAL));
  }
}
