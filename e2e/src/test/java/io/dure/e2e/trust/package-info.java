/** Tests of how users show who they are. */
@org.jspecify.annotations.NullMarked
package io.dure.e2e.trust;
