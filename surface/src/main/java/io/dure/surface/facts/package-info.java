/** What listings say of jobs and nodes, worked out from what the controller tells. */
@org.jspecify.annotations.NullMarked
package io.dure.surface.facts;
