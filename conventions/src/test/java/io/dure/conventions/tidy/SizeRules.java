package io.dure.conventions.tidy;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Methods, files, packages and parameter lists stay small.
 *
 * <p>A method's lines run from its signature (annotations are data about it, not part of it) to its
 * closing brace; an initialiser block counts as a method. A package's types are its top-level ones,
 * in one source folder. A record's constructors may have any number of parameters.
 */
final class SizeRules implements Rule {
  @Override
  public void inspect(Sources sources, Report report) {
    sources.files(SourceFile::isJava).forEach(file -> fileSize(file, report));
    TreeMap<String, Integer> packages = new TreeMap<>();
    for (JavaFiles.Parsed parsed : sources.java()) {
      parsed.problems().forEach(problem -> report.broken("parse", parsed.file(), 0, problem));
      packages.merge(parsed.file().folder(), parsed.unit().getTypeDecls().size(), Integer::sum);
      new Scanner(parsed, report).scan(parsed.unit(), null);
    }
    packages.forEach((folder, types) ->
        report.budget(Budget.PACKAGE, new SourceFile(folder, ""), folder, 0, types));
    report.counted("packages", packages.size());
  }

  private static void fileSize(SourceFile file, Report report) {
    report.budget(
        file.isProgram() ? Budget.FILE : Budget.TEST_FILE, file, file.path(), 0, file.lines());
    if (file.name().endsWith("Main.java") && file.isProgram()) {
      report.budget(Budget.MAIN_FILE, file, file.path(), 0, file.lines());
    }
    report.counted("Java files", 1);
  }

  private static final class Scanner extends TreeScanner<Void, ClassTree> {
    private final JavaFiles.Parsed parsed;
    private final Report report;

    Scanner(JavaFiles.Parsed parsed, Report report) {
      this.parsed = parsed;
      this.report = report;
    }

    @Override
    public Void visitClass(ClassTree type, ClassTree outer) {
      for (Tree member : type.getMembers()) {
        if (member instanceof BlockTree block) {
          measure(block, block.isStatic() ? "static" : "init", parsed.startLine(block));
        }
      }
      return super.visitClass(type, type);
    }

    @Override
    public Void visitMethod(MethodTree method, ClassTree owner) {
      String parameters =
          method.getParameters().stream()
              .map(parameter -> String.valueOf(parameter.getType()).replaceAll("\\s", ""))
              .collect(Collectors.joining(",", "(", ")"));
      boolean constructor = method.getReturnType() == null;
      String name = (constructor ? owner.getSimpleName() : method.getName()) + parameters;
      int line = signatureLine(method);
      measure(method, name, line);
      if (!(constructor && owner.getKind() == Tree.Kind.RECORD)) {
        report.budget(
            Budget.PARAMETERS, parsed.file(), subject(name), line, method.getParameters().size());
      }
      report.counted("methods", 1);
      return super.visitMethod(method, owner);
    }

    private void measure(Tree body, String name, int firstLine) {
      int lines = parsed.endLine(body) - firstLine + 1;
      report.budget(Budget.METHOD, parsed.file(), subject(name), firstLine, lines);
    }

    private String subject(String name) {
      return parsed.file().path() + "#" + name;
    }

    private int signatureLine(MethodTree method) {
      long start = parsed.positions().getStartPosition(parsed.unit(), method);
      for (AnnotationTree annotation : method.getModifiers().getAnnotations()) {
        start = Math.max(start, parsed.positions().getEndPosition(parsed.unit(), annotation));
      }
      String text = parsed.file().text();
      while (start < text.length() && Character.isWhitespace(text.charAt((int) start))) {
        start++;
      }
      return parsed.line(start);
    }
  }
}
