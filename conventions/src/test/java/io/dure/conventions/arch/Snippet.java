package io.dure.conventions.arch;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A few lines of Java, compiled into a folder, as the rules see them; each source names one
 * top-level class.
 */
final class Snippet {
  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();
  // One for all: what it learned of the platform's own classes need not be read again.
  private static final StandardJavaFileManager FILES =
      COMPILER.getStandardFileManager(null, null, null);
  private static final Pattern CLASS = Pattern.compile("\\bclass (\\w+)");

  private Snippet() {}

  /** Compiles the sources and imports what came out. */
  static JavaClasses compiled(Path folder, List<String> sources) {
    List<JavaFileObject> units = sources.stream().map(Snippet::unit).toList();
    List<String> options = List.of("-proc:none", "-d", folder.toString());
    if (!COMPILER.getTask(null, FILES, null, options, null, units).call()) {
      throw new IllegalArgumentException("does not compile: " + sources);
    }
    return new ClassFileImporter().importPath(folder);
  }

  private static JavaFileObject unit(String text) {
    String name = CLASS.matcher(text).results().findFirst().orElseThrow().group(1);
    return new SimpleJavaFileObject(
        Path.of("/", name + ".java").toUri(), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }
    };
  }
}
