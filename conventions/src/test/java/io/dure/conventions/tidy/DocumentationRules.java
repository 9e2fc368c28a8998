package io.dure.conventions.tidy;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.lang.model.element.Modifier;

/**
 * Every package outside the tests says in one sentence what it is and is {@code @NullMarked}
 * (NullAway looks nowhere else), and every public type has Javadoc; a member type of a public
 * interface is public.
 */
final class DocumentationRules implements Rule {
  @Override
  public void inspect(Sources sources, Report report) {
    TreeMap<String, SourceFile> packages = new TreeMap<>();
    TreeSet<String> described = new TreeSet<>();
    for (JavaFiles.Parsed parsed : sources.java()) {
      if (!parsed.file().isProgram()) {
        continue;
      }
      packages.putIfAbsent(parsed.file().folder(), parsed.file());
      if (parsed.file().name().equals("package-info.java")) {
        described.add(parsed.file().folder());
        inspectPackage(parsed, report);
      }
      new Scanner(parsed, report).scan(parsed.unit(), null);
    }
    packages.keySet().removeAll(described);
    packages.forEach((folder, first) ->
        report.broken("package-info", first, 0, "the package has no package-info.java"));
  }

  private static void inspectPackage(JavaFiles.Parsed parsed, Report report) {
    boolean marked =
        parsed.unit().getPackageAnnotations().stream()
            .map(annotation -> annotation.getAnnotationType().toString())
            .anyMatch(name -> name.equals("NullMarked") || name.endsWith(".NullMarked"));
    if (!marked) {
      report.broken("package-info", parsed.file(), 0, "the package is not @NullMarked");
    }
    DocCommentTree comment =
        parsed
            .trees()
            .getDocCommentTree(
                new TreePath(new TreePath(parsed.unit()), parsed.unit().getPackage()));
    if (!isOneSentence(comment)) {
      report.broken(
          "package-info",
          parsed.file(),
          0,
          "the package's Javadoc is not one sentence that ends with a full stop");
    }
  }

  private static boolean isOneSentence(DocCommentTree comment) {
    return comment != null
        && comment.getBody().isEmpty()
        && comment.getBlockTags().isEmpty()
        && comment.getFullBody().toString().strip().matches("(?s).+[.!?]");
  }

  private static final class Scanner extends TreePathScanner<Void, Void> {
    private final JavaFiles.Parsed parsed;
    private final Report report;

    Scanner(JavaFiles.Parsed parsed, Report report) {
      this.parsed = parsed;
      this.report = report;
    }

    @Override
    public Void visitClass(ClassTree type, Void unused) {
      if (!isPublic(type)) {
        return null;
      }
      report.counted("public types", 1);
      DocCommentTree comment = parsed.trees().getDocCommentTree(getCurrentPath());
      if (comment == null || comment.getFullBody().isEmpty()) {
        report.broken(
            "public-javadoc",
            parsed.file(),
            parsed.startLine(type),
            type.getSimpleName() + " is public and has no Javadoc");
      }
      return super.visitClass(type, null);
    }

    private boolean isPublic(ClassTree type) {
      Tree parent = getCurrentPath().getParentPath().getLeaf();
      return type.getModifiers().getFlags().contains(Modifier.PUBLIC)
          || parent.getKind() == Tree.Kind.INTERFACE
          || parent.getKind() == Tree.Kind.ANNOTATION_TYPE;
    }
  }
}
