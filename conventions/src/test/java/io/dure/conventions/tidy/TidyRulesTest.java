package io.dure.conventions.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each rule can fail, and does not when there is no reason to. */
@Tag("pure")
class TidyRulesTest {
  private static final String MAIN = "model/src/main/java/io/dure/model/Thing.java";
  private static final String TEST = "model/src/test/java/io/dure/model/ThingTest.java";

  private static List<String> found(Rule rule, SourceFile... files) {
    Report report = new Report();
    rule.inspect(Sources.of(files), report);
    return report.findings().stream().map(Finding::toString).toList();
  }

  private static List<String> found(Rule rule, String path, String text) {
    return found(rule, new SourceFile(path, text));
  }

  private static String lines(int count, String line) {
    return (line + "\n").repeat(count);
  }

  private static String method(int statements) {
    return "class Thing {\n  @Deprecated\n  @SuppressWarnings(\"x\")\n  void run() {\n"
        + lines(statements, "    go();")
        + "  }\n}\n";
  }

  @Test
  void aMethodHasAtMost60Lines() {
    assertEquals(List.of(), found(new SizeRules(), MAIN, method(58)));
    assertEquals(
        List.of(MAIN + ":4: 61 lines, at most 60 [method-lines]"),
        found(new SizeRules(), MAIN, method(59)));
  }

  @Test
  void anInitialiserIsAMethodToo() {
    String text = "class Thing {\n  static {\n" + lines(60, "    go();") + "  }\n}\n";
    assertEquals(
        List.of(MAIN + ":2: 62 lines, at most 60 [method-lines]"),
        found(new SizeRules(), MAIN, text));
  }

  @Test
  void aFileHasAtMost500LinesAndATest800() {
    assertEquals(List.of(), found(new SizeRules(), MAIN, lines(500, "//")));
    assertEquals(
        List.of(MAIN + ": 501 lines, at most 500 [file-lines]"),
        found(new SizeRules(), MAIN, lines(501, "//")));
    assertEquals(List.of(), found(new SizeRules(), TEST, lines(800, "//")));
    assertEquals(
        List.of(TEST + ": 801 lines, at most 800 [file-lines]"),
        found(new SizeRules(), TEST, lines(801, "//")));
  }

  @Test
  void aMainClassHasAtMost150Lines() {
    String path = "cli/src/main/java/io/dure/cli/CliMain.java";
    assertEquals(
        List.of(path + ": 151 lines, at most 150 [main-lines]"),
        found(new SizeRules(), path, lines(151, "//")));
  }

  @Test
  void aMethodHasAtMost6ParametersUnlessItMakesARecord() {
    String seven = "(int a, int b, int c, int d, int e, int f, int g)";
    assertEquals(
        List.of(MAIN + ":1: 7 parameters, at most 6 [parameters]"),
        found(new SizeRules(), MAIN, "class Thing { void run" + seven + " {} }"));
    assertEquals(
        List.of(),
        found(new SizeRules(), MAIN, "record Thing" + seven + " { Thing { check(); } }"));
    assertEquals(
        List.of(),
        found(new SizeRules(), MAIN, "record Thing(int a) { Thing" + seven + " { this(a); } }"));
  }

  @Test
  void aPackageHasAtMost24Types() {
    assertEquals(List.of(), found(new SizeRules(), MAIN, lines(24, "class T {}")));
    assertEquals(
        List.of("model/src/main/java/io/dure/model: 25 types, at most 24 [package-types]"),
        found(new SizeRules(), MAIN, lines(25, "class T {}")));
  }

  @Test
  void whatCannotBeParsedIsReported() {
    assertEquals(1, found(new SizeRules(), MAIN, "class Thing { int a = ; }").size());
  }

