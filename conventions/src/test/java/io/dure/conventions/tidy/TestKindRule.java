package io.dure.conventions.tidy;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Each class with tests says by one {@code @Tag} of which kind they are: {@code pure} (nothing but
 * values and files of its own), {@code process} (real processes, sockets, threads, the clock),
 * {@code cluster} (daemons of a whole cluster) or {@code soak} (long, with fresh seeds, not in a
 * build). A single test may be {@code soak} too.
 */
final class TestKindRule implements Rule {
  private static final Set<String> KINDS =
      new TreeSet<>(Set.of("pure", "process", "cluster", "soak"));
  private static final Set<String> TESTS =
      Set.of("Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate");

  @Override
  public void inspect(Sources sources, Report report) {
    for (JavaFiles.Parsed parsed : sources.java()) {
      if (parsed.file().isTest()) {
        for (Tree type : parsed.unit().getTypeDecls()) {
          if (type instanceof ClassTree found && hasTests(found)) {
            judge(found, parsed, report);
          }
        }
      }
    }
  }

  private static void judge(ClassTree type, JavaFiles.Parsed parsed, Report report) {
    List<String> tags = tags(type.getModifiers().getAnnotations());
    if (tags.size() != 1 || !KINDS.contains(tags.getFirst())) {
      report.broken(
          "test-kind",
          parsed.file(),
          parsed.startLine(type),
          "a class with tests has one @Tag of " + KINDS + ", not " + tags);
    } else {
      report.counted(tags.getFirst() + " test classes", 1);
    }
    new TreeScanner<Void, Void>() {
      @Override
      public Void visitMethod(MethodTree method, Void unused) {
        for (String tag : tags(method.getModifiers().getAnnotations())) {
          if (!tag.equals("soak")) {
            report.broken(
                "test-kind",
                parsed.file(),
                parsed.startLine(method),
                "a single test may be tagged soak, not " + tag);
          }
        }
        return super.visitMethod(method, null);
      }
    }.scan(type, null);
  }

  private static boolean hasTests(ClassTree type) {
    boolean[] found = {false};
    new TreeScanner<Void, Void>() {
      @Override
      public Void visitMethod(MethodTree method, Void unused) {
        for (AnnotationTree annotation : method.getModifiers().getAnnotations()) {
          found[0] |= TESTS.contains(simpleName(annotation));
        }
        return super.visitMethod(method, null);
      }
    }.scan(type, null);
    return found[0];
  }

  private static List<String> tags(List<? extends AnnotationTree> annotations) {
    return annotations.stream()
        .filter(annotation -> simpleName(annotation).equals("Tag"))
        .map(annotation -> word(annotation.getArguments().getFirst()))
        .toList();
  }

  private static String word(Tree argument) {
    Tree value = argument instanceof AssignmentTree named ? named.getExpression() : argument;
    return value instanceof LiteralTree text ? String.valueOf(text.getValue()) : value.toString();
  }

  private static String simpleName(AnnotationTree annotation) {
    String name = annotation.getAnnotationType().toString();
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
