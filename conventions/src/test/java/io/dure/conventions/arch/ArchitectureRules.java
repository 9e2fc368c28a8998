package io.dure.conventions.arch;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The walls between the rooms. Each rule has a name, by which its failing example is found. */
final class ArchitectureRules {
  /** The modules, and which of the others each may use. */
  static final Map<String, List<String>> MODULES =
      Map.ofEntries(
          Map.entry("model", List.of()),
          Map.entry("rules", List.of("model")),
          Map.entry("placement", List.of("model", "rules")),
          Map.entry("cluster", List.of("model", "rules", "placement")),
          Map.entry("scheduler", List.of("model", "rules", "placement")),
          Map.entry("virtual", List.of("model", "rules", "placement", "scheduler")),
          Map.entry(
              "insight",
              List.of(
                  "model",
                  "rules",
                  "placement",
                  "cluster",
                  "scheduler",
                  "virtual",
                  "protocol",
                  "host")),
          Map.entry("protocol", List.of("model")),
          Map.entry("surface", List.of("model", "rules", "protocol")),
          Map.entry("host", List.of("model", "protocol")),
          Map.entry("rest", List.of("model", "protocol", "surface", "host")),
          Map.entry("journal", List.of("model", "rules", "cluster", "protocol", "host")),
          Map.entry(
              "controller",
              List.of(
                  "model",
                  "rules",
                  "placement",
                  "cluster",
                  "scheduler",
                  "virtual",
                  "insight",
                  "protocol",
                  "surface",
                  "host",
                  "journal",
                  "accounting",
                  "rest")),
          Map.entry("accounting", List.of("model", "rules", "protocol", "surface")),
          Map.entry("node", List.of("model", "protocol", "host")),
          Map.entry("cli", List.of("model", "protocol", "surface", "host")),
          Map.entry("agent", List.of("model", "protocol", "surface", "host", "cli")),
          Map.entry("restd", List.of("model", "protocol", "surface", "host", "cli", "rest")),
          Map.entry(
              "twin",
              List.of(
                  "model",
                  "rules",
                  "placement",
                  "cluster",
                  "scheduler",
                  "virtual",
                  "insight",
                  "protocol",
                  "surface",
                  "host",
                  "journal")),
          Map.entry(
              "whatif",
              List.of(
                  "model",
                  "rules",
                  "placement",
                  "cluster",
                  "scheduler",
                  "virtual",
                  "insight",
                  "protocol",
                  "surface",
                  "host",
                  "journal",
                  "controller",
                  "twin")),
          Map.entry(
              "faults",
              List.of(
                  "model",
                  "rules",
                  "placement",
                  "cluster",
                  "scheduler",
                  "virtual",
                  "insight",
                  "protocol",
                  "surface",
                  "host",
                  "journal",
                  "accounting",
                  "controller",
                  "node",
                  "testkit")),
          Map.entry(
              "bench",
              List.of(
                  "model",
                  "rules",
                  "placement",
                  "cluster",
                  "scheduler",
                  "virtual",
                  "insight",
                  "protocol",
                  "surface",
                  "host",
                  "journal",
                  "controller",
                  "node",
                  "twin",
                  "whatif",
                  "accounting",
                  "testkit")),
          Map.entry("testkit", List.of()));

  /** The layers that decide: the same inputs give the same outputs in every run. */
  private static final String[] DECISIONS = {
    "io.dure.model..",
    "io.dure.rules..",
    "io.dure.placement..",
    "io.dure.cluster..",
    "io.dure.scheduler..",
    "io.dure.virtual..",
    "io.dure.insight..",
    "io.dure.node.noderun.."
  };

  /** What those layers may use of the platform: values, text, collections, arithmetic, dates. */
  private static final String[] PURE_PACKAGES = {
    "io.dure.model..",
    "io.dure.rules..",
    "io.dure.placement..",
    "io.dure.cluster..",
    "io.dure.scheduler..",
    "io.dure.virtual..",
    "io.dure.insight..",
    "io.dure.node.noderun..",
    "org.jspecify.annotations",
    "java.lang",
    "java.lang.annotation",
    "java.lang.invoke",
    "java.lang.runtime",
    "java.math",
    "java.nio.charset",
    "java.security",
    "java.time..",
    "java.util",
    "java.util.function",
    "java.util.regex",
    "java.util.stream"
  };

  /** What those packages hold that is not pure, or whose order changes from run to run. */
  private static final Set<String> IMPURE_TYPES =
      Set.of(
          "java.lang.ClassLoader",
          "java.lang.InheritableThreadLocal",
          "java.lang.Process",
          "java.lang.ProcessBuilder",
          "java.lang.ProcessHandle",
          "java.lang.Runtime",
          "java.lang.ScopedValue",
          "java.lang.Thread",
          "java.lang.ThreadGroup",
          "java.lang.ThreadLocal",
          "java.security.SecureRandom",
          "java.time.Clock",
          "java.time.InstantSource",
          "java.util.HashMap",
          "java.util.HashSet",
          "java.util.Hashtable",
          "java.util.IdentityHashMap",
          "java.util.Properties",
          "java.util.Random",
          "java.util.Scanner",
          "java.util.ServiceLoader",
          "java.util.SplittableRandom",
          "java.util.Timer",
          "java.util.WeakHashMap");

