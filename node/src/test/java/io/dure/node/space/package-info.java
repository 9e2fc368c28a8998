/** Tests of the directories and containers of jobs. */
package io.dure.node.space;
