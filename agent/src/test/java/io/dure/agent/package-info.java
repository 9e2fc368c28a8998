/** Tests of the agent without its processes. */
package io.dure.agent;
