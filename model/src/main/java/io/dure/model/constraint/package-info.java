/** What a job demands of its nodes' features. */
@org.jspecify.annotations.NullMarked
package io.dure.model.constraint;