  @Test
  void cFilesAndFunctionsHaveBudgets() {
    String path = "node/src/main/c/a.c";
    String fits =
        "static int\nrun(int a)\n{\n"
            + lines(56, "  go();")
            + "}\n\nint table[] = {\n"
            + lines(70, "  1,")
            + "};\n";
    assertEquals(List.of(), found(new CRules(), path, fits));
    assertEquals(
        List.of(path + ":1: 61 lines, at most 60 [method-lines]"),
        found(
            new CRules(),
            path,
            "static void __attribute__((noreturn)) *run(int a) {\n"
                + lines(59, "  go();")
                + "}\n"));
    assertEquals(
        List.of(path + ": 501 lines, at most 500 [file-lines]"),
        found(new CRules(), path, lines(501, "//")));
  }

  private static SourceFile packageInfo(String text) {
    return new SourceFile("model/src/main/java/io/dure/model/package-info.java", text);
  }

  @Test
  void aPackageSaysInOneSentenceWhatItIs() {
    String marked = "@org.jspecify.annotations.NullMarked package io.dure.model;";
    assertEquals(
        List.of(), found(new DocumentationRules(), packageInfo("/** Things. */ " + marked)));
    for (String wrong :
        List.of(
            "",
            "/** */",
            "/** Things */",
            "/** Things. And others. */",
            "/** Things.\n * @since 1 */")) {
      List<String> found = found(new DocumentationRules(), packageInfo(wrong + " " + marked));
      assertEquals(1, found.size(), wrong);
      assertTrue(found.getFirst().contains("not one sentence"), wrong);
    }
  }

  @Test
  void aPackageIsNullMarked() {
    assertEquals(
        List.of(
            "model/src/main/java/io/dure/model/package-info.java: the package is not @NullMarked [package-info]"),
        found(new DocumentationRules(), packageInfo("/** Things. */ package io.dure.model;")));
  }

  @Test
  void everyPackageOutsideTheTestsHasItsInfo() {
    assertEquals(
        List.of(MAIN + ": the package has no package-info.java [package-info]"),
        found(new DocumentationRules(), MAIN, "class Thing {}"));
    assertEquals(List.of(), found(new DocumentationRules(), TEST, "public class ThingTest {}"));
  }

  @Test
  void publicTypesHaveJavadoc() {
    SourceFile info = packageInfo("/** Things. */ @NullMarked package io.dure.model;");
    String text =
        """
        /** A shape. */
        public interface Shape {
          record Circle() {}
          /** With corners. */
          record Square() {}
        }
        class Inner { public record NotReachable() {} }
        """;
    assertEquals(
        List.of(MAIN + ":3: Circle is public and has no Javadoc [public-javadoc]"),
        found(new DocumentationRules(), info, new SourceFile(MAIN, text)));
  }

  @Test
  void testsDoNotSleep() {
    for (String sleep :
        List.of(
            "Thread.sleep(5)",
            "java.util.concurrent.TimeUnit.SECONDS.sleep(1)",
            "SECONDS.sleep(1)",
            "sleep(3)")) {
      String text =
          "import static java.lang.Thread.sleep; class ThingTest { void t() { " + sleep + "; } }";
      assertEquals(
          List.of(TEST + ":1: a sleep in a test: wait for a condition (Await) [sleep]"),
          found(new CodeRules(), TEST, text));
      assertEquals(List.of(), found(new CodeRules(), MAIN, text));
    }
    assertEquals(
        List.of(),
        found(new CodeRules(), TEST, "class ThingTest { void t() { clock.sleep(5); } }"));
  }

  @Test
  void oneThreadOwnsTheState() {
    for (String lock :
        List.of(
            "synchronized void t() {}", "void t() { synchronized (this) {} }", "volatile int t;")) {
      String text = "class Thing { " + lock + " }";
      assertEquals(1, found(new CodeRules(), MAIN, text).size(), lock);
      assertEquals(
          1,
          found(new CodeRules(), "controller/src/main/java/io/dure/controller/A.java", text)
              .size());
      assertEquals(
          List.of(),
          found(new CodeRules(), "controller/src/main/java/io/dure/controller/loop/A.java", text));
      assertEquals(
          List.of(), found(new CodeRules(), "node/src/main/java/io/dure/node/A.java", text));
    }
  }

