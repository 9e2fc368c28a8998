/** Tests of reading topology.conf. */
@org.jspecify.annotations.NullMarked
package io.dure.model.config.topology;
