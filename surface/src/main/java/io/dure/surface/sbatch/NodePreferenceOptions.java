package io.dure.surface.sbatch;

import io.dure.model.constraint.FeatureExpression.InvalidFeatureException;
import io.dure.model.constraint.FeatureParser;
import io.dure.model.request.ResourceRequest;
import io.dure.surface.message.CommandException;
import io.dure.surface.value.NumberParser;
import io.dure.surface.value.TimeLimitParser;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The options that choose among nodes that would do. */
final class NodePreferenceOptions {
  private NodePreferenceOptions() {}

  /**
   * The request with the wishes of these options.
   *
   * @param request with the fewest and the most nodes as typed
   */
  static ResourceRequest in(ResourceRequest request, SbatchSettings settings)
      throws CommandException {
    boolean spread = settings.has(SbatchOption.SPREAD_JOB);
    boolean counted = settings.has(SbatchOption.NODES);
    int least = counted ? 1 : leastNodes(settings.value(SbatchOption.CONSTRAINT));
    int min = Math.max(request.minNodes(), least);
    int max = Math.max(request.maxNodes(), min);
    String switches = settings.value(SbatchOption.SWITCHES);
    String segment = settings.value(SbatchOption.SEGMENT);
    return request
        .withNodes(min, max)
        .with(
            new ResourceRequest.NodePreferences(
                breadth(settings, min < max && (counted || spread)),
                emptyToNull(settings.value(SbatchOption.PREFER)),
                switches == null ? null : switches(switches),
                switches == null ? null : switchWait(switches, settings.switchWait()),
                segment == null ? null : NumberParser.positive("--segment", segment),
                segment != null && settings.has(SbatchOption.SPREAD_SEGMENTS)));
  }

  private static ResourceRequest.@Nullable NodeCountPreference breadth(
      SbatchSettings settings, boolean wide) {
    if (!wide || settings.has(SbatchOption.USE_MIN_NODES)) {
      return null;
    }
    return settings.has(SbatchOption.NTASKS)
        ? ResourceRequest.NodeCountPreference.TASKS
        : ResourceRequest.NodeCountPreference.NODES;
  }

  /** The nodes that a constraint counts; one that can not be read is refused later. */
  private static int leastNodes(@Nullable String constraint) {
    try {
      return constraint == null ? 1 : FeatureParser.constraint(constraint).leastNodes();
    } catch (InvalidFeatureException e) {
      return 1;
    }
  }

  /** The number in {@code COUNT[@TIME]}. */
  static int switches(String text) throws CommandException {
    int at = text.indexOf('@');
    return NumberParser.positive("--switches", at < 0 ? text : text.substring(0, at));
  }

  private static @Nullable Duration switchWait(String text, @Nullable Duration usual) {
    int at = text.indexOf('@');
    return at < 0 ? usual : TimeLimitParser.parseDuration(text.substring(at + 1));
  }

  private static @Nullable String emptyToNull(@Nullable String text) {
    return text == null || text.isEmpty() ? null : text;
  }
}
