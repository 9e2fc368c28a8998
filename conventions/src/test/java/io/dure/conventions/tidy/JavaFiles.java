package io.dure.conventions.tidy;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * The Java files as the compiler's own parser reads them; nothing is resolved, so it takes a second
 * or two.
 */
final class JavaFiles {
  /** A parsed file. */
  record Parsed(SourceFile file, CompilationUnitTree unit, DocTrees trees, List<String> problems) {
    int startLine(Tree tree) {
      return line(positions().getStartPosition(unit, tree));
    }

    int endLine(Tree tree) {
      return line(positions().getEndPosition(unit, tree));
    }

    int line(long position) {
      return (int) unit.getLineMap().getLineNumber(position);
    }

    SourcePositions positions() {
      return trees.getSourcePositions();
    }
  }

  private static final class InMemory extends SimpleJavaFileObject {
    private final SourceFile file;

    InMemory(SourceFile file) {
      super(Path.of("/", file.path()).toUri(), Kind.SOURCE);
      this.file = file;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return file.text();
    }
  }

  private JavaFiles() {}

  /** Parses every Java file; what the parser refuses is in the files' {@code problems}. */
  static List<Parsed> parse(List<SourceFile> sources) {
    if (sources.isEmpty()) {
      return List.of();
    }
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    List<InMemory> objects = sources.stream().map(InMemory::new).toList();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    JavacTask task =
        (JavacTask) compiler.getTask(null, null, diagnostics, List.of("-proc:none"), null, objects);
    try {
      List<CompilationUnitTree> units = new ArrayList<>();
      task.parse().forEach(units::add);
      return IntStream.range(0, units.size())
          .mapToObj(i -> parsed(sources.get(i), units.get(i), task, diagnostics))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Parsed parsed(
      SourceFile file,
      CompilationUnitTree unit,
      JavacTask task,
      DiagnosticCollector<JavaFileObject> diagnostics) {
    List<String> problems =
        diagnostics.getDiagnostics().stream()
            .filter(found -> found.getSource() != null)
            .filter(found -> found.getSource().toUri().equals(unit.getSourceFile().toUri()))
            .map(found -> "line " + found.getLineNumber() + ": " + found.getMessage(Locale.ROOT))
            .toList();
    return new Parsed(file, unit, DocTrees.instance(task), problems);
  }
}
