package io.dure.controller.server;

import io.dure.controller.service.CallerDirectory;
import io.dure.host.trust.jwt.JwtIssuer;
import io.dure.host.trust.jwt.JwtKeys;
import io.dure.host.trust.jwt.JwtVerdict;
import io.dure.host.trust.jwt.JwtVerifier;
import io.dure.host.user.UserDatabaseException;
import io.dure.model.command.Caller;
import io.dure.model.config.parameters.JwtSettings;
import java.io.IOException;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Tokens of {@code auth/jwt}, by which users are known who come from machines that vouch for
 * nobody: checked and made with the keys in force. Any thread.
 */
public final class UserTokens {
  private final CallerDirectory callers;
  private final int slurmUid;
  private final InstantSource clock;
  private final Logger log;
  private volatile Keys inForce = Keys.NONE;

  /** Keys that have been read, and what is done with them. */
  public record Keys(@Nullable JwtVerifier verifier, @Nullable JwtIssuer issuer) {
    private static final Keys NONE = new Keys(null, null);
  }

  /**
   * Without keys.
   *
   * @param slurmUid number of SlurmUser, whose files of keys are trusted
   */
  public UserTokens(CallerDirectory callers, int slurmUid, InstantSource clock, Logger log) {
    this.callers = callers;
    this.slurmUid = slurmUid;
    this.clock = clock;
    this.log = log;
  }

  /**
   * Reads the keys of a configuration, without effect.
   *
   * @throws IOException if a file cannot be used; the message names it, and the remedy
   */
  public Keys read(@Nullable JwtSettings settings) throws IOException {
    if (settings == null) {
      return Keys.NONE;
    }
    JwtKeys keys = JwtKeys.load(settings, slurmUid);
    keys.remarks().forEach(log::info);
    return new Keys(new JwtVerifier(keys, settings.userClaim()), JwtIssuer.of(keys));
  }

  /** Puts keys into force, in place of those of before. */
  public void use(Keys keys) {
    inForce = keys;
  }

  /**
   * The user of a token, or another for whom it is shown: that of root or SlurmUser may be shown
   * for anybody.
   *
   * @param user whose requests they are, null for the user of the token
   * @return null if it is not to be believed
   */
  Caller.@Nullable User caller(String token, @Nullable String user) {
    Caller.User signed = caller(token);
    if (signed == null || user == null || user.equals(signed.identity().userName())) {
      return signed;
    }
    return signed.operator() ? known(user) : null;
  }

  /** The user whom a token was signed for, null if it is not to be believed; the log has why. */
  Caller.@Nullable User caller(String token) {
    JwtVerifier verifier = inForce.verifier();
    if (verifier == null) {
      log.info("auth/jwt: a token was shown, and AuthAltTypes does not have auth/jwt: refused");
      return null;
    }
    return switch (verifier.verify(token, clock.instant())) {
      case JwtVerdict.Refused(JwtVerdict.Reason reason) -> {
        log.info("auth/jwt: token refused: " + reason.text());
        yield null;
      }
      case JwtVerdict.Valid(String user, _) -> known(user);
    };
  }

  /** A user whom a token names, null if there is none; the log has why. */
  Caller.@Nullable User known(String user) {
    try {
      Caller.User caller = callers.byName(user);
      if (caller == null) {
        log.info("auth/jwt: token refused: there is no user " + user + " on this machine");
      }
      return caller;
    } catch (UserDatabaseException e) {
      log.error("auth/jwt: token of " + user + " refused: " + e.getMessage());
      return null;
    }
  }

  /** A new token, null where there is no secret to sign it with. */
  public @Nullable String issue(String user, int seconds) {
    JwtIssuer issuer = inForce.issuer();
    if (issuer == null) {
      log.error("auth/jwt: cannot issue tokens, no key loaded: set jwt_key= in AuthAltParameters");
      return null;
    }
    String token = issuer.issue(user, clock.instant(), seconds);
    log.info("auth/jwt: created token for " + user + " for " + seconds + " seconds");
    return token;
  }
}
