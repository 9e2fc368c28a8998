package io.dure.host.trust.jwt;

import java.time.Instant;

/** What became of a text that claims to be a token. */
public sealed interface JwtVerdict {

  /**
   * Signed with one of the keys, and valid now.
   *
   * @param user the login name that it was signed for; whether there is such a user is not said
   * @param expiry when it ends to be valid
   */
  record Valid(String user, Instant expiry) implements JwtVerdict {}

  /**
   * Not to be believed.
   *
   * @param reason for the log; the caller is not told
   */
  record Refused(Reason reason) implements JwtVerdict {}

  /** Why a token is not believed. */
  enum Reason {
    TOO_LONG("longer than any token"),
    MALFORMED("not a token of three parts with a JSON object each"),
    UNSUPPORTED_HEADER("its header asks for what is not supported (crit, b64 or typ)"),
    WRONG_ALGORITHM("an algorithm that the key is not for"),
    NO_KEY_NAMED("its header names no key (kid)"),
    UNKNOWN_KEY("signed with a key that is not known"),
    WRONG_SIGNATURE("wrong signature"),
    BAD_CLAIM("a claim is not of the right kind, or out of range"),
    NO_EXPIRY("it has no expiry (exp)"),
    EXPIRED("expired"),
    NOT_YET_VALID("not valid yet (nbf or iat)"),
    NO_USER("it names no user");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** For the log: nothing of it was said by the token. */
    public String text() {
      return text;
    }
  }
}
