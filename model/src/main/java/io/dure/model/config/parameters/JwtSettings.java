package io.dure.model.config.parameters;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How the tokens of {@code auth/jwt} are checked and made, as {@code AuthAltTypes} and {@code
 * AuthAltParameters} say.
 *
 * @param keyFile file of the secret with which the cluster signs (HS256), null where it signs none
 * @param keySetFile file of the public keys of those who sign elsewhere (JWKS), null for none
 * @param userClaim the claim that names the user
 * @param onlyForOperators whether nobody but root and SlurmUser is given tokens
 * @param longestSeconds how long a token that a user is given is valid at most, 0 for any time
 */
public record JwtSettings(
    @Nullable String keyFile,
    @Nullable String keySetFile,
    String userClaim,
    boolean onlyForOperators,
    int longestSeconds) {
  /** The claim that names the user in the tokens of Slurm: its user name. */
  public static final String SLURM_USER = "sun";

  /** Where the secret lies if nothing is said, in {@code StateSaveLocation}. */
  public static final String USUAL_KEY = "jwt_hs256.key";

  private static final String TYPES = "AuthAltTypes";
  private static final String PARAMETERS = "AuthAltParameters";

  /** Is told what is wrong, and what nothing comes of. */
  @FunctionalInterface
  public interface ProblemListener {
    /** A value that is not taken, and what to write; without that, one that has no effect. */
    void found(String key, String message, @Nullable String remedy);
  }

  /**
   * The settings, null where the configuration asks for no such tokens.
   *
   * @param types the words of {@code AuthAltTypes}
   * @param parameters those of {@code AuthAltParameters}
   * @param stateDirectory the value of {@code StateSaveLocation}
   */
  public static @Nullable JwtSettings read(
      List<String> types, List<String> parameters, String stateDirectory, ProblemListener report) {
    Reader reader = new Reader(report);
    boolean asked = reader.asks(types);
    if (!asked) {
      if (!parameters.isEmpty()) {
        report.found(PARAMETERS, "nothing comes of it without AuthAltTypes=auth/jwt", null);
      }
      return null;
    }
    parameters.forEach(reader::take);
    String usual = reader.keySetFile == null ? stateDirectory + "/" + USUAL_KEY : null;
    return new JwtSettings(
        reader.keyFile == null ? usual : reader.keyFile,
        reader.keySetFile,
        reader.userClaim,
        reader.onlyForOperators,
        reader.longestSeconds);
  }

  /** What the words say; a word that is wrong leaves what it was about as it is usually. */
  private static final class Reader {
    private final ProblemListener report;
    private @Nullable String keyFile;
    private @Nullable String keySetFile;
    private String userClaim = SLURM_USER;
    private boolean onlyForOperators;
    private int longestSeconds;

    Reader(ProblemListener report) {
      this.report = report;
    }

    private boolean asks(List<String> types) {
      boolean asked = false;
      for (String type : types) {
        switch (type.toLowerCase(Locale.ROOT)) {
          case "auth/jwt", "jwt" -> asked = true;
          case "auth/munge", "auth/slurm", "auth/none" ->
              report.found(TYPES, type + ": read, and not acted on", null);
          default ->
              report.found(TYPES, "there is no " + type + " for it", "Write AuthAltTypes=auth/jwt");
        }
      }
      return asked;
    }

    private void take(String parameter) {
      int equals = parameter.indexOf('=');
      String name = equals < 0 ? parameter : parameter.substring(0, equals);
      String value = equals < 0 ? "" : parameter.substring(equals + 1);
      switch (name.toLowerCase(Locale.ROOT)) {
        case "jwt_key" -> keyFile = path(name, value);
        case "jwks" -> keySetFile = path(name, value);
        case "userclaimfield" -> userClaim = claim(name, value);
        case "disable_token_creation" -> onlyForOperators = true;
        case "max_token_lifespan" -> longestSeconds = seconds(name, value);
        default -> report.found(PARAMETERS, name + ": read, and not acted on", null);
      }
    }

    private @Nullable String path(String name, String value) {
      if (value.startsWith("/")) {
        return value;
      }
      report.found(
          PARAMETERS,
          name + ": value (" + value + ") is not an absolute path",
          "Write " + name + "=/PATH/OF/FILE");
      return null;
    }

    private String claim(String name, String value) {
      if (!value.isEmpty()) {
        return value;
      }
      report.found(PARAMETERS, name + ": no claim is named", "Write " + name + "=CLAIM");
      return userClaim;
    }

    private int seconds(String name, String value) {
      BoundedNumber number = new BoundedNumber(name, value, 1, Integer.MAX_VALUE);
      Long seconds = number.value();
      if (seconds == null) {
        report.found(PARAMETERS, number.problem(), number.remedy());
        return 0;
      }
      return seconds.intValue();
    }
  }
}
