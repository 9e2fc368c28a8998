package io.dure.node.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.testkit.Await;
import io.dure.testkit.step.SpawnerProcess;
import io.dure.testkit.step.StepConnection;
import io.dure.testkit.step.StepFrame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Starts parallel steps under real shepherds by a real spawner; a test is their front end. */
abstract class ParallelStepFixture {
  private static final Path PROGRAMS = Path.of("target").toAbsolutePath();
  static final int EVERY_TASK = -1;

  SpawnerProcess spawner;

  @BeforeEach
  void open() throws Exception {
    spawner = new SpawnerProcess(PROGRAMS, true);
  }

  @AfterEach
  void close() throws Exception {
    for (Path step : steps()) {
      // A step that a failed test has left must not hold the next one up.
      StepDirectory directory = new StepDirectory(step);
      RecordedProcess shepherd = directory.shepherd();
      if (shepherd != null && directory.exit() == null) {
        ProcessHandle.of(shepherd.pid()).ifPresent(ProcessHandle::destroyForcibly);
      }
    }
    spawner.close();
  }

  List<Path> steps() throws IOException {
    try (var files = Files.list(spawner.home)) {
      return files.filter(Files::isDirectory).toList();
    }
  }

  /** Tasks with streams to the front end that run a program. */
  static List<String> tasks(int count, String... program) {
    List<String> entries = new ArrayList<>(List.of("tasks=" + count, "node=0"));
    for (int rank = 0; rank < count; rank++) {
      entries.add("rank=" + rank);
    }
    entries.addAll(List.of("stdin=s:", "stdout=s:", "stderr=s:"));
    for (String word : program) {
      entries.add("arg=" + word);
    }
    return entries;
  }

  static List<String> shell(int count, String script) {
    return tasks(count, "/bin/sh", "-c", script);
  }

  StepConnection launch(List<String> entries) throws IOException {
    StepConnection front = StepConnection.to(spawner.socket);
    front.send(SpawnerProcess.launch(entries));
    return front;
  }

  List<StepFrame> run(List<String> entries) throws IOException {
    try (StepConnection front = launch(entries)) {
      front.send(StepFrame.of('I', EVERY_TASK, ""));
      return front.until('Z');
    }
  }

  StepExit exit() {
    StepDirectory step = new StepDirectory(spawner.lastStep());
    return Await.seconds(30).value("an exit record", step::exit, _ -> true);
  }

  static List<Integer> statuses(List<StepFrame> frames) {
    return frames.stream()
        .filter(frame -> frame.type() == 'X')
        .sorted((a, b) -> Integer.compare(a.number(0), b.number(0)))
        .map(frame -> frame.number(1))
        .toList();
  }

  static StepFrame only(List<StepFrame> frames, char type) {
    List<StepFrame> found = frames.stream().filter(frame -> frame.type() == type).toList();
    assertEquals(1, found.size(), frames::toString);
    return found.getFirst();
  }
}
