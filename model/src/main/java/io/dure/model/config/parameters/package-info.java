/** Values of options that stand in a list of such, for the readers of all lists. */
@org.jspecify.annotations.NullMarked
package io.dure.model.config.parameters;
