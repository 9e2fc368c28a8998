package io.dure.conventions.tidy;

import com.sun.source.tree.BindingPatternTree;
import com.sun.source.tree.CaseLabelTree;
import com.sun.source.tree.CaseTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.DeconstructionPatternTree;
import com.sun.source.tree.DefaultCaseLabelTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.PatternCaseLabelTree;
import com.sun.source.tree.PatternTree;
import com.sun.source.tree.SwitchExpressionTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;

/**
 * A switch over a sealed type has no {@code default}: a new case must not compile until every
 * switch has an answer for it.
 *
 * <p>Nothing is resolved, so types are known by their simple names; a switch is taken to be over a
 * sealed type when all its type patterns name types below one sealed type of this repository.
 */
final class SealedSwitchRule implements Rule {
  @Override
  public void inspect(Sources sources, Report report) {
    List<JavaFiles.Parsed> files = sources.java();
    Hierarchy hierarchy = new Hierarchy();
    files.forEach(parsed -> hierarchy.scan(parsed.unit(), null));
    files.forEach(parsed -> new Scanner(parsed, hierarchy, report).scan(parsed.unit(), null));
  }

  private static String simpleName(Tree type) {
    return switch (type) {
      case MemberSelectTree select -> select.getIdentifier().toString();
      case ParameterizedTypeTree generic -> simpleName(generic.getType());
      default -> type.toString();
    };
  }

  /** Which types stand directly under which, and which are sealed. */
  private static final class Hierarchy extends TreeScanner<Void, Void> {
    private final Map<String, Set<String>> parents = new HashMap<>();
    private final Set<String> sealed = new HashSet<>();

    @Override
    public Void visitClass(ClassTree type, Void unused) {
      String name = type.getSimpleName().toString();
      if (type.getModifiers().getFlags().contains(Modifier.SEALED)) {
        sealed.add(name);
      }
      Set<String> above = parents.computeIfAbsent(name, _ -> new HashSet<>());
      Stream.concat(
              type.getImplementsClause().stream(),
              Optional.ofNullable(type.getExtendsClause()).stream())
          .map(SealedSwitchRule::simpleName)
          .forEach(above::add);
      return super.visitClass(type, null);
    }

    Set<String> sealedAbove(String name) {
      Set<String> found = new TreeSet<>();
      collect(name, found, new HashSet<>());
      return found;
    }

    private void collect(String name, Set<String> found, Set<String> seen) {
      if (seen.add(name)) {
        if (sealed.contains(name)) {
          found.add(name);
        }
        parents.getOrDefault(name, Set.of()).forEach(parent -> collect(parent, found, seen));
      }
    }
  }

  private static final class Scanner extends TreeScanner<Void, Void> {
    private final JavaFiles.Parsed parsed;
    private final Hierarchy hierarchy;
    private final Report report;

    Scanner(JavaFiles.Parsed parsed, Hierarchy hierarchy, Report report) {
      this.parsed = parsed;
      this.hierarchy = hierarchy;
      this.report = report;
    }

    @Override
    public Void visitSwitch(SwitchTree tree, Void unused) {
      inspect(tree, tree.getCases());
      return super.visitSwitch(tree, null);
    }

    @Override
    public Void visitSwitchExpression(SwitchExpressionTree tree, Void unused) {
      inspect(tree, tree.getCases());
      return super.visitSwitchExpression(tree, null);
    }

    private void inspect(Tree tree, List<? extends CaseTree> cases) {
      Set<String> common = null;
      boolean withDefault = false;
      for (CaseTree one : cases) {
        for (CaseLabelTree label : one.getLabels()) {
          withDefault |= label instanceof DefaultCaseLabelTree;
          if (label instanceof PatternCaseLabelTree pattern) {
            Set<String> above = hierarchy.sealedAbove(typeName(pattern.getPattern()));
            common = common == null ? above : intersection(common, above);
          }
        }
      }
      if (common != null && !common.isEmpty()) {
        report.counted("switches over sealed types", 1);
        if (withDefault) {
          String message = "a default in a switch over the sealed " + String.join(", ", common);
          report.broken("sealed-default", parsed.file(), parsed.startLine(tree), message);
        }
      }
    }

    private static Set<String> intersection(Set<String> one, Set<String> other) {
      Set<String> both = new TreeSet<>(one);
      both.retainAll(other);
      return both;
    }

    private static String typeName(PatternTree pattern) {
      return switch (pattern) {
        case BindingPatternTree binding -> simpleName(binding.getVariable().getType());
        case DeconstructionPatternTree record -> simpleName(record.getDeconstructor());
        default -> "";
      };
    }
  }
}
