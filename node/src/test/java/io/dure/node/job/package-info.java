/** Tests of what a node does with a job. */
package io.dure.node.job;
