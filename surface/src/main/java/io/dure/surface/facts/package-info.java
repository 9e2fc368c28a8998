/** Facts about jobs and nodes that listings print, derived from the controller's rows. */
@org.jspecify.annotations.NullMarked
package io.dure.surface.facts;