  @Test
  void aSwitchOverASealedTypeHasNoDefault() {
    String text =
        """
        sealed interface Shape {
          record Circle(int r) implements Shape {}
          sealed interface Flat extends Shape {}
          record Square() implements Flat {}
        }
        class Thing {
          int named(Shape s) {
            return switch (s) {
              case Shape.Circle(int r) -> r;
              case Shape.Flat _ -> 2;
            };
          }
          int withDefault(Shape s) {
            return switch (s) {
              case Shape.Circle c -> 1;
              default -> 2;
            };
          }
          void statement(Shape s) {
            switch (s) {
              case Shape.Square q -> go();
              case null, default -> {}
            }
          }
          int mixed(Object o) {
            return switch (o) {
              case Shape.Circle c -> 1;
              case String t -> 2;
              default -> 3;
            };
          }
          int plain(int i) {
            return switch (i) {
              case 1 -> 1;
              default -> 2;
            };
          }
        }
        """;
    assertEquals(
        List.of(
            MAIN + ":14: a default in a switch over the sealed Shape [sealed-default]",
            MAIN + ":20: a default in a switch over the sealed Flat, Shape [sealed-default]"),
        found(new SealedSwitchRule(), MAIN, text));
  }

  @Test
  void codeIsFinished() {
    for (String mark : List.of("TO" + "DO", "FIX" + "ME", "X" + "XX")) {
      assertEquals(
          List.of(MAIN + ":2: " + mark + ": finish it, or write an issue about it [unfinished]"),
          found(new TextRules(), MAIN, "class Thing {\n// " + mark + " later\n}"));
    }
    assertEquals(List.of(), found(new TextRules(), "run.sh", "mktemp /tmp/a.XX" + "XXXX"));
  }

  @Test
  void noFileNamesARegistry() {
    for (String host :
        List.of("repo1.maven", "registry.npmjs", "pypi", "crates" + ".io?", "repo.maven.apache")) {
      String address =
          host.contains("?") ? "https://" + host.replace("?", "") : "https://" + host + ".org/x";
      assertEquals(1, found(new TextRules(), "docs/a.md", "see " + address).size(), address);
    }
    assertEquals(
        List.of(),
        found(new TextRules(), "pom.xml", "xmlns=\"http://maven.apache.org/POM/4.0.0\""));
  }

  @Test
  void noFileNamesAPathOfOneMachine() {
    for (String path : List.of("/wo" + "rk/main/x", "'/ro" + "ot/.m2/y'")) {
      assertEquals(1, found(new TextRules(), "docs/a.md", "cd " + path).size(), path);
    }
    for (String path :
        List.of(
            "$DIR/work/a",
            "${DIR}/work/a",
            "target/work/a",
            "/home/alice/job.sh",
            "/home/$USER/a")) {
      assertEquals(List.of(), found(new TextRules(), "run.sh", "cd " + path), path);
    }
  }

  @Test
  void aClassWithTestsIsOfOneKind() {
    String tests = "class ThingTest {\n  @Test\n  void holds() {}\n}\n";
    for (String kind : List.of("pure", "process", "cluster", "soak")) {
      assertEquals(
          List.of(), found(new TestKindRule(), TEST, "@Tag(\"" + kind + "\")\n" + tests), kind);
    }
    String wrong = "a class with tests has one @Tag of [cluster, process, pure, soak], not ";
    for (String tags : List.of("", "fast", "pure, process")) {
      StringBuilder text = new StringBuilder();
      for (String tag : tags.isEmpty() ? new String[0] : tags.split(", ")) {
        text.append("@Tag(\"").append(tag).append("\") ");
      }
      assertEquals(
          List.of(TEST + ":1: " + wrong + "[" + tags + "] [test-kind]"),
          found(new TestKindRule(), TEST, text + tests));
    }
    assertEquals(List.of(), found(new TestKindRule(), TEST, "class Fixture { void holds() {} }"));
    assertEquals(
        List.of(TEST + ":2: a single test may be tagged soak, not pure [test-kind]"),
        found(
            new TestKindRule(),
            TEST,
            "@Tag(\"pure\") class ThingTest {\n @Tag(\"pure\") @Test void a() {}\n"
                + " @Tag(\"soak\") @Test void b() {}\n}"));
  }

