/** Who of the jobs that share cores runs on them, and who waits for his turn. */
@org.jspecify.annotations.NullMarked
package io.dure.rules.gang;
