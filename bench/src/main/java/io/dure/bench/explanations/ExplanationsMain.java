package io.dure.bench.explanations;

/** {@code ./dure bench explanations}. */
public final class ExplanationsMain {
  private static final double AS_PROMISED = 95;
  private static final int SHOWN = 20;

  private ExplanationsMain() {}

  /** Exit code 0 if what is said comes true, 1 if not, 2 for wrong usage. */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  private static int run(String[] arguments) {
    int jobs = 1000;
    long seed = System.nanoTime();
    for (String word : arguments) {
      if (word.matches("COUNT=[0-9]{1,7}")) {
        jobs = Integer.parseInt(word.substring("COUNT=".length()));
      } else if (word.matches("SEED=[0-9]{1,18}")) {
        seed = Long.parseLong(word.substring("SEED=".length()));
      } else {
        System.err.println("Usage: ./dure bench explanations [COUNT=1000] [SEED=...]");
        return 2;
      }
    }
    ExplanationCheck proof = new ExplanationCheck();
    proof.look(seed, jobs);
    proof.failures().stream().limit(SHOWN).forEach(System.out::println);
    System.out.print("SEED=" + seed + "\n" + proof.text());
    return proof.promised() >= AS_PROMISED && proof.caused() == 100 ? 0 : 1;
  }
}
