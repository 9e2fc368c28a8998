package io.dure.host.net;

import io.dure.model.config.SiteRules;
import java.time.Duration;

/**
 * How long a TCP connection may take to stand, and how often it is tried.
 *
 * @param timeout of each try, above zero
 * @param retries further tries where no route leads to the host ({@code EHOSTUNREACH})
 */
public record ConnectLimits(Duration timeout, int retries) {
  /** Those of a configuration. */
  public static ConnectLimits of(SiteRules rules) {
    return new ConnectLimits(rules.connecting(), rules.unreachableRetries());
  }
}
