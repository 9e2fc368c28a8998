/** Tests of the journal. */
@org.jspecify.annotations.NullMarked
package io.dure.journal;
