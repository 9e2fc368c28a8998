/** The controller's brain: commands come in, decisions come out as events, effects and a reply. */
@org.jspecify.annotations.NullMarked
package io.dure.cluster;
