package io.dure.cli.filter;

import io.dure.cli.command.CommandContext;
import io.dure.host.lua.LuaException;
import io.dure.host.lua.LuaScript;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code cli_filter.lua} beside the configuration, run with the rights of the caller: it may set
 * what options default to, change what was asked for, and refuse. For one call and one thread.
 */
public final class SiteFilter implements AutoCloseable {
  /** No step: the allocation itself. */
  public static final long NO_STEP = 0xffff_fffeL;

  private static final String ENDED = "cli_filter plugin terminated with error";

  private final CommandContext context;
  private final @Nullable LuaScript script;

  private SiteFilter(CommandContext context, @Nullable LuaScript script) {
    this.context = context;
    this.script = script;
  }

  /** The filter of the caller's cluster, which does nothing where there is none. */
  public static SiteFilter of(CommandContext context) {
    return new SiteFilter(context, context.caller().siteFilter());
  }

  /** Before the options of a component are read. */
  public <K> void setupDefaults(FilteredOptions<K> options) throws CommandException {
    if (script != null) {
      Map<String, Object> request = request("setup", options);
      request.put("early", false);
      apply(call(script, request), options);
    }
  }

  /**
   * When all options of a component are known.
   *
   * @param offset place of the component, from 0
   */
  public <K> void preSubmit(FilteredOptions<K> options, int offset) throws CommandException {
    if (script != null) {
      Map<String, Object> request = request("pre", options);
      request.put("offset", (long) offset);
      apply(call(script, request), options);
    }
  }

  /**
   * When the controller has accepted a component, or has made a step: what the script says then
   * undoes nothing.
   */
  public void postSubmit(int offset, int jobId, long step) {
    if (script != null) {
      try {
        call(
            script,
            Map.of("op", "post", "offset", (long) offset, "job", (long) jobId, "step", step));
      } catch (CommandException e) {
        var _ = context.fail(e);
      }
    }
  }

  private <K> Map<String, Object> request(String what, FilteredOptions<K> options) {
    Map<String, Object> set = new LinkedHashMap<>();
    Map<String, Object> kinds = new LinkedHashMap<>();
    for (K option : options.all()) {
      String name = options.name(option);
      kinds.put(name, options.isFlag(option) ? "flag" : "value");
      if (options.has(option)) {
        String value = options.value(option);
        set.put(name, value == null ? "set" : value);
      }
    }
    set.put("type", context.program());
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("op", what);
    request.put("options", set);
    request.put("kinds", kinds);
    return request;
  }

  private <K> void apply(Map<?, ?> answer, FilteredOptions<K> options) throws CommandException {
    if (!(answer.get("changes") instanceof Map<?, ?> changes)) {
      return;
    }
    for (K option : options.all()) {
      Object value = changes.get(options.name(option));
      if (value instanceof Boolean) {
        options.unset(option);
      } else if (value != null) {
        options.set(option, options.isFlag(option) ? null : value.toString());
      }
    }
  }

  private Map<?, ?> call(LuaScript filter, Map<String, Object> request) throws CommandException {
    try {
      Object said = filter.call(request, this::answer);
      if (said instanceof Map<?, ?> answer) {
        if (answer.get("why") instanceof String why) {
          context.report(StderrMessage.error(why));
        }
        if (Long.valueOf(0).equals(answer.get("code"))) {
          return answer;
        }
      }
    } catch (LuaException e) {
      context.report(StderrMessage.error(String.valueOf(e.getMessage())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw CommandException.error(ENDED);
  }

  private @Nullable Object answer(String what, @Nullable Object value) {
    switch (what) {
      case "log" -> {
        if (value instanceof Map<?, ?> line) {
          log(String.valueOf(line.get(1L)), String.valueOf(line.get(2L)));
        }
      }
      case "print" -> {
        context.out().print(value);
        context.out().flush(); // it may be a question to the user
      }
      case "environment" -> {
        return context.environment();
      }
      default -> {}
    }
    return null;
  }

  private void log(String level, String line) {
    if (level.equals("error")) {
      context.report(StderrMessage.error(line));
    } else if (level.equals("info")) {
      context.report(StderrMessage.info(line));
    }
  }

  @Override
  public void close() {
    if (script != null) {
      script.close();
    }
  }
}
