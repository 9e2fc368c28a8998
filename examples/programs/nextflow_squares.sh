#!/usr/bin/env bash
# Computes squares in jobs that Nextflow submits. Its launcher in PyPI would fetch the program from elsewhere, so the
# program is taken from Maven, where this is the newest version that is there with all that it needs.
set -euo pipefail

if ! [ -d lib ]; then
  cat >pom.xml <<'POM'
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>programs</groupId><artifactId>nextflow</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>io.nextflow</groupId><artifactId>nextflow</artifactId><version>23.10.1</version></dependency>
  </dependencies>
</project>
POM
  mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib || { echo "Nextflow cannot be had from Maven"; exit 77; }
fi
cat >main.nf <<'FLOW'
process square {
  time '5m'
  memory '100 MB'
  input: val x
  output: stdout
  script: "echo \$(( $x * $x ))"
}
workflow { Channel.of(1..5) | square | map { it.trim() as int } | sum | view { "sum $it" } }
FLOW
cat >nextflow.config <<'CONFIG'
process { executor = 'slurm'; queue = System.getenv('PROGRAMS_PARTITION') }
executor { pollInterval = '1 sec'; queueStatInterval = '2 sec' }
CONFIG
opens=()
for package in java.io java.lang java.net java.nio java.util java.util.regex java.util.concurrent.atomic \
  java.util.concurrent.locks sun.nio.ch sun.nio.fs sun.net.www.protocol.{file,ftp,http,https} jdk.internal.{misc,vm}; do
  opens+=("--add-opens=java.base/$package=ALL-UNNAMED")
done
NXF_HOME=$PWD/home NXF_OFFLINE=true \
  java "${opens[@]}" -cp 'lib/*' nextflow.cli.Launcher run main.nf -ansi-log false | tee output
grep -qx 'sum 55' output
