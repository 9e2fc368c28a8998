/** Damage in files is met as promised. */
@org.jspecify.annotations.NullMarked
package io.dure.faults.corruption;
