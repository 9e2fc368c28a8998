package io.dure.model.config.gres;

/** Where findings about gres.conf go; each names the file and the line, from 1. */
public interface GresConfFindings {
  /** Something that cannot be read. */
  void error(String file, int line, String key, String message, String remedy);

  /** Something that may be meant otherwise. */
  void warning(String file, int line, String key, String message, String remedy);

  /** Something that is read, and not acted on. */
  void noEffect(String file, int line, String key, String message);
}
