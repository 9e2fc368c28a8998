package io.dure.surface.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.request.JobSpec;
import io.dure.model.request.PropagatedRlimit;
import io.dure.model.request.Workload;
import io.dure.surface.body.DocumentReader;
import io.dure.surface.body.MalformedDocumentException;
import io.dure.surface.body.RequestDocument;
import io.dure.surface.document.DocumentSchemas;
import io.dure.surface.document.Shape;
import io.dure.surface.json.DocumentProblem;
import io.dure.surface.message.CommandException;
import io.dure.surface.sbatch.RecordedSubmission;
import io.dure.surface.value.WallClock;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs of documents: each member means what an option of {@code sbatch} means. */
@Tag("pure")
class SubmissionReaderTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
  private static final DocumentReader READER = new DocumentReader("job_submit_req", 45);
  private static final String REST =
      "\"script\":\"#!/bin/sh\\ntrue\\n\",\"environment\":[\"PATH=/bin\",\"SLURM_UMASK=0077\"],"
          + "\"current_working_directory\":\"/tmp\"";

  private static DescribedSubmission submission(String document)
      throws MalformedDocumentException, SubmissionException {
    RequestDocument read = READER.read(document.getBytes(StandardCharsets.UTF_8));
    assertEquals(List.of(), read.errors());
    return new SubmissionReader(
            new WallClock.Fixed(NOW, ZoneOffset.UTC),
            new SubmittingClient("ann", 1001, 100, "users", "login"))
        .read(read);
  }

  private static Command.SubmitJob job(String members)
      throws MalformedDocumentException, SubmissionException {
    String comma = members.isEmpty() ? "" : ",";
    DescribedSubmission described = submission("{\"job\":{" + REST + comma + members + "}}");
    assertEquals(List.of(), described.warnings(), members);
    return (Command.SubmitJob) described.command();
  }

  private static SubmissionException refused(String document) {
    return assertThrows(SubmissionException.class, () -> submission(document));
  }

  @Test
  void everyMemberOfEveryVersionHasAMeaningOrAReasonToHaveNone() {
    for (int version = DocumentSchemas.OLDEST; version <= DocumentSchemas.NEWEST; version++) {
      Shape shape = DocumentSchemas.all().shape("job_desc_msg", version);
      List<String> unknown = new ArrayList<>();
      for (Shape.Member member : ((Shape.Members) shape).members()) {
        if (!JobMemberTable.known().contains(member.name())) {
          unknown.add(member.name());
        }
      }
      assertEquals(List.of(), unknown, "version " + version);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"name\":\"a b\" | --job-name=a b",
        "\"account\":\"phys\",\"qos\":\"high\",\"wckey\":\"w\" | --account=phys --qos=high --wckey=w",
        "\"partition\":\"a,b\",\"comment\":\"c\" | --partition=a,b --comment=c",
        "\"tasks\":4,\"cpus_per_task\":2 | --ntasks=4 --cpus-per-task=2",
        "\"tasks\":0,\"cpus_per_task\":4294967294 | ",
        "\"nodes\":\"2-4\",\"tasks\":8 | --nodes=2-4 --ntasks=8",
        "\"minimum_nodes\":2,\"tasks_per_node\":3 | --nodes=2 --ntasks-per-node=3",
        "\"minimum_nodes\":2,\"maximum_nodes\":3,\"tasks\":6 | --nodes=2-3 --ntasks=6",
        "\"maximum_nodes\":3 | --nodes=1-3",
        "\"minimum_cpus\":5,\"cpus_per_task\":2 | --ntasks=3 --cpus-per-task=2",
        "\"minimum_cpus\":5,\"nodes\":\"4\" | --nodes=4 --mincpus=2",
        "\"memory_per_node\":1024 | --mem=1024",
        "\"memory_per_node\":{\"set\":true,\"number\":0} | --mem=0",
        "\"memory_per_cpu\":{\"set\":true,\"number\":512} | --mem-per-cpu=512",
        "\"temporary_disk_per_node\":100,\"minimum_cpus_per_node\":2 | --tmp=100 --mincpus=2",
        "\"time_limit\":{\"set\":true,\"number\":90} | --time=90",
        "\"time_limit\":{\"infinite\":true},\"time_minimum\":5 | --time=UNLIMITED --time-min=5",
        "\"begin_time\":1800000000,\"deadline\":1900000000 | --begin=uts1800000000 --deadline=uts1900000000",
        "\"array\":\"0-15%4\",\"dependency\":\"afterok:12\" | --array=0-15%4 --dependency=afterok:12",
        "\"hold\":true | --hold",
        "\"priority\":0 | --hold",
        "\"priority\":{\"set\":true,\"number\":77},\"nice\":5 | --priority=77 --nice=5",
        "\"nice\":-5 | --nice=-5",
        "\"requeue\":true | --requeue",
        "\"requeue\":false | --no-requeue",
        "\"kill_on_node_fail\":false | --no-kill",
        "\"contiguous\":true,\"overcommit\":true,\"reboot\":false | --contiguous --overcommit",
        "\"constraints\":\"a&b\",\"prefer\":\"c\" | --constraint=a&b --prefer=c",
        "\"required_nodes\":[\"n1\",\"n3\"],\"excluded_nodes\":\"n2\" | --nodelist=n1,n3 --exclude=n2",
        "\"tres_per_job\":\"gres/gpu:4\",\"cpus_per_tres\":\"gres/gpu:2\" | --gpus=4 --cpus-per-gpu=2",
        "\"tres_per_node\":\"gres/gpu:a100:2,gres/nic:1\" | --gres=gpu:a100:2,nic:1",
        "\"tres_per_node\":\"gres:gpu:2\",\"memory_per_tres\":\"gres:gpu:4096\" | --gres=gpu:2 --mem-per-gpu=4096",
        "\"tres_per_socket\":\"gres/gpu:1\",\"sockets_per_node\":2 | --gpus-per-socket=1 --sockets-per-node=2",
        "\"tres_per_task\":\"gres/gpu:1\",\"tasks\":2 | --tres-per-task=gres/gpu:1 --ntasks=2",
        "\"ntasks_per_tres\":2,\"tres_per_node\":\"gres/gpu:1\" | --ntasks-per-gpu=2 --gres=gpu:1",
        "\"threads_per_core\":1,\"cores_per_socket\":4 | --threads-per-core=1 --cores-per-socket=4",
        "\"tasks_per_core\":1,\"tasks_per_socket\":2 | --ntasks-per-core=1 --ntasks-per-socket=2",
        "\"shared\":[\"none\"] | --exclusive",
        "\"shared\":[\"oversubscribe\"] | --oversubscribe",
        "\"shared\":\"user\" | --exclusive=user",
        "\"mail_type\":[\"BEGIN\",\"TIME=90%\",\"INVALID_DEPENDENCY\"],\"mail_user\":\"a@b\" | --mail-type=BEGIN,TIME_LIMIT_90,INVALID_DEPEND --mail-user=a@b",
        "\"kill_warning_signal\":\"USR1\",\"kill_warning_delay\":120,\"kill_warning_flags\":[\"BATCH_JOB\"] | --signal=B:USR1@120",
        "\"kill_warning_signal\":\"10\" | --signal=10",
        "\"required_switches\":2,\"wait_for_switch\":90,\"nodes\":\"2\" | --switches=2@1:30 --nodes=2",
        "\"segment_size\":2,\"flags\":[\"SPREAD_SEGMENTS\"] | --segment=2 --spread-segments",
        "\"flags\":[\"KILL_INVALID_DEPENDENCY\",\"SPREAD_JOB\"] | --kill-on-invalid-dep=yes --spread-job",
        "\"flags\":[\"GRES_BINDING_ENFORCED\"] | --gres-flags=enforce-binding",
        "\"distribution\":\"block:cyclic\" | --distribution=block:cyclic",
        "\"distribution_plane_size\":{\"set\":true,\"number\":4} | --distribution=plane=4",
        "\"memory_binding_type\":[\"MAP\"],\"memory_binding\":\"0,1\" | --mem-bind=map_mem:0,1",
        "\"licenses\":\"matlab:2\",\"reservation\":\"r1\" | --licenses=matlab:2 --reservation=r1",
        "\"delay_boot\":90,\"oom_kill_step\":1,\"reserve_ports\":3 | --delay-boot=1:30 --oom-kill-step=1 --resv-ports=3",
        "\"wait_all_nodes\":true,\"profile\":[\"TASK\"] | --wait-all-nodes=1 --profile=task",
        "\"extra\":\"e\",\"mcs_label\":\"m\",\"network\":\"n\" | --extra=e --mcs-label=m --network=n",
        "\"batch_features\":\"a\",\"constraints\":\"a\" | --batch=a --constraint=a",
        "\"tres_bind\":\"gres/gpu:closest\",\"tres_freq\":\"gpu:low\" | --tres-bind=gres/gpu:closest --gpu-freq=low",
        "\"account_gather_frequency\":\"task=30\",\"cpu_frequency\":\"high\" | --acctg-freq=task=30 --cpu-freq=high"
      })
  void membersMeanOptions(String members, String options)
      throws MalformedDocumentException, SubmissionException, CommandException {
    List<String> words = new ArrayList<>();
    for (String option : options == null ? new String[0] : options.split(" (?=--)", -1)) {
      words.add(option);
    }
    words.add("--chdir=/tmp");
    JobSpec wanted = RecordedSubmission.components(words, NOW).getFirst();
    JobSpec found = job(members).spec();
    String name = members.contains("\"name\"") ? wanted.name() : "sbatch";
    assertEquals(wanted.with().name(name).build(), found);
  }

  @Test
  void surroundingsAreThoseOfTheDocument() throws MalformedDocumentException, SubmissionException {
    Command.SubmitJob job =
        job(
            "\"argv\":[\"/opt/run.sh\",\"a\",\"b c\"],\"standard_output\":\"out-%j\","
                + "\"standard_error\":\"err\",\"standard_input\":\"in\",\"open_mode\":\"APPEND\","
                + "\"rlimits\":{\"core\":{\"set\":true,\"number\":0},\"nofile\":{\"infinite\":true}}");
    Workload.BatchSpec batch = (Workload.BatchSpec) job.workload();
    assertEquals("run.sh", job.spec().name());
    assertEquals("/opt/run.sh", batch.command());
    assertEquals(List.of("a", "b c"), batch.arguments());
    assertEquals("/tmp", batch.workDirectory());
    assertEquals("out-%j", batch.standardOutput());
    assertEquals("err", batch.standardError());
    assertEquals("in", batch.standardInput());
    assertEquals(0077, batch.umask());
    assertEquals(
        List.of(new PropagatedRlimit("CORE", 0), new PropagatedRlimit("NOFILE", -1)),
        batch.limits());
    assertEquals("login", batch.submitHost());
    assertEquals("#!/bin/sh\ntrue\n", job.texts().script());
    List<String> variables = job.texts().assignments();
    assertTrue(variables.contains("PATH=/bin"), variables.toString());
    assertTrue(variables.contains("SLURM_SUBMIT_DIR=/tmp"), variables.toString());
    assertTrue(variables.contains("SLURM_JOB_NAME=run.sh"), variables.toString());
  }

  @Test
  void bytesOfTheScriptStay() throws MalformedDocumentException, SubmissionException {
    DescribedSubmission described =
        submission(
            "{\"script\":\"#!/bin/sh\\necho é\\n\",\"job\":{"
                + REST.substring(REST.indexOf("\"env"))
                + "}}");
    Command.SubmitJob job = (Command.SubmitJob) described.command();
    byte[] bytes = job.texts().script().getBytes(StandardCharsets.ISO_8859_1);
    assertEquals("#!/bin/sh\necho é\n", new String(bytes, StandardCharsets.UTF_8));
  }

  @Test
  void componentsMakeAHeterogeneousJob() throws MalformedDocumentException, SubmissionException {
    DescribedSubmission described =
        submission(
            "{\"jobs\":[{"
                + REST
                + ",\"tasks\":2,\"mail_type\":\"END\"},{"
                + REST
                + ",\"tasks\":3,\"mail_type\":\"END\"}]}");
    Command.SubmitHetJob job = (Command.SubmitHetJob) described.command();
    assertEquals(
        List.of(2, 3),
        job.components().stream().map(one -> one.spec().resources().tasks()).toList());
    assertNotNull(job.components().getFirst().spec().mailType());
    assertNull(job.components().getLast().spec().mailType(), "mail is about the whole job");
  }

  @Test
  void anotherUserIsNamed() throws MalformedDocumentException, SubmissionException {
    assertNull(submission("{\"job\":{" + REST + ",\"user_id\":\"1001\"}}").runAs());
    assertNull(submission("{\"job\":{" + REST + ",\"user_id\":\"ann\",\"group_id\":100}}").runAs());
    assertEquals("bob", submission("{\"job\":{" + REST + ",\"user_id\":\"bob\"}}").runAs());
    assertEquals(
        "0:0", submission("{\"job\":{" + REST + ",\"user_id\":0,\"group_id\":0}}").runAs());
    assertNull(submission("{\"job\":{" + REST + ",\"group_id\":\"users\"}}").runAs());
    assertEquals(":5", submission("{\"job\":{" + REST + ",\"group_id\":\"5\"}}").runAs());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | REST_INVALID_JOBS_DESC | #",
        "{\"jobs\":[]} | REST_INVALID_JOBS_DESC | #",
        "{\"job\":{}} | JOB_SCRIPT_MISSING | #/job/script",
        "{\"job\":{\"script\":\"#!/bin/sh\"}} | ENVIRONMENT_MISSING | #/job/environment",
        "{\"job\":{\"script\":\"#!/bin/sh\",\"environment\":[]}} | ENVIRONMENT_MISSING | #/job/environment",
        "{\"job\":{\"script\":\"#!/bin/sh\",\"environment\":[\"A\"]}} | DATA_CONV_FAILED | #/job/environment",
        "{\"job\":{\"script\":\"#!/bin/sh\",\"environment\":[\"A=b\"]}} | DATA_CONV_FAILED | #/job/current_working_directory",
        "{\"job\":{\"script\":\"#!/bin/sh\",\"environment\":[\"A=b\"],\"current_working_directory\":\"tmp\"}} | DATA_CONV_FAILED | #/job/current_working_directory",
        "{\"job\":{\"script\":\"true\",\"environment\":[\"A=b\"]}} | DATA_CONV_FAILED | #/job/script",
        "{\"job\":{\"tres_per_job\":\"gres/fpga:1\"}} | DATA_CONV_FAILED | #/job/tres_per_job",
        "{\"job\":{\"tasks\":-1}} | DATA_CONV_FAILED | #/job/tasks",
        "{\"job\":{\"dependency\":\"nonsense:1\"}} | DATA_CONV_FAILED | #/job/dependency",
        "{\"jobs\":[{\"tasks\":-1}]} | DATA_CONV_FAILED | #/jobs[0]/tasks",
        "{\"job\":{\"immediate\":true}} | NOT_SUPPORTED | #/job/immediate",
        "{\"job\":{\"flags\":[\"TEST_NOW_ONLY\"]}} | NOT_SUPPORTED | #/job/flags",
        "{\"job\":{\"crontab\":{\"minute\":\"1\"}}} | NOT_SUPPORTED | #/job/crontab"
      })
  void whatIsWrongIsToldWhereItStands(String document, ErrorCode code, String place) {
    DocumentProblem problem = refused(document).problem();
    assertEquals(code, problem.code(), problem.description());
    assertEquals(place, problem.source(), problem.description());
  }

  @Test
  void filesOfTheControllerAreNotRead() {
    SubmissionException failure =
        refused("{\"job\":{" + REST + ",\"required_nodes\":[\"/etc/hostname\"]}}");
    assertTrue(failure.problem().description().contains("Unable to open file"), failure.toString());
  }

  @Test
  void whatHasNoEffectIsSaid() throws MalformedDocumentException, SubmissionException {
    DescribedSubmission described =
        submission(
            "{\"job\":{"
                + REST
                + ",\"site_factor\":5,\"x11\":[\"BATCH_NODE\"],\"maximum_cpus\":0,\"jobname\":\"x\"}}");
    assertEquals(
        List.of("#/job/jobname", "#/job/site_factor", "#/job/x11"),
        described.warnings().stream().map(DocumentProblem::source).toList());
  }
}
