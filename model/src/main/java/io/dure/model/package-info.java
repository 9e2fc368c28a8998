/** The words that all of the model shares: host lists, task indices, users, error codes. */
@org.jspecify.annotations.NullMarked
package io.dure.model;
