package io.dure.model.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.dure.model.config.parameters.JwtSettings;
import io.dure.model.config.slurmconf.ConfigDiagnostic;
import io.dure.model.config.slurmconf.ParsedConfig;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code AuthAltTypes} and {@code AuthAltParameters} say. */
@Tag("pure")
class JwtSettingsTest {
  private static JwtSettings settings(String text) {
    ParsedConfig parsed = ConfText.with(text);
    assertEquals(List.of(), parsed.errors());
    return parsed.config().settings().rules().tokens();
  }

  private static String problem(String parameters) {
    ParsedConfig parsed =
        ConfText.with("AuthAltTypes=auth/jwt\nAuthAltParameters=" + parameters + "\n");
    assertEquals(1, parsed.errors().size(), parsed.errors().toString());
    ConfigDiagnostic first = parsed.errors().getFirst();
    return first.key() + ": " + first.message() + ". " + first.remedy();
  }

  @Test
  void withoutAWordThereAreNone() {
    assertNull(settings(""));
    assertNull(settings("AuthAltTypes=auth/munge\n"));
  }

  @Test
  void theSecretLiesWhereSlurmHasIt() {
    assertEquals(
        new JwtSettings("/var/spool/jwt_hs256.key", null, "sun", false, 0),
        settings("AuthAltTypes=auth/jwt\nStateSaveLocation=/var/spool\n"));
    assertEquals(
        new JwtSettings("/k", null, "sun", false, 0),
        settings("AuthAltTypes=AUTH/JWT\nAuthAltParameters=jwt_key=/k\n"));
  }

  @Test
  void withKeysOfOthersTheClusterSignsOnlyIfToldTo() {
    assertEquals(
        new JwtSettings(null, "/set", "email", false, 0),
        settings("AuthAltTypes=auth/jwt\nAuthAltParameters=jwks=/set,userclaimfield=email\n"));
    assertEquals(
        new JwtSettings("/k", "/set", "sun", true, 600),
        settings(
            "AuthAltTypes=auth/jwt\nAuthAltParameters=jwks=/set,jwt_key=/k,"
                + "disable_token_creation,max_token_lifespan=600\n"));
  }

  @Test
  void wrongValuesAreNamedWithWhatIsRight() {
    assertEquals(
        "AuthAltParameters: jwt_key: value (k) is not an absolute path. Write jwt_key=/PATH/OF/FILE",
        problem("jwt_key=k"));
    assertEquals(
        "AuthAltParameters: jwks: value () is not an absolute path. Write jwks=/PATH/OF/FILE",
        problem("jwks"));
    assertEquals(
        "AuthAltParameters: userclaimfield: no claim is named. Write userclaimfield=CLAIM",
        problem("userclaimfield="));
    assertEquals(
        "AuthAltParameters: max_token_lifespan: value (0) is not a number from 1 to 2147483647."
            + " Write max_token_lifespan=NUMBER",
        problem("max_token_lifespan=0"));
    ParsedConfig other = ConfText.with("AuthAltTypes=rest_auth/jwt\n");
    ConfigDiagnostic first = other.errors().getFirst();
    assertEquals("there is no rest_auth/jwt for it", first.message());
    assertEquals("Write AuthAltTypes=auth/jwt", first.remedy());
    assertEquals("AuthAltTypes", first.key());
  }

  @Test
  void whatHasNoEffectIsSaid() {
    assertEquals(
        List.of("nothing comes of it without AuthAltTypes=auth/jwt"),
        noEffect("AuthAltParameters=jwt_key=/k\n"));
    assertEquals(
        List.of("auth/munge: read, and not acted on", "other: read, and not acted on"),
        noEffect("AuthAltTypes=auth/jwt,auth/munge\nAuthAltParameters=other\n"));
  }

  private static List<String> noEffect(String text) {
    return ConfText.with(text).diagnostics().stream()
        .filter(d -> d.severity() == ConfigDiagnostic.Severity.NO_EFFECT)
        .map(ConfigDiagnostic::message)
        .toList();
  }
}
