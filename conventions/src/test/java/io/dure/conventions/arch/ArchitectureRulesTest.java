package io.dure.conventions.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule can fail, and does not when there is no reason to. */
@Tag("pure")
class ArchitectureRulesTest {
  /** What stands between two sources of one example. */
  private static final String NEXT = "\n---\n";

  @TempDir Path folder;

  /** A rule, and sources of which each by itself must break it. */
  record Broken(String rule, List<String> sources) {}

  private static String decision(String statement) {
    return "package io.dure.model; class Thing { Object run(java.util.List<String> list) throws Exception { return "
        + statement
        + "; } }";
  }

  private static String in(String room, String body) {
    return "package io.dure." + room + "; public class Thing { " + body + " }";
  }

  /** Two sources: a class in one package with a field of a type in another. */
  private static String uses(String from, String to) {
    return in(from, "io.dure." + to + ".Key key;")
        + NEXT
        + "package io.dure."
        + to
        + "; public class Key { }";
  }

  static Stream<Broken> broken() {
    return Stream.concat(brokenDecisions(), brokenElsewhere());
  }

  private static Stream<Broken> brokenDecisions() {
    return Stream.of(
        new Broken(
            "decisions-are-pure",
            Stream.of(
                    "new java.util.HashMap<String, String>()",
                    "new java.util.HashSet<>(list)",
                    "new java.io.File(\"x\")",
                    "java.nio.file.Path.of(\"x\")",
                    "java.net.URI.create(\"x\")",
                    "Thread.currentThread()",
                    "new java.util.Random(1)",
                    "new java.util.concurrent.atomic.AtomicInteger()",
                    "new java.util.concurrent.locks.ReentrantLock()",
                    "java.util.concurrent.ThreadLocalRandom.current()",
                    "java.util.concurrent.Executors.newCachedThreadPool()",
                    "java.time.Clock.systemUTC()",
                    "java.sql.Timestamp.valueOf(\"x\")",
                    "javax.tools.ToolProvider.class")
                .map(ArchitectureRulesTest::decision)
                .toList()),
        new Broken(
            "decisions-repeat",
            Stream.of(
                    "java.time.Instant.now()",
                    "java.time.LocalDate.now()",
                    "System.currentTimeMillis()",
                    "System.nanoTime()",
                    "System.getenv(\"HOME\")",
                    "System.out",
                    "System.identityHashCode(this)",
                    "Math.random()",
                    "java.util.UUID.randomUUID()",
                    "java.time.ZoneId.systemDefault()",
                    "list.parallelStream()",
                    "java.util.Set.of(1, 2)",
                    "java.util.Set.of(list.toArray())",
                    "java.util.Map.of(1, 2, 3, 4)",
                    "java.util.Set.copyOf(list)",
                    "list.stream().collect(java.util.stream.Collectors.toSet())",
                    "(java.util.function.Supplier<java.time.Instant>) java.time.Instant::now")
                .map(ArchitectureRulesTest::decision)
                .toList()),
        new Broken(
            "model-stands-alone",
            List.of(uses("model", "model.config"), uses("model.jobtext", "model.config"))),
        new Broken(
            "only-the-controller-decides",
            List.of(
                uses("twin", "cluster.decide"),
                uses("insight", "cluster.decide"),
                uses("whatif", "cluster.decide"),
                uses("bench", "cluster.decide"))));
  }

