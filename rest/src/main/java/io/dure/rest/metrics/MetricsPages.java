package io.dure.rest.metrics;

import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.rest.RestFailure;
import io.dure.rest.TextPages;
import io.dure.surface.json.DocumentProblem;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Metrics at the paths that Slurm has for them, and at one of Dure's own. A text is at most a
 * second old, or ten times as long as it took to make. Any thread.
 */
public final class MetricsPages implements TextPages {
  private static final Duration AGE = Duration.ofMillis(500);
  private static final String PLAIN = "text/plain; charset=utf-8";
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int UNAVAILABLE = 503;

  private final MetricsPort port;
  private final Map<MetricsPage, Map<MetricsFormat, FreshValue<String>>> texts =
      new EnumMap<>(MetricsPage.class);

  /** Those of a controller. */
  public MetricsPages(MetricsPort port) {
    this(port, System::nanoTime);
  }

  MetricsPages(MetricsPort port, LongSupplier nanos) {
    this.port = port;
    ControllerFigures figures = new ControllerFigures(port, AGE, nanos);
    for (MetricsPage page : MetricsPage.values()) {
      Map<MetricsFormat, FreshValue<String>> formats = new EnumMap<>(MetricsFormat.class);
      for (MetricsFormat format : MetricsFormat.values()) {
        formats.put(
            format, new FreshValue<>(AGE, nanos, () -> MetricsText.of(figures.of(page), format)));
      }
      texts.put(page, formats);
    }
  }

  @Override
  public boolean has(String path) {
    return path.equals(MetricsPage.INDEX) || path.startsWith(MetricsPage.INDEX + "/");
  }

  @Override
  public TextPage page(String path, Caller.@Nullable User caller, List<String> accepted)
      throws RestFailure, IOException, InterruptedException {
    check(caller);
    if (path.equals(MetricsPage.INDEX) || path.equals(MetricsPage.INDEX + "/")) {
      return new TextPage(PLAIN, index());
    }
    MetricsPage page = MetricsPage.at(path);
    MetricsFormat format = MetricsFormat.of(accepted);
    Map<MetricsFormat, FreshValue<String>> formats = page == null ? null : texts.get(page);
    FreshValue<String> text = formats == null ? null : formats.get(format);
    if (text == null) {
      throw failure(NOT_FOUND, "There are no metrics at this path; /metrics lists them.");
    }
    return new TextPage(format.type(), text.get());
  }

  private void check(Caller.@Nullable User caller) throws RestFailure {
    if (!port.isReady()) {
      throw failure(UNAVAILABLE, ErrorCode.IN_STANDBY.text());
    }
    MetricsAccess access = port.access();
    if (access == null) {
      throw failure(NOT_FOUND, "Metrics are off; MetricsType=metrics/openmetrics turns them on.");
    }
    if (!access.allows(caller)) {
      throw caller == null
          ? failure(UNAUTHORIZED, "Authentication failure")
          : failure(FORBIDDEN, ErrorCode.ACCESS_DENIED.text());
    }
  }

  private static RestFailure failure(int status, String text) {
    return new RestFailure(status, new DocumentProblem(text, null, "metrics"));
  }

  private static String index() {
    StringBuilder text = new StringBuilder();
    for (MetricsPage page : MetricsPage.values()) {
      text.append("GET ").append(page.path()).append(" - ").append(page.help()).append('\n');
    }
    return text.toString();
  }
}
