/**
 * What programs of one cluster trust: the cluster key, tokens signed with it, and its certificate
 * authority.
 */
@org.jspecify.annotations.NullMarked
package io.dure.host.trust;
