/** Tests of how what tasks use is counted. */
package io.dure.node.usage;
