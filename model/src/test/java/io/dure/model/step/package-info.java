/** The steps of jobs. */
@org.jspecify.annotations.NullMarked
package io.dure.model.step;
