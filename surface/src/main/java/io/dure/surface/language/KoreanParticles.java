package io.dure.surface.language;

/**
 * Korean particles, which depend on how the word before them ends when it is read aloud. All
 * functions are pure.
 *
 * <p>Hangul says so by itself, and digits are read in Korean. Of Latin letters single ones and
 * abbreviations (CPU, QOS) are read as letters, the rest roughly as Koreans write such words: l, m,
 * n and ng end in a consonant, and so do b, c, k, p and t after one short vowel.
 */
final class KoreanParticles {
  private static final int FIRST = 0xac00;
  private static final int LAST = 0xd7a3;
  private static final int FINALS = 28;
  private static final int RIEUL = 8;

  /** How the digits from 0 to 9 end: 영 일 이 삼 사 오 육 칠 팔 구. */
  private static final String DIGITS = "nl-n--nll-";

  private KoreanParticles() {}

  /** How a word ends. */
  private enum End {
    VOWEL,
    RIEUL,
    CONSONANT
  }

  /**
   * The one of two that follows a text.
   *
   * @param consonant after a consonant, such as 이, 을, 은, 과, 으로
   * @param vowel after a vowel, such as 가, 를, 는, 와, 로
   */
  static String after(CharSequence text, String consonant, String vowel) {
    return switch (end(text)) {
      case CONSONANT -> consonant;
      // 으로 is shortened after ㄹ too.
      case RIEUL -> vowel.equals("로") ? vowel : consonant;
      case VOWEL -> vowel;
    };
  }

  private static End end(CharSequence text) {
    for (int at = text.length() - 1; at >= 0; at--) {
      char last = text.charAt(at);
      if (last >= FIRST && last <= LAST) {
        int sound = (last - FIRST) % FINALS;
        return sound == 0 ? End.VOWEL : sound == RIEUL ? End.RIEUL : End.CONSONANT;
      }
      if (last >= '0' && last <= '9') {
        return of(DIGITS.charAt(last - '0'));
      }
      if (isLatin(last)) {
        return latin(text, at);
      }
    }
    return End.VOWEL;
  }

  private static End of(char sign) {
    return sign == 'l' ? End.RIEUL : sign == 'n' ? End.CONSONANT : End.VOWEL;
  }

  private static boolean isLatin(char letter) {
    return letter >= 'a' && letter <= 'z' || letter >= 'A' && letter <= 'Z';
  }

  private static boolean isVowel(char letter) {
    return "aeiouyAEIOUY".indexOf(letter) >= 0;
  }

  private static End latin(CharSequence text, int at) {
    char last = text.charAt(at);
    boolean alone = at == 0 || !isLatin(text.charAt(at - 1));
    if (last <= 'Z' || alone) {
      // As a letter: 엘, 알; 엠, 엔.
      return switch (Character.toUpperCase(last)) {
        case 'L', 'R' -> End.RIEUL;
        case 'M', 'N' -> End.CONSONANT;
        default -> End.VOWEL;
      };
    }
    char before = text.charAt(at - 1);
    boolean first = at == 1 || !isLatin(text.charAt(at - 2));
    boolean isShort = isVowel(before) && (first || !isVowel(text.charAt(at - 2)));
    return switch (last) {
      case 'l' -> End.RIEUL;
      case 'm', 'n' -> End.CONSONANT;
      case 'g' -> before == 'n' ? End.CONSONANT : End.VOWEL;
      case 'b', 'c', 'k', 'p', 't' -> isShort ? End.CONSONANT : End.VOWEL;
      default -> End.VOWEL;
    };
  }
}