  private static Stream<Broken> brokenElsewhere() {
    return Stream.of(
        new Broken(
            "modules",
            List.of(
                uses("controller", "node"),
                uses("node", "controller"),
                uses("cli", "controller"),
                uses("host", "cli"),
                uses("protocol", "host"),
                uses("model", "rules"),
                uses("cluster", "insight"),
                uses("protocol", "insight"),
                uses("protocol", "scheduler"),
                uses("cli", "cluster"),
                uses("cli", "insight"),
                uses("scheduler", "insight"),
                uses("scheduler", "cluster"),
                uses("twin", "cli"),
                uses("node", "testkit"))),
        new Broken(
            "protocol-has-no-sockets",
            List.of(
                in("protocol", "java.net.Socket socket;"),
                in("protocol", "java.nio.channels.Channel channel;"),
                in("protocol", "void run() { java.nio.file.Path.of(\"x\"); }"))),
        new Broken(
            "commands-are-functions",
            List.of(
                in("cli", "void run() { System.exit(1); }"),
                in("cli", "void run() { System.out.println(); }"),
                in("cli", "void run() { System.getenv(\"HOME\"); }"))),
        new Broken(
            "commands-open-no-files",
            List.of(
                in(
                    "cli.squeue",
                    "void run() throws Exception { java.nio.file.Files.readString(java.nio.file.Path.of(\"x\")); }"),
                in(
                    "cli.squeue",
                    "void run() throws Exception { new java.io.FileInputStream(\"x\").close(); }"))),
        new Broken(
            "one-thread-owns-the-state",
            List.of(
                in(
                    "controller",
                    "final Object lock = new java.util.concurrent.locks.ReentrantLock();"),
                in("controller.rpc", "java.util.concurrent.atomic.AtomicLong count;"),
                in("controller", "java.lang.invoke.VarHandle handle;"))),
        new Broken(
            "names",
            Stream.of("ThingImpl", "JobManager", "NodeHelper", "StringUtil", "StringUtils")
                .map(name -> "package io.dure.host; class " + name + " {}")
                .toList()),
        new Broken(
            "no-cycles",
            List.of(
                uses("node", "node.sub")
                    .replace("class Key {", "class Key { io.dure.node.Thing thing;"))));
  }

  private JavaClasses compiled(String example) throws IOException {
    return Snippet.compiled(
        Files.createTempDirectory(folder, "snippet"), Stream.of(example.split(NEXT, -1)).toList());
  }

  @ParameterizedTest
  @MethodSource("broken")
  void eachExampleBreaksItsRule(Broken broken) throws IOException {
    for (String example : broken.sources()) {
      EvaluationResult result =
          ArchitectureRules.all()
              .get(broken.rule())
              .allowEmptyShould(true)
              .evaluate(compiled(example));
      assertTrue(result.hasViolation(), broken.rule() + " allows: " + example);
    }
  }

  @Test
  void everyRuleHasAnExampleThatBreaksIt() {
    assertEquals(
        ArchitectureRules.all().keySet(), new TreeSet<>(broken().map(Broken::rule).toList()));
  }

  @Test
  void whatIsMeantIsAllowed() throws IOException {
    List<String> good =
        List.of(
            decision("new java.util.TreeMap<>(java.util.Map.of(\"one\", java.util.Set.of(2)))"),
            decision("new java.util.LinkedHashMap<String, int[]>().get(\"x\")[0]"),
            decision("list.stream().map(String::strip).sorted().toList()"),
            decision(
                "java.time.Duration.ofMinutes(3).plus(java.time.Instant.EPOCH.getNano(), java.time.temporal.ChronoUnit.NANOS)"),
            decision(
                "switch ((Object) list) { case String s -> s.length(); default -> throw new Exception(); }"),
            decision("java.util.regex.Pattern.compile(\"x\").matcher(\"x\" + list)"),
            "package io.dure.model; class Thing { enum E { A, B } record R(E e, byte[] b) {} "
                + "int run(E e) { System.arraycopy(new int[1], 0, new int[1], 0, 1); return switch (e) { case A -> 1; case B -> 2; }; } }",
            uses("model.config", "model"),
            uses("cli", "host.tls"),
            uses("controller.loop", "cluster.decide"),
            in("controller.loop", "java.util.concurrent.atomic.AtomicLong count;"),
            "package io.dure.cli; class SqueueMain { void run() { System.exit(1); } }");
    for (String example : good) {
      JavaClasses classes = compiled(example);
      ArchitectureRules.all().forEach((name, rule) -> assertAllows(name, rule, example, classes));
    }
  }

  private static void assertAllows(
      String name, ArchRule rule, String example, JavaClasses classes) {
    EvaluationResult result = rule.allowEmptyShould(true).evaluate(classes);
    assertFalse(
        result.hasViolation(),
        () -> name + " refuses: " + example + "\n" + result.getFailureReport());
  }
}
