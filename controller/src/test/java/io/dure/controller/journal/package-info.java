/** Tests of the journal. */
@org.jspecify.annotations.NullMarked
package io.dure.controller.journal;