  /** Members of pure types that read the clock, the machine, chance, or another run's order. */
  private static final Set<String> IMPURE_MEMBERS =
      Set.of(
          "java.lang.Math.random",
          "java.lang.StrictMath.random",
          "java.lang.Object.wait",
          "java.lang.Object.notify",
          "java.lang.Object.notifyAll",
          "java.time.ZoneId.systemDefault",
          "java.util.Collections.shuffle",
          "java.util.Locale.getDefault",
          "java.util.Map.copyOf",
          "java.util.Set.copyOf",
          "java.util.TimeZone.getDefault",
          "java.util.UUID.randomUUID",
          "java.util.Collection.parallelStream",
          "java.util.List.parallelStream",
          "java.util.Set.parallelStream",
          "java.util.stream.Stream.parallel",
          "java.util.stream.IntStream.parallel",
          "java.util.stream.LongStream.parallel",
          "java.util.stream.Collectors.toSet",
          "java.util.stream.Collectors.toUnmodifiableSet",
          "java.util.stream.Collectors.toUnmodifiableMap");

  /** The state loop, and the journal to whose thread the loop hands its events. */
  private static final String[] WHERE_THREADS_MEET = {
    "io.dure.controller.loop..",
    "io.dure.controller.accounting..",
    "io.dure.controller.service..",
    "io.dure.controller.slurmdbd..",
    "io.dure.controller.replica..",
    "io.dure.controller.server..",
    "io.dure.controller.node..",
    "io.dure.controller.statistics.."
  };

  private static final String[] VOCABULARY = {
    "io.dure.model",
    "io.dure.model.request..",
    "io.dure.model.job..",
    "io.dure.model.cron..",
    "io.dure.model.jobtext..",
    "io.dure.model.step..",
    "io.dure.model.node..",
    "io.dure.model.gres..",
    "io.dure.model.hetjob..",
    "io.dure.model.collection..",
    "io.dure.model.constraint.."
  };

  private ArchitectureRules() {}

  static Map<String, ArchRule> all() {
    return Map.ofEntries(
        Map.entry("decisions-are-pure", decisionsUseValuesOnly()),
        Map.entry("decisions-repeat", decisionsTouchNothingImpure()),
        Map.entry("model-stands-alone", modelStandsAlone()),
        Map.entry("only-the-controller-decides", onlyTheControllerDecides()),
        Map.entry("modules", modulesUseWhatTheyMay()),
        Map.entry("protocol-has-no-sockets", protocolHasNoSockets()),
        Map.entry("commands-are-functions", commandsDoNotTouchTheSystem()),
        Map.entry("commands-open-no-files", commandsLeaveFilesToTheCaller()),
        Map.entry("one-thread-owns-the-state", locksOnlyInTheLoop()),
        Map.entry("names", namesSayWhatThingsAre()),
        Map.entry("no-cycles", packagesHaveNoCycles()));
  }

