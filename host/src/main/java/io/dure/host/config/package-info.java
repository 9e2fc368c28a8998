/** Finding and reading the cluster's configuration on this machine. */
@org.jspecify.annotations.NullMarked
package io.dure.host.config;
