package io.dure.conventions.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The walls between the rooms hold in every module. */
@Tag("pure")
class ArchitectureTest {
  private static final int MOST_SHOWN = 10;

  /** How many class cycles there may be. This number is only ever lowered. */
  private static final int MOST_CLASS_CYCLES = 2;

  private static JavaClasses everything;

  @BeforeAll
  static void readTheClasses() {
    everything =
        new ClassFileImporter()
            .withImportOption(ArchitectureTest::isProgram)
            .importPackages("io.dure");
  }

  /** Of the tests' classes those of the fault tests, which are programs too. */
  private static boolean isProgram(Location place) {
    return ImportOption.Predefined.DO_NOT_INCLUDE_TESTS.includes(place)
        || place.contains("/faults/target/");
  }

  static Stream<String> rules() {
    return new TreeSet<>(ArchitectureRules.all().keySet()).stream();
  }

  @ParameterizedTest
  @MethodSource("rules")
  void holds(String name) {
    ArchRule rule = ArchitectureRules.all().get(name);
    // A module may be without code for a while; that all there is was read is what the other test
    // asserts.
    EvaluationResult result = rule.allowEmptyShould(true).evaluate(everything);
    List<String> details = result.getFailureReport().getDetails();
    if (!details.isEmpty()) {
      String shown = details.stream().limit(MOST_SHOWN).collect(Collectors.joining("\n  "));
      fail(
          "%s: %s\nbroken in %d places, among them:\n  %s"
              .formatted(name, rule.getDescription(), details.size(), shown));
    }
  }

  @Test
  void everyModuleHasAPlace() throws IOException {
    TreeSet<String> placed = new TreeSet<>(ArchitectureRules.MODULES.keySet());
    placed.addAll(List.of("conventions", "e2e"));
    TreeSet<String> built =
        Pattern.compile("<module>(.+)</module>")
            .matcher(Files.readString(Path.of("..", "pom.xml")))
            .results()
            .map(found -> found.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(built, placed, "the modules of pom.xml, and those of ArchitectureRules.MODULES");
  }

  @Test
  void fewClassesDependOnEachOther() {
    List<String> cycles = ClassCycles.of(everything);
    String shown = String.join("\n  ", cycles);
    System.out.println(
        "class cycles: " + cycles.size() + " of at most " + MOST_CLASS_CYCLES + "\n  " + shown);
    if (cycles.size() > MOST_CLASS_CYCLES) {
      fail(
          "%d class cycles inside packages, at most %d; one of these is new:\n  %s"
              .formatted(cycles.size(), MOST_CLASS_CYCLES, shown));
    }
  }

  @Test
  void everyModulesClassesWereRead() throws IOException {
    TreeMap<String, Long> unread = new TreeMap<>();
    for (String module : ArchitectureRules.MODULES.keySet()) {
      String code = module.equals("faults") ? "test" : "main";
      Path sources = Path.of("..", module, "src", code, "java");
      unread.put(
          module, sourceTypes(sources).stream().filter(name -> !everything.contain(name)).count());
    }
    unread.values().removeIf(count -> count == 0);
    assertEquals(new TreeMap<>(), unread, "types without a class file that the rules could read");
    System.out.println(
        "architecture: "
            + everything.size()
            + " classes, "
            + ArchitectureRules.all().size()
            + " rules");
  }

  private static List<String> sourceTypes(Path sources) throws IOException {
    if (!Files.isDirectory(sources)) {
      return List.of();
    }
    try (Stream<Path> walk = Files.walk(sources)) {
      return walk.map(file -> sources.relativize(file).toString())
          .filter(file -> file.endsWith(".java") && !file.endsWith("-info.java"))
          .map(file -> file.substring(0, file.length() - ".java".length()).replace('/', '.'))
          .toList();
    }
  }
}
