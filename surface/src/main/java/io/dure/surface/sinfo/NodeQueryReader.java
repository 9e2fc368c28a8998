package io.dure.surface.sinfo;

import io.dure.protocol.NodeCriteria;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.message.CommandException;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.value.KeywordParser;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a call of the node listing from its environment and its options. For one call. */
public final class NodeQueryReader {

  private static final String SHORT_FORMAT = "%#P %.5a %.10l %.6D %.6t %N";
  private static final String LONG_FORMAT =
      "%#P %.5a %.10l %.10s %.4r %.8h %.10g %.6D %.11T %.11i %N";
  private static final String SUMMARY_FORMAT = "%#P %.5a %.10l %.16F %N";
  private static final String NODE_FORMAT = "%#N %.6D %.#P %6t";
  private static final String LONG_NODE_FORMAT =
      "%#N %.6D %.#P %.11T %4c %.8z %.6m %.8d %.6w %.8f %20E";
  private static final String REASON_FORMAT = "%20E %9u %19H %N";
  private static final String LONG_REASON_FORMAT = "%20E %12U %19H %6t %N";

  private final Map<String, String> environment;
  private @Nullable List<String> nodes;
  private @Nullable List<String> partitions;
  private @Nullable NodeStateFilter states;
  private @Nullable Boolean responding;
  private boolean unlisted;
  private boolean future;
  private boolean perNode;
  private boolean exact;
  private boolean reasons;
  private boolean summary;
  private boolean header = true;
  private boolean longReport;
  private @Nullable DocumentFormat document;
  private @Nullable Integer everySeconds;
  private @Nullable List<String> clusters;
  private @Nullable String letters;
  private @Nullable String formatNames;
  private @Nullable String sort;

  /** A reader of one call with this environment. */
  public NodeQueryReader(Map<String, String> environment) {
    this.environment = environment;
  }

  /** The query of these options. */
  public NodeQuery read(List<ParsedOption<SinfoOption>> options) throws CommandException {
    variable("SINFO_ALL", SinfoOption.ALL);
    variable("SINFO_PARTITION", SinfoOption.PARTITION);
    variable("SINFO_SORT", SinfoOption.SORT);
    variable("SLURM_CLUSTERS", SinfoOption.CLUSTERS);
    letters = environment.get("SINFO_FORMAT");
    for (ParsedOption<SinfoOption> option : options) {
      option(option.key(), option.value() == null ? "" : option.value());
    }
    return query();
  }

  private void variable(String name, SinfoOption option) throws CommandException {
    String value = environment.get(name);
    if (value != null) {
      option(option, value);
    }
  }

  private void option(SinfoOption option, String value) throws CommandException {
    switch (option) {
      case ALL -> unlisted = true;
      case CLUSTERS -> clusters = KeywordParser.list(value);
      case DEAD -> responding = false;
      case EXACT -> exact = true;
      case FORMAT -> {
        letters = value;
        formatNames = null;
      }
      case FORMAT_NAMES -> formatNames = value;
      case FUTURE -> future = true;
      case HIDE -> unlisted = false;
      case ITERATE -> everySeconds = seconds(value);
      case JSON -> document = DocumentFormat.json(value);
      case LIST_REASONS -> reasons = true;
      case LONG -> longReport = true;
      case NODE -> perNode = true;
      case NODES -> nodes = KeywordParser.nodes(value);
      case NOHEADER -> header = false;
      case PARTITION -> partitions = KeywordParser.list(value);
      case RESPONDING -> responding = true;
      case SORT -> sort = value;
      case STATES -> states = NodeStateFilter.parse(value);
      case SUMMARIZE -> summary = true;
      case YAML -> document = DocumentFormat.yaml(value);
      default -> {
        // There is one cluster and amounts keep their unit: --federation, --local, --noconvert, -v.
      }
    }
  }

  private NodeQuery query() {
    if (reasons && states == null) {
      states = NodeStateFilter.WITH_REASON;
    }
    String format = letters == null ? format() : letters;
    String order = sort != null ? sort : perNode ? "N" : "#P,-t";
    return new NodeQuery(
        new NodeQuery.Filter(
            new NodeMatcher(
                new NodeCriteria(
                    nodes, states == null ? null : states.names(), responding, future)),
            partitions,
            unlisted),
        new NodeQuery.Rows(perNode, exact, !perNode && !reasons, order),
        new NodeQuery.View(
            header, header && (longReport || everySeconds != null), format, formatNames, document),
        everySeconds,
        clusters);
  }

  private String format() {
    if (summary) {
      return SUMMARY_FORMAT;
    }
    if (perNode) {
      return longReport ? LONG_NODE_FORMAT : NODE_FORMAT;
    }
    if (reasons) {
      return longReport ? LONG_REASON_FORMAT : REASON_FORMAT;
    }
    return longReport ? LONG_FORMAT : SHORT_FORMAT;
  }

  private static int seconds(String text) throws CommandException {
    try {
      int seconds = Integer.parseInt(text);
      if (seconds > 0) {
        return seconds;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw CommandException.error("Error: invalid entry for --iterate=" + text);
  }
}