  @Test
  void filesAreAsEditorsAreTold() {
    SourceFile config =
        new SourceFile(
            ".editorconfig",
            """
            root = true
            [*]
            end_of_line = lf
            insert_final_newline = true
            trim_trailing_whitespace = true
            # a remark
            [*.{c,h}]
            indent_style = space
            [**/resources/**]
            trim_trailing_whitespace = unset
            """);
    assertEquals(
        List.of(
            "a/x.c: no end of line at its end [editor-config]",
            "a/x.c:1: blanks at the end [editor-config]",
            "a/x.c:2: a tab in the indent [editor-config]",
            "a/x.md:1: a carriage return [editor-config]"),
        found(
            new EditorConfigRule(),
            config,
            new SourceFile("a/x.c", "int x; \n \tint y;"),
            new SourceFile("a/x.md", "\tone\r\n"),
            new SourceFile("a/resources/x.txt", "one \n")));
  }

  @Test
  void relativeLinksLeadSomewhere() {
    SourceFile other =
        new SourceFile("docs/b.md", "# The *first* `one`, now\n## Again\n## Again\n## 두레 집\n");
    String good =
        """
        [b](b.md) [again](b.md#again-1) [first](b.md#the-first-one-now) [korean](b.md#%EB%91%90%EB%A0%88-%EC%A7%91)
        [folder](../docs) [self](#here) [web](https://example.org/x) ![image](../logo.png "a title")
        `[code](nowhere.md)`
        ```
        [fenced](nowhere.md)
        ```
        [ref]: b.md
        # Here
        """;
    assertEquals(
        List.of(),
        found(
            new LinkRule(),
            new SourceFile("docs/a.md", good),
            other,
            new SourceFile("logo.png", "")));
    String bad = "[x](c.md)\n[x](b.md#nothing)\n[x](../../outside)\n[r]: gone.md\n[x](#gone)";
    assertEquals(
        List.of(
            "docs/a.md:1: c.md: there is no such file [links]",
            "docs/a.md:2: b.md#nothing: there is no such heading [links]",
            "docs/a.md:3: ../../outside: leads out of the repository [links]",
            "docs/a.md:4: gone.md: there is no such file [links]",
            "docs/a.md:5: #gone: there is no such heading [links]"),
        found(new LinkRule(), new SourceFile("docs/a.md", bad), other));
  }

  @Test
  void shellScriptsParse() {
    assertEquals(List.of(), found(new ShellRule(), "a.sh", "#!/bin/bash\necho \"$1\"\n"));
    assertEquals(1, found(new ShellRule(), "run", "#!/usr/bin/env bash\nif true; then\n").size());
    assertEquals(List.of(), found(new ShellRule(), "notes.txt", "if true; then"));
    assertEquals(
        List.of(), found(new ShellRule(), "e2e/src/test/resources/broken.sh", "if true; then"));
  }

  @Test
  void shellcheckIsHeard() {
    ShellRule rule = new ShellRule();
    assumeTrue(rule.hasShellcheck(), "shellcheck is not installed");
    List<String> found = found(rule, "a.sh", "#!/bin/bash\nrm -rf $1/*\n");
    assertTrue(found.getFirst().contains("shellcheck: "), found.toString());
  }
}
