package io.dure.host.config;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** The files of the configuration in force, as they were when it was read. Any thread. */
public final class ConfigTexts {
  private final AtomicReference<Map<String, String>> texts;

  /** Those of a configuration. */
  public ConfigTexts(LocatedConfig config) {
    texts = new AtomicReference<>(config.files());
  }

  /** Another configuration is in force. */
  public void set(LocatedConfig config) {
    texts.set(config.files());
  }

  /** Texts in ISO 8859-1 by their names below the directory of slurm.conf, which is the first. */
  public Map<String, String> get() {
    return texts.get();
  }
}
