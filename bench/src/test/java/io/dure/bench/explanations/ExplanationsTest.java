package io.dure.bench.explanations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.testkit.Cases;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is said of waiting jobs comes true, in random clusters. */
@Tag("pure")
class ExplanationsTest {
  @Test
  void remediesAndCausesAreTrue() {
    ExplanationCheck proof = new ExplanationCheck();
    proof.look(
        Long.getLong("dure.seed", 1 + Cases.seeds()),
        Integer.getInteger("dure.jobs", Cases.of(1000)));
    System.out.print(proof.text());
    proof.failures().stream().limit(30).forEach(System.out::println);
    assertTrue(proof.promised() >= 95, () -> proof.text() + proof.failures());
    assertEquals(100, proof.caused(), () -> proof.text() + proof.failures());
    assertTrue(proof.needed() >= 99, () -> proof.text() + proof.failures());
  }
}
