package io.dure.conventions.tidy;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePathScanner;
import java.util.List;
import javax.lang.model.element.Modifier;

/**
 * What byte code does not show, or shows too late: no sleep in a test, and in the layers that
 * decide and the controller no {@code synchronized} and no {@code volatile} outside the packages
 * where threads meet: the state loop, the journal and the connections.
 */
final class CodeRules implements Rule {
  private static final List<String> DECISIONS =
      List.of("model", "rules", "placement", "cluster", "scheduler", "virtual", "insight");
  private static final String CONTROLLER = "controller/src/main/java/io/dure/controller/";

  @Override
  public void inspect(Sources sources, Report report) {
    for (JavaFiles.Parsed parsed : sources.java()) {
      new Scanner(parsed, report).scan(parsed.unit(), null);
    }
  }

  private static boolean isLockFree(SourceFile file) {
    return (DECISIONS.stream().anyMatch(layer -> file.path().startsWith(layer + "/src/main/"))
            || file.path().startsWith("controller/src/main/"))
        && !file.path().startsWith(CONTROLLER + "loop/")
        && !file.path().startsWith("insight/src/main/java/io/dure/insight/worker/")
        && !file.path().startsWith(CONTROLLER + "service/")
        && !file.path().startsWith(CONTROLLER + "replica/")
        && !file.path().startsWith(CONTROLLER + "server/")
        && !file.path().startsWith(CONTROLLER + "node/")
        && !file.path().startsWith(CONTROLLER + "statistics/");
  }

  private static final class Scanner extends TreePathScanner<Void, Void> {
    private final JavaFiles.Parsed parsed;
    private final Report report;

    Scanner(JavaFiles.Parsed parsed, Report report) {
      this.parsed = parsed;
      this.report = report;
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree call, Void unused) {
      if (parsed.file().isTest() && isSleep(call.getMethodSelect())) {
        report.broken(
            "sleep",
            parsed.file(),
            parsed.startLine(call),
            "a sleep in a test: wait for a condition (Await)");
      }
      return super.visitMethodInvocation(call, null);
    }

    private boolean isSleep(Tree called) {
      return switch (called) {
        case MemberSelectTree select ->
            select.getIdentifier().contentEquals("sleep")
                && select
                    .getExpression()
                    .toString()
                    .matches(
                        "(java\\.lang\\.)?Thread|(.*\\.)?(TimeUnit\\..*|[A-Z]*SECONDS|MINUTES)");
        case IdentifierTree name ->
            name.getName().contentEquals("sleep")
                && parsed.unit().getImports().stream()
                    .anyMatch(line ->
                        line.isStatic()
                            && line.toString().matches("(?s).*Thread\\.(sleep|\\*);\\s*"));
        default -> false;
      };
    }

    @Override
    public Void visitSynchronized(SynchronizedTree block, Void unused) {
      lock(block, "a synchronized block");
      return super.visitSynchronized(block, null);
    }

    @Override
    public Void visitMethod(MethodTree method, Void unused) {
      if (method.getModifiers().getFlags().contains(Modifier.SYNCHRONIZED)) {
        lock(method, "a synchronized method");
      }
      return super.visitMethod(method, null);
    }

    @Override
    public Void visitVariable(VariableTree field, Void unused) {
      boolean member = getCurrentPath().getParentPath().getLeaf() instanceof ClassTree;
      if (member && field.getModifiers().getFlags().contains(Modifier.VOLATILE)) {
        lock(field, "a volatile field");
      }
      return super.visitVariable(field, null);
    }

    private void lock(Tree where, String what) {
      if (isLockFree(parsed.file())) {
        report.broken(
            "locks", parsed.file(), parsed.startLine(where), what + ": one thread owns the state");
      }
    }
  }
}