  private static ArchRule decisionsUseValuesOnly() {
    return classes()
        .that()
        .resideInAnyPackage(DECISIONS)
        .and()
        .resideOutsideOfPackage("io.dure.insight.worker..")
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(PURE_PACKAGES)
                .or(describe("arrays of primitives", ArchitectureRules::isPrimitive))
                .and(describe("pure", type -> !IMPURE_TYPES.contains(outermost(type)))))
        .because(
            "time, randomness, I/O and threads are inputs of a decision, and the order is the same in every run");
  }

  private static ArchRule decisionsTouchNothingImpure() {
    return noClasses()
        .that()
        .resideInAnyPackage(DECISIONS)
        .and()
        .resideOutsideOfPackage("io.dure.insight.worker..")
        .should()
        .accessTargetWhere(
            describe(
                "a clock, the machine, chance or an order that changes",
                ArchitectureRules::isImpure))
        .because(
            "a replay must decide the same; for Set.of, Map.of and copyOf use a List, a TreeMap, or an unmodifiable"
                + " view of a LinkedHashMap");
  }

  private static ArchRule modelStandsAlone() {
    return noClasses()
        .that()
        .resideInAnyPackage(VOCABULARY)
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.dure.model..").and(not(resideInAnyPackage(VOCABULARY))))
        .because("everything else speaks in the model's words");
  }

  private static ArchRule onlyTheControllerDecides() {
    return noClasses()
        .that(
            resideInAPackage("io.dure..")
                .and(
                    not(
                        resideInAnyPackage(
                            "io.dure.cluster..", "io.dure.controller..", "io.dure.faults.."))))
        .should()
        .dependOnClassesThat(resideInAPackage("io.dure.cluster.decide.."))
        .because("everything else asks the rules of admission, or advances a virtual cluster");
  }

  private static ArchRule modulesUseWhatTheyMay() {
    return MODULES.entrySet().stream()
        .map(entry -> moduleUsesOnly(entry.getKey(), entry.getValue()))
        .reduce((one, other) -> com.tngtech.archunit.lang.CompositeArchRule.of(one).and(other))
        .orElseThrow();
  }

  private static ArchRule moduleUsesOnly(String module, List<String> allowed) {
    String[] rooms =
        Stream.concat(Stream.of(module), allowed.stream())
            .map(name -> "io.dure." + name + "..")
            .toArray(String[]::new);
    return noClasses()
        .that(inModule(module))
        .should()
        .dependOnClassesThat(resideInAPackage("io.dure..").and(not(resideInAnyPackage(rooms))))
        .allowEmptyShould(true)
        .because("programs never depend on each other, and the rest only on what is below it");
  }

  private static ArchRule protocolHasNoSockets() {
    return noClasses()
        .that(inModule("protocol"))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                "java.net..",
                "java.nio.channels..",
                "java.nio.file..",
                "java.sql..",
                "javax.net..",
                "io.netty.."))
        .because("messages are bytes in and values out");
  }

  private static ArchRule commandsDoNotTouchTheSystem() {
    return noClasses()
        .that(inModule("cli").or(inModule("surface")))
        .and()
        .haveSimpleNameNotEndingWith("Main")
        .should()
        .accessTargetWhere(
            describe(
                "System's exit, streams, environment or properties",
                ArchitectureRules::isProcessState))
        .because(
            "a command is a function of arguments, environment, directory, input and output to an exit code");
  }

  private static ArchRule commandsLeaveFilesToTheCaller() {
    return noClasses()
        .that(inModule("cli"))
        .and()
        .resideOutsideOfPackages(
            "io.dure.cli.admin..", "io.dure.cli.connect..", "io.dure.cli.process..")
        .should()
        .accessTargetWhere(describe("what opens a file", ArchitectureRules::opensFile))
        .because(
            "an agent runs commands of other users, whose CallerProcess opens files with their rights");
  }

  private static boolean opensFile(JavaAccess<?> access) {
    String owner = access.getTargetOwner().getName();
    String name = access.getTarget().getName();
    return switch (owner) {
      case "java.nio.file.Files" ->
          Stream.of("read", "new", "lines", "write", "copy", "move", "delete", "create")
                  .anyMatch(name::startsWith)
              && !name.equals("readSymbolicLink");
      case "java.io.FileInputStream",
          "java.io.FileOutputStream",
          "java.io.FileReader",
          "java.io.FileWriter",
          "java.io.RandomAccessFile" ->
          true;
      case "java.nio.channels.FileChannel" -> name.equals("open");
      default -> false;
    };
  }

  private static ArchRule locksOnlyInTheLoop() {
    return noClasses()
        .that(inModule("controller"))
        .and()
        .resideOutsideOfPackages(WHERE_THREADS_MEET)
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("java.util.concurrent.locks..", "java.util.concurrent.atomic..")
                .or(
                    describe(
                        "VarHandle", type -> type.getName().equals("java.lang.invoke.VarHandle"))))
        .because("one thread owns the state; nobody else locks");
  }

  private static ArchRule namesSayWhatThingsAre() {
    return noClasses()
        .that()
        .resideInAPackage("io.dure..")
        .should()
        .haveNameMatching(".*(Impl|Manager|Helper|Util|Utils)")
        .because("such a name says nothing about what the class is");
  }

  private static ArchRule packagesHaveNoCycles() {
    return slices().matching("io.dure.(**)").should().beFreeOfCycles();
  }

  private static DescribedPredicate<JavaClass> inModule(String module) {
    return resideInAPackage("io.dure." + module + "..");
  }

  private static boolean isPrimitive(JavaClass type) {
    return type.getBaseComponentType().isPrimitive();
  }

  private static String outermost(JavaClass type) {
    String name = type.getBaseComponentType().getName();
    return name.contains("$") ? name.substring(0, name.indexOf('$')) : name;
  }

  private static boolean isImpure(JavaAccess<?> access) {
    String owner = access.getTargetOwner().getName();
    String member = access.getName();
    boolean unorderedFactory =
        member.equals("of") && (owner.equals("java.util.Set") || owner.equals("java.util.Map"));
    return IMPURE_MEMBERS.contains(owner + "." + member)
        || (owner.startsWith("java.time.") && member.equals("now"))
        || (owner.equals("java.lang.System") && !member.equals("arraycopy"))
        || (owner.equals("java.util.Map") && member.equals("ofEntries"))
        || (unorderedFactory && holdsSeveral(access));
  }

  /**
   * Whether a factory of Set or Map makes more than one element: only then is there an order to
   * change.
   */
  private static boolean holdsSeveral(JavaAccess<?> access) {
    int most = access.getTargetOwner().getName().equals("java.util.Set") ? 1 : 2;
    List<JavaClass> parameters =
        ((com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget) access.getTarget())
            .getRawParameterTypes();
    return parameters.size() > most || parameters.stream().anyMatch(JavaClass::isArray);
  }

  private static boolean isProcessState(JavaAccess<?> access) {
    return access.getTargetOwner().getName().equals("java.lang.System")
        && !Set.of(
                "arraycopy", "currentTimeMillis", "identityHashCode", "lineSeparator", "nanoTime")
            .contains(access.getName());
  }
}
