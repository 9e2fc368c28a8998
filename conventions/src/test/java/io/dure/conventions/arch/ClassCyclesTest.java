package io.dure.conventions.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cycles of classes are found, and only those. */
@Tag("pure")
class ClassCyclesTest {
  @TempDir Path folder;

  private List<String> cycles(String... sources) throws IOException {
    return ClassCycles.of(
        Snippet.compiled(Files.createTempDirectory(folder, "snippet"), List.of(sources)));
  }

  @Test
  void classesThatNameEachOtherAreACycle() throws IOException {
    assertEquals(
        List.of("io.dure.model: One, Three, Two"),
        cycles(
            "package io.dure.model; class One { Two two; }",
            "package io.dure.model; class Two { Three.Inner[] inner; }",
            "package io.dure.model; class Three { static class Inner { void run(One one) {} } }",
            "package io.dure.model; class Four { One one; }"));
  }

  @Test
  void eachCycleOfAPackageCounts() throws IOException {
    assertEquals(
        List.of("io.dure.host: A, B", "io.dure.host: C, D"),
        cycles(
            "package io.dure.host; class A { B b; }",
            "package io.dure.host; class B { A a; C c; }",
            "package io.dure.host; class C { D d; }",
            "package io.dure.host; class D { C c; }"));
  }

  @Test
  void nestedTypesAndBuildersAreNone() throws IOException {
    assertEquals(
        List.of(),
        cycles(
            "package io.dure.model; class Outer { Inner inner; static class Inner { Outer outer; } }",
            "package io.dure.model; class Job { JobBuilder b; static class Part { JobPartBuilder b; } }",
            "package io.dure.model; class JobBuilder { Job job; }",
            "package io.dure.model; class JobPartBuilder { Job.Part part; }"));
  }
}
