/** Generic resources: what nodes have of them, what jobs ask for, and what jobs hold. */
@org.jspecify.annotations.NullMarked
package io.dure.model.gres;
